import { decodeArguments } from '../../../agent/parse-arguments.ts';
import { isoTime } from '../../../base/iso-time.ts';
import type { ChatRequest, Reply, ServiceClient, StreamResult } from '../../../service/contract.ts';
import type { Notice } from '../../../shared/events.ts';
import type { Failure } from '../../../shared/failure/failure.ts';
import type { FailureKind } from '../../../shared/failure/kinds.ts';
import type { HistoryMessage, Usage } from '../../../shared/messages.ts';
import type { NativeTools } from './native-history.ts';

export interface NativeAnswerDeps {
  client: Pick<ServiceClient, 'stream'>;
  newCallId(): string;
  epochMs(): number;
  onNotice(notice: Notice): void;
}

export interface NativeRequest {
  model: string;
  messages: readonly HistoryMessage[];
  tools: NativeTools;
  /** VS Code requires a call. Support of `tool_choice` is not confirmed, so the request asks for a call in words. */
  mustCall: boolean;
  request: Pick<ChatRequest, 'maxTokens' | 'temperature' | 'topP' | 'seed' | 'stop'>;
}

export type NativeOutput =
  | { kind: 'text'; text: string }
  | { kind: 'call'; callId: string; name: string; input: object }
  | { kind: 'usage'; usage: Usage };

/**
 * Sends one request of VS Code's chat. Text is emitted as it comes, calls when the reply is known to be whole, and
 * then the usage. Resolves with the failure when there was one; what was shown before stays. Never rejects.
 */
export async function answerNative(
  deps: NativeAnswerDeps,
  { model, messages, tools, mustCall, request }: NativeRequest,
  emit: (output: NativeOutput) => void,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const asked: readonly HistoryMessage[] = mustCall ? [{ role: 'system', text: callNote }, ...messages] : messages;
  const result = await deps.client.stream(
    {
      ...request,
      model,
      messages: asked,
      ...(tools.definitions.length > 0 && { tools: tools.definitions }),
      surface: 'native-chat',
    },
    (event) => {
      if (signal.aborted) return;
      if (event.type === 'text') emit({ kind: 'text', text: event.text });
      if (event.type === 'notice') deps.onNotice(event.notice);
    },
    signal,
  );
  if (result.outcome === 'stopped' || signal.aborted) return undefined;
  const failure = failureOf(deps, result);
  if (failure !== undefined) return failure;
  const calls = result.reply.toolCalls.map((call) => ({ name: call.name, decoded: decodeArguments(call.arguments) }));
  if (calls.some(({ decoded }) => !decoded.ok)) return makeFailure(deps, result.reply, 'malformed-tool-calls');
  for (const { name, decoded } of calls) {
    if (decoded.ok) {
      emit({ kind: 'call', callId: deps.newCallId(), name: tools.ownName(name), input: decoded.value });
    }
  }
  if (result.reply.usage !== undefined) emit({ kind: 'usage', usage: result.reply.usage });
  return undefined;
}

const callNote = 'Answer with a tool call, not with text.';

function failureOf(deps: NativeAnswerDeps, result: StreamResult): Failure | undefined {
  if (result.outcome === 'failed') return result.failure;
  const { reply } = result;
  const kind = problemOf(reply);
  return kind === undefined ? undefined : makeFailure(deps, reply, kind);
}

/** Explains why a reply without an error cannot serve as an answer. A text that reached its length limit can. */
function problemOf(reply: Reply): FailureKind | undefined {
  const hasCalls = reply.toolCalls.length > 0;
  if (reply.evidence === 'none') return 'cut-off';
  if (reply.finish === 'content-filter') return 'content-filter';
  if (hasCalls && (reply.finish === 'length' || reply.finish === 'error')) return 'cut-off';
  if (hasCalls && reply.damagedEvents > 0) return 'protocol';
  if (!hasCalls && reply.toolMarkup) return 'malformed-tool-calls';
  return !hasCalls && reply.text.trim() === '' && reply.finish !== 'length' ? 'empty-reply' : undefined;
}

function makeFailure(deps: NativeAnswerDeps, { model }: Reply, kind: FailureKind): Failure {
  return {
    kind,
    message: `The reply to VS Code's chat cannot stand: ${kind}`,
    model,
    endpoint: 'POST /chat/completions',
    at: isoTime(deps.epochMs()),
  };
}
