import { peers } from './peers.ts';
import { recipes } from './recipes.ts';
import { recordSession } from './record-session.ts';
import { judgeAll, ourAskingBody, ourBodies, type Request } from './replay.ts';
import type { Session } from './session.ts';
import { sessionSystem, sessionTools } from './session-tools.ts';

export interface EconomyOptions {
  seed: number;
  /** Only the sessions of these packages; all without. */
  sessions?: readonly string[];
  progress(text: string): void;
}

/** All requests of one session, by contender. */
export interface SessionResult {
  session: Session;
  requests: Readonly<Record<string, Request[]>>;
}

export const ours = 'ours';
/** The same product without its economy. */
const unpruned = 'everything again';

/** Records the sessions and has every contender go through them. Exact: the same seed gives the same figures. */
export async function run({ seed, sessions, progress }: EconomyOptions): Promise<SessionResult[]> {
  const results: SessionResult[] = [];
  for (const recipe of recipes(seed)) {
    if (sessions !== undefined && !sessions.includes(recipe.name)) continue;
    progress(`P12: ${recipe.name}, ${recipe.steps} steps`);
    const session = { ...(await recordSession(recipe)), system: sessionSystem(recipe.name) };
    const requests: Record<string, Request[]> = {
      [ours]: judgeAll(session, ourBodies(session, sessionTools, false), ourAskingBody(session, sessionTools)),
      [unpruned]: judgeAll(session, ourBodies(session, sessionTools, true)),
    };
    for (const peer of peers) requests[peer.name] = judgeAll(session, await peer.bodies(session));
    results.push({ session, requests });
  }
  return results;
}

export function tokensOf(requests: readonly Request[]): number {
  return requests.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Of all pairs of a request and a fact that was known before it: those where the request answers for the fact. */
export function answered(requests: readonly Request[]): number {
  const known = requests.reduce((sum, request) => sum + request.known, 0);
  const lost = requests.reduce((sum, request) => sum + request.lost.length, 0);
  return known === 0 ? 1 : 1 - lost / known;
}

export function contendersOf(results: readonly SessionResult[]): string[] {
  return Object.keys(results[0]?.requests ?? {});
}

export function all(results: readonly SessionResult[], contender: string): Request[] {
  return results.flatMap(({ requests }) => requests[contender] ?? []);
}

/** The cheapest agent from npm that still answers for everything. */
export function bestPeer(results: readonly SessionResult[]): string | undefined {
  const complete = peers.map(({ name }) => name).filter((name) => answered(all(results, name)) === 1);
  return complete.toSorted((a, b) => tokensOf(all(results, a)) - tokensOf(all(results, b)))[0];
}
