import type { ChatRequest } from '../service/contract.ts';
import type { HistoryMessage } from '../shared/messages.ts';
import { sentTools, toolDefinitions } from './tool-definitions.ts';
import type { LoopDeps, TurnInput } from './turn.ts';

type RequestDeps = Pick<LoopDeps, 'tools' | 'systemPrompt' | 'economise'>;

interface Asked {
  /** System text first, nothing left out. */
  messages: readonly HistoryMessage[];
  tools: Pick<ChatRequest, 'tools'>;
  model: string;
}

/** The beginning of a turn; it stays the same while no other instructions come into force, so that a service can cache it. */
export function turnStart(
  deps: RequestDeps,
  history: readonly HistoryMessage[],
): { messages: HistoryMessage[]; tools: Pick<ChatRequest, 'tools'> } {
  return {
    messages: [{ role: 'system', text: deps.systemPrompt(history) }, ...history],
    tools: toolsNow(deps.tools),
  };
}

/** As they are sent with the next request. */
export function toolsNow(tools: RequestDeps['tools']): Pick<ChatRequest, 'tools'> {
  return tools.length > 0 ? { tools: toolDefinitions(sentTools(tools)) } : {};
}

/** The request of one step, and what the economy kept out of it, in estimated tokens. */
export function stepRequest(
  deps: Pick<RequestDeps, 'economise'>,
  settings: TurnInput['request'],
  { messages, tools, model }: Asked,
  room?: number,
): { request: ChatRequest; savedTokens: number } {
  const economised = deps.economise?.(messages, model, room);
  return {
    request: { ...settings, ...tools, model, messages: economised?.messages ?? [...messages] },
    savedTokens: economised?.saved.tokens ?? 0,
  };
}

/** Sends nothing. */
export function firstRequest(
  deps: RequestDeps,
  { history, model, request }: Pick<TurnInput, 'history' | 'model' | 'request'>,
): ChatRequest {
  return stepRequest(deps, request, { ...turnStart(deps, history), model }).request;
}
