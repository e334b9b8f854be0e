import type { ChatRequest } from '../service/contract.ts';
import type { HistoryMessage } from '../shared/messages.ts';
import { sentTools, toolDefinitions } from './tool-definitions.ts';
import type { LoopDeps, TurnInput } from './turn.ts';

type RequestDeps = Pick<LoopDeps, 'tools' | 'systemPrompt' | 'economise'>;

interface Asked {
  messages: readonly HistoryMessage[];
  tools: Pick<ChatRequest, 'tools'>;
  model: string;
}

/**
 * Makes the system text and the tools of a turn's requests. They stay the same while no other instructions come into
 * force, so that a service can cache them.
 */
export function turnStart(
  deps: RequestDeps,
  history: readonly HistoryMessage[],
): { messages: HistoryMessage[]; tools: Pick<ChatRequest, 'tools'> } {
  return {
    messages: [{ role: 'system', text: deps.systemPrompt(history) }, ...history],
    tools: toolsNow(deps.tools),
  };
}

export function toolsNow(tools: RequestDeps['tools']): Pick<ChatRequest, 'tools'> {
  return tools.length > 0 ? { tools: toolDefinitions(sentTools(tools)) } : {};
}

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

export function firstRequest(
  deps: RequestDeps,
  { history, model, request }: Pick<TurnInput, 'history' | 'model' | 'request'>,
): ChatRequest {
  return stepRequest(deps, request, { ...turnStart(deps, history), model }).request;
}
