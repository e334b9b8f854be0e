import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { economise } from '../../../src/agent/economy/economise.ts';
import type { ToolDefinition } from '../../../src/service/contract.ts';
import { buildRequestBody } from '../../../src/service/wire/request.ts';
import type { HistoryMessage } from '../../../src/shared/messages.ts';
import { toolKind } from '../../../src/tools/index.ts';
import { type Fact, requestLengths, type Session } from './session.ts';

/** What one request cost and which facts it no longer answers. */
export interface Request {
  tokens: number;
  known: number;
  lost: Fact[];
  /**
   * Facts in lines that nothing marks: all, those that are not there, those of these that are not there either when the user
   * asks for them in this place, and those of them whose file is not even named.
   */
  plain: { known: number; lost: number; unanswered: Fact[]; unnamed: number };
  /** Facts that this request has to answer for because the user has just asked. */
  needed: { asked: number; lost: Fact[] };
}

export const model = 'svc/kimi-k3';

/** The bodies that the product sends for a session: `whole` as stored, else after the economy. */
export function* ourBodies(session: Session, tools: readonly ToolDefinition[], whole: boolean): Generator<string> {
  for (const length of requestLengths(session)) yield ourBody(session, session.messages.slice(0, length), tools, whole);
}

function ourBody(
  { system }: Session,
  messages: readonly HistoryMessage[],
  tools: readonly ToolDefinition[],
  whole: boolean,
): string {
  const stored = [{ role: 'system' as const, text: system }, ...messages];
  return buildRequestBody(
    { model, messages: whole ? stored : economise(stored, { model, toolKind }).messages, tools, surface: 'chat' },
    { parameters: {} },
    { stream: true, strength: 'normal' },
  );
}

/** The body of the request in which the user asks for a fact instead of letting the agent go on. */
export type AskingBody = (length: number, ask: string) => string;

export function ourAskingBody(session: Session, tools: readonly ToolDefinition[]): AskingBody {
  return (length, ask) =>
    ourBody(session, [...session.messages.slice(0, length), { role: 'user', text: ask }], tools, false);
}

/**
 * Counts tokens of a body and looks for every fact that the messages before it brought: a fact of a file in a message that
 * names the file, or nobody could tell what it is a fact of.
 */
function judge(session: Session, body: string, length: number, asking: AskingBody | undefined): Request {
  const holds = finder(body);
  const planted = session.facts.filter((fact) => fact.plantedAt < length);
  const [plain, marked] = [
    planted.filter(({ ask }) => ask !== undefined),
    planted.filter(({ ask }) => ask === undefined),
  ];
  const missing = (fact: Fact, inBody: typeof holds) =>
    !inBody(fact.answer, ...(fact.path === undefined ? [] : [fact.path]));
  const lost = plain.filter((fact) => missing(fact, holds));
  const unanswered = lost.filter((fact) => {
    return asking === undefined || fact.ask === undefined || missing(fact, finder(asking(length, fact.ask)));
  });
  const needed = session.facts.filter(({ neededAt }) => neededAt === length);
  return {
    needed: { asked: needed.length, lost: needed.filter((fact) => missing(fact, holds)) },
    tokens: encode(body).length,
    known: marked.length,
    lost: marked.filter((fact) => missing(fact, holds)),
    plain: {
      known: plain.length,
      lost: lost.length,
      unanswered,
      unnamed: unanswered.filter(({ path }) => path === undefined || !holds(path)).length,
    },
  };
}

/** Tells whether one message of a body holds all parts, as they are or inside an argument, which is JSON in JSON. */
function finder(body: string): (...parts: readonly string[]) => boolean {
  const { messages }: { messages: object[] } = JSON.parse(body);
  const texts = messages.map((message) => JSON.stringify(message));
  const escaped = (text: string) => JSON.stringify(text).slice(1, -1);
  return (...parts) => {
    const forms = [parts.map(escaped), parts.map((part) => escaped(escaped(part)))];
    return texts.some((text) => forms.some((form) => form.every((part) => text.includes(part))));
  };
}

export function judgeAll(session: Session, bodies: Iterable<string>, asking?: AskingBody): Request[] {
  const lengths = requestLengths(session);
  return [...bodies].map((body, index) => judge(session, body, lengths[index] ?? 0, asking));
}
