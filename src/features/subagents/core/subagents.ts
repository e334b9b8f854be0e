import { minMicroUsd, runSubagent, type SubagentDeps, savedBy } from '../../../agent/subagent.ts';
import { type CallPrice, ToolError } from '../../../agent/tool.ts';
import { toolDefinitions } from '../../../agent/tool-definitions.ts';
import { createSerial } from '../../../base/serial.ts';
import { untilAborted } from '../../../base/until-aborted.ts';
import type { CallableAgent } from '../../../customizations/asked-agents.ts';
import type { ChatRequest, ServiceClient } from '../../../service/contract.ts';
import { costMicroUsd } from '../../../shared/money.ts';
import type { Estimator } from '../../../spend/estimate.ts';
import type { AdmittedSubagent, SubagentArguments, SubagentPort } from '../../../tools/ask-subagent.ts';

export interface SubagentPurse {
  turnId: string;
  /** Makes a client that meters on a surface of its own and refuses what costs more than `maxMicroUsd` in all. */
  client(maxMicroUsd: number): Pick<ServiceClient, 'stream'>;
  /** Resolves with the micro-dollars that the limits leave the turn. */
  left(): Promise<number>;
}

export interface SubagentTurn extends SubagentPurse {
  message: string;
  model(): string;
  request: Omit<ChatRequest, 'model' | 'messages' | 'tools' | 'surface'>;
  sentTokens(): number;
  begins(agent: CallableAgent | undefined): Pick<SubagentDeps, 'tools' | 'systemPrompt' | 'economise'>;
}

export interface SubagentsDeps extends Pick<SubagentDeps, 'clock' | 'dialect' | 'log'> {
  agents(): readonly CallableAgent[];
  modelIds(): readonly string[];
  maxMicroUsd(): number;
  model(): string;
  /** Returns the price above which the user wants to be asked; undefined means never. */
  confirmAboveMicroUsd(): number | undefined;
  estimator: Estimator;
}

export interface Subagents extends SubagentPort {
  /** Registers the turn. The returned function ends the registration and must run when the turn ends. */
  begin(turnId: string, turn: SubagentTurn): () => void;
}

const atATime = 2;
export const maxInATurn = 6;
const nextAdds = 4000;
/** Expects that a subagent costs one cent until one has answered. */
const expects = { of: 'subagent-run', tokens: 30_303 };

/**
 * Runs the subagents of all turns of a window: at most two of a turn at a time and six in all, each within what the
 * limits leave.
 */
export function createSubagents(deps: SubagentsDeps): Subagents {
  const turns = new Map<string, { turn: SubagentTurn; slots: ReturnType<typeof createSlots> }>();
  return {
    begin(turnId, turn) {
      turns.set(turnId, { turn, slots: createSlots(() => roomOf(turn)) });
      return () => turns.delete(turnId);
    },
    messageOf: (turnId) => turns.get(turnId)?.turn.message,
    price: () => priceWithin(deps, deps.model(), deps.maxMicroUsd()),
    async admit(args, { turnId, signal }) {
      const open = turns.get(turnId);
      if (open === undefined) throw new ToolError('No subagent can be asked here. Look yourself.');
      const { turn, slots } = open;
      const agent = agentOf(deps, args);
      const model = modelOf(deps, args, agent) ?? turn.model();
      const start = turn.begins(agent);
      if (start.tools.length === 0)
        throw new ToolError('There is nothing that a subagent could look at. Go on without it.');
      const min = minMicroUsd(briefTokens(deps, start, args.task, model));
      const slot = await slots.take({ min, max: deps.maxMicroUsd() }, signal);
      return slot && admitted(deps, turn, { args, model, start, slot });
    },
  };
}

interface Admitted {
  args: SubagentArguments;
  model: string;
  start: ReturnType<SubagentTurn['begins']>;
  slot: Slot;
}

function admitted(deps: SubagentsDeps, turn: SubagentTurn, { args, model, start, slot }: Admitted): AdmittedSubagent {
  const { estimator, clock, dialect, log } = deps;
  const maxMicroUsd = Math.floor(slot.maxMicroUsd);
  const confirmAbove = deps.confirmAboveMicroUsd();
  // As the call was made: while it runs, the turn sends nothing.
  const historyTokens = turn.sentTokens();
  return {
    price: priceWithin(deps, model, maxMicroUsd),
    asksFirst: confirmAbove !== undefined && maxMicroUsd > confirmAbove,
    async run(ask) {
      const { task } = args;
      let tokens = 0;
      const result = await runSubagent(
        {
          ...start,
          client: turn.client(maxMicroUsd),
          estimate: (request) => estimator.prompt(request).tokens,
          clock,
          log,
          dialect,
        },
        {
          ...ask,
          ...{ task, model, maxMicroUsd, request: turn.request, turnId: turn.turnId },
          onPaid(attempt) {
            const paidTokens = attempt.charge === 'no' ? 0 : (attempt.usage?.totalTokens ?? 0);
            tokens += paidTokens;
            slot.paid(costMicroUsd(paidTokens));
            ask.onPaid(attempt);
          },
        },
      );
      // One that was stopped or failed does not say what an answer costs.
      if (result.outcome === 'finished') estimator.learnReply({ model, expects }, tokens);
      return { result, saved: savedBy(result, historyTokens) };
    },
    end: slot.end,
  };
}

