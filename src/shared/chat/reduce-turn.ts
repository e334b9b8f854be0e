import type { ChatEvent } from '../events.ts';
import type { Asked } from '../interaction.ts';
import { appendText, changeAskedTool, changeTool, formTool, lastLines, replaceStep } from './answer-parts.ts';
import type { AnswerItem, ChatState, Part, RunningTurn } from './chat-state.ts';
import { addSent, requestRows } from './request-rows.ts';
import { withLaterRequest, withPaid } from './subagent-figures.ts';

type TurnEvent = Exclude<
  ChatEvent,
  | {
      type:
        | 'created'
        | 'titleChanged'
        | 'pinChanged'
        | 'budgetSet'
        | 'worktreeChanged'
        | 'toolsPicked'
        | 'forked'
        | 'rewound'
        | 'modelChanged'
        | 'userMessage'
        | 'turnStarted'
        | 'planUpdated'
        | 'compacted'
        | 'turnEnded';
    }
  | { turnId?: undefined }
>;

export function reduceTurn(state: ChatState, event: TurnEvent, now: number): ChatState {
  const running = nextPhase(state.running, event, now);
  const next = changeAnswer(state, event.turnId, (answer) =>
    changeParts(answer, event, now - (state.running?.since ?? now)),
  );
  return running === state.running ? next : { ...next, running };
}

export function changeAnswer(state: ChatState, turnId: string, change: (answer: AnswerItem) => AnswerItem): ChatState {
  const index = state.items.findLastIndex((item) => item.kind === 'answer' && item.turnId === turnId);
  const answer = state.items[index];
  if (answer?.kind !== 'answer') return state;
  const changed = change(answer);
  return changed === answer ? state : { ...state, items: state.items.with(index, changed) };
}

function nextPhase(running: RunningTurn | undefined, event: TurnEvent, now: number): RunningTurn | undefined {
  if (running?.turnId !== event.turnId) return running;
  const enter = (phase: RunningTurn['phase'], more: Partial<RunningTurn> = {}): RunningTurn =>
    running.phase === phase && Object.keys(more).length === 0
      ? running
      : { turnId: running.turnId, model: running.model, phase, since: now, ...more };
  if (running.phase === 'stopping') return running;
  switch (event.type) {
    case 'requestSent':
      return enter('sending', { model: event.model, since: event.at, sent: true });
    case 'asked': {
      const { id, kind, about } = event;
      return enter(
        kind,
        kind === 'cost' || kind === 'wait' ? { asked: { id, kind, about } as Asked<'cost' | 'wait'> } : {},
      );
    }
    case 'answered':
      return enter(event.kind === 'cost' || event.kind === 'wait' ? 'sending' : 'tool');
    case 'textDelta':
    case 'reasoningDelta':
    case 'toolForming':
    case 'responseStarted':
      return enter('streaming');
    case 'toolStarted':
      return enter('tool');
    case 'stopping':
      return enter('stopping');
    default:
      return running;
  }
}

/** `phaseMs` is how long the turn was in its phase: while it asks, the time is the user's. */
function changeParts(answer: AnswerItem, event: TurnEvent, phaseMs: number): AnswerItem {
  switch (event.type) {
    case 'textDelta':
      return { ...answer, parts: appendText(answer.parts, 'text', event.step, event.text) };
    case 'reasoningDelta':
      return { ...answer, parts: appendText(answer.parts, 'reasoning', event.step, event.text) };
    case 'toolForming':
      return { ...answer, parts: formTool(answer.parts, event) };
    case 'requestSent':
      return { ...answer, model: event.model };
    case 'stepPartial':
      return {
        ...answer,
        model: event.model,
        parts: replaceStep(answer.parts, event.step, event.text, event.reasoning),
      };
    case 'stepFinished': {
      const calls = event.toolCalls.map(
        (call): Part => ({
          type: 'tool',
          step: event.step,
          id: call.id,
          name: call.name,
          title: call.name,
          arguments: call.arguments,
          state: 'pending',
        }),
      );
      const { savedTokens = 0 } = event;
      return {
        ...answer,
        ...(event.attempts.length > 0 && { requests: [...(answer.requests ?? []), ...requestRows(event)] }),
        ...(event.sent &&
          event.usage &&
          event.attempts.some(({ charge }) => charge !== 'no') && {
            sent: addSent(answer.sent, event.sent, event.usage.promptTokens),
          }),
        ...(savedTokens > 0 ? { savedTokens: (answer.savedTokens ?? 0) + savedTokens } : {}),
        model: event.model,
        finish: event.finish,
        parts: [
          ...replaceStep(
            event.attempts.length > 0 ? withLaterRequest(answer.parts, event.step) : answer.parts,
            event.step,
            event.text,
            event.reasoning,
          ),
          ...calls,
        ],
      };
    }
    case 'subagentPaid':
      return {
        ...answer,
        ...(event.attempts.length > 0 && { requests: [...(answer.requests ?? []), ...requestRows(event)] }),
        parts: changeTool(answer.parts, event.callId, ({ sub }) => ({ sub: withPaid(sub, event) })),
      };
    case 'summaryDropped':
      return { ...answer, requests: [...(answer.requests ?? []), ...requestRows(event)] };
    case 'toolStarted':
      return {
        ...answer,
        parts: changeTool(answer.parts, event.callId, {
          ...{ state: 'running', title: event.title, startedAt: event.at },
          place: event.place,
        }),
      };
    case 'toolFinished':
      return {
        ...answer,
        parts: changeTool(answer.parts, event.callId, ({ sub }) => ({
          state: event.state,
          title: event.title,
          place: event.place,
          end: event.end,
          appeared: event.appeared,
          loaded: event.loaded,
          decided: event.decided,
          ...(sub && event.sub && { sub: { ...sub, saved: { ...event.sub, requests: 0 } } }),
          output: event.forUser ?? event.forModel,
          durationMs: event.durationMs,
          tail: undefined,
        })),
      };
    case 'notice':
      return { ...answer, parts: addNotice(answer.parts, { type: 'notice', step: event.step, notice: event.notice }) };
    case 'steered': {
      const { step, messages } = event;
      return { ...answer, parts: [...answer.parts, { type: 'steered', step, messages }] };
    }
    case 'checkpointTaken':
      return { ...answer, checkpoint: { id: event.checkpointId, paths: event.paths } };
    case 'asked':
    case 'answered':
      return { ...answer, parts: changeAskedTool(answer.parts, event, phaseMs) };
    case 'toolOutput': {
      const { text } = event;
      return {
        ...answer,
        parts: changeTool(answer.parts, event.callId, ({ tail = '' }) => ({ tail: lastLines(tail + text) })),
      };
    }
    default:
      return answer;
  }
}

function addNotice(parts: readonly Part[], part: Extract<Part, { type: 'notice' }>): readonly Part[] {
  const { step, notice } = part;
  if (notice.kind !== 'fallback' || notice.answered !== true) return [...parts, part];
  const asked = parts.findLastIndex(
    (each) =>
      each.type === 'notice' &&
      each.step === step &&
      each.notice.kind === 'fallback' &&
      each.notice.to === notice.to &&
      each.notice.from === notice.from,
  );
  return asked < 0 ? [...parts, part] : parts.with(asked, part);
}