function priceWithin({ estimator }: SubagentsDeps, model: string, maxMicroUsd: number): CallPrice {
  return { estimatedMicroUsd: Math.min(costMicroUsd(estimator.usual(model, expects)), maxMicroUsd), maxMicroUsd };
}

function briefTokens(
  { estimator }: SubagentsDeps,
  { tools, systemPrompt }: Admitted['start'],
  task: string,
  model: string,
): number {
  const messages: ChatRequest['messages'] = [
    { role: 'system', text: systemPrompt([]) },
    { role: 'user', text: task },
  ];
  return estimator.prompt({ model, messages, tools: toolDefinitions(tools) }).tokens;
}

function agentOf({ agents }: SubagentsDeps, { agent: wanted }: SubagentArguments): CallableAgent | undefined {
  if (wanted === undefined) return undefined;
  const found = agents().find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (found) return found;
  throw new ToolError(`There is no agent ${named([wanted])} to ask. ${listed(agents().map(({ name }) => name))}`);
}

function modelOf(
  { modelIds }: SubagentsDeps,
  { model: wanted }: SubagentArguments,
  agent: CallableAgent | undefined,
): string | undefined {
  const ids = modelIds();
  const find = (name: string) => {
    const meant = name.toLowerCase();
    return ids.find((id) => id.toLowerCase() === meant || id.toLowerCase().endsWith(`/${meant}`));
  };
  if (wanted === undefined) return agent?.models.map(find).find(Boolean);
  const found = find(wanted);
  if (found) return found;
  throw new ToolError(`There is no model ${named([wanted])}. ${listed(ids)}`);
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'Leave it out.' : `Leave it out, or name one of these: ${named(names)}.`;
}

const maxNamed = 20;

function named(names: readonly string[]): string {
  return names
    .slice(0, maxNamed)
    .map((name) => name.slice(0, 60).toWellFormed())
    .join(', ');
}

/** Reserves the turn's own next request, without which everything that the subagents found is useless. */
async function roomOf(turn: SubagentTurn): Promise<number> {
  return (await turn.left()) - costMicroUsd(turn.sentTokens() + nextAdds);
}

interface Slot {
  maxMicroUsd: number;
  paid(microUsd: number): void;
  end(): void;
}

/**
 * Grants room to one subagent after the other. One that would get too little waits for those before it, which may need
 * less than they were granted.
 */
function createSlots(room: () => Promise<number>) {
  const oneByOne = createSerial();
  const running = new Set<{ maxMicroUsd: number; paidMicroUsd: number }>();
  let asked = 0;
  let ended = Promise.withResolvers<void>();

  const grant = async ({ min, max }: { min: number; max: number }): Promise<Slot | 'wait' | 'none'> => {
    if (running.size >= atATime) return 'wait';
    // What those that run have paid is off the room already.
    const promised = [...running].reduce((sum, one) => sum + Math.max(0, one.maxMicroUsd - one.paidMicroUsd), 0);
    const maxMicroUsd = Math.min(max, (await room()) - promised);
    if (maxMicroUsd < min) return running.size > 0 && max >= min ? 'wait' : 'none';
    const one = { maxMicroUsd, paidMicroUsd: 0 };
    running.add(one);
    return {
      maxMicroUsd,
      paid(microUsd) {
        one.paidMicroUsd += microUsd;
      },
      end() {
        running.delete(one);
        ended.resolve();
        ended = Promise.withResolvers();
      },
    };
  };

  return {
    async take(wanted: { min: number; max: number }, signal: AbortSignal): Promise<Slot | undefined> {
      asked += 1;
      if (asked > maxInATurn) {
        throw new ToolError(`Not asked: ${maxInATurn} subagents were asked for this answer. Look yourself.`);
      }
      for (;;) {
        const next = ended.promise;
        const slot = await oneByOne(() => grant(wanted));
        if (typeof slot !== 'string') {
          if (!signal.aborted) return slot;
          slot.end();
          return undefined;
        }
        if (slot === 'none') {
          throw new ToolError('Not asked: the spend limits leave too little for a subagent. Go on without it.');
        }
        await untilAborted(next, signal);
        if (signal.aborted) return undefined;
      }
    },
  };
}
