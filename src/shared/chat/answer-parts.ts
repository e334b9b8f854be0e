import type { ChatEvent } from '../events.ts';
import type { Part, ToolPart } from './chat-state.ts';

export const maxTailLines = 200;
const maxTailChars = 64 * 1024;

export function lastLines(text: string): string {
  const end = text.endsWith('\n') ? 1 : 0;
  const lines = text.split('\n');
  const kept = lines.length - end > maxTailLines ? lines.slice(-maxTailLines - end).join('\n') : text;
  return kept.length <= maxTailChars ? kept : kept.slice(-maxTailChars).toWellFormed();
}

export function appendText(
  parts: readonly Part[],
  type: 'text' | 'reasoning',
  step: number,
  text: string,
): readonly Part[] {
  const last = parts.at(-1);
  if (last?.type === type && last.step === step) return parts.with(-1, { ...last, text: last.text + text });
  return [...parts, { type, step, text }];
}

export function formTool(parts: readonly Part[], event: Extract<ChatEvent, { type: 'toolForming' }>): readonly Part[] {
  const index = parts.findLastIndex(
    (part) => part.type === 'tool' && part.step === event.step && part.id === event.key && part.state === 'forming',
  );
  const part = parts[index];
  if (part?.type === 'tool') {
    return parts.with(index, {
      ...part,
      name: event.name || part.name,
      title: event.name || part.title,
      arguments: part.arguments + event.argumentsDelta,
    });
  }
  return [
    ...parts,
    {
      type: 'tool',
      step: event.step,
      id: event.key,
      name: event.name,
      title: event.name,
      arguments: event.argumentsDelta,
      state: 'forming',
    },
  ];
}

/**
 * Replaces what was streamed by the final text. The notices of the step, and what the user said after it, stay where
 * they were.
 */
export function replaceStep(parts: readonly Part[], step: number, text: string, reasoning: string): readonly Part[] {
  const others = parts.filter((part) => part.step !== step || part.type === 'notice' || part.type === 'steered');
  const added: Part[] = [];
  if (reasoning !== '') added.push({ type: 'reasoning', step, text: reasoning });
  if (text !== '') added.push({ type: 'text', step, text });
  return [...others, ...added];
}

export function changeTool(
  parts: readonly Part[],
  callId: string,
  change: Partial<ToolPart> | ((part: ToolPart) => Partial<ToolPart>),
): readonly Part[] {
  const index = parts.findLastIndex((part) => part.type === 'tool' && part.id === callId);
  const part = parts[index];
  if (part?.type !== 'tool') return parts;
  return parts.with(index, { ...part, ...(typeof change === 'function' ? change(part) : change) });
}

export function closeOpenTools(parts: readonly Part[]): readonly Part[] {
  return parts
    .filter((part) => !(part.type === 'tool' && part.state === 'forming'))
    .map((part) =>
      part.type === 'tool' && (part.state === 'pending' || part.state === 'approval' || part.state === 'running')
        ? { ...part, state: 'cancelled' as const, tail: undefined }
        : part,
    );
}

type AskEvent = Extract<ChatEvent, { type: 'asked' | 'answered'; turnId: string }>;

export function changeAskedTool(parts: readonly Part[], event: AskEvent, askedMs: number): readonly Part[] {
  if (event.type === 'asked') {
    if (event.kind === 'approval') {
      const { about } = event;
      return changeTool(parts, event.id, { state: 'approval', title: about.title, approval: { request: about } });
    }
    return event.kind === 'question' ? changeTool(parts, event.id, { question: { question: event.about } }) : parts;
  }
  if (event.kind === 'approval') {
    return changeTool(parts, event.id, ({ approval }) =>
      approval === undefined ? {} : { state: 'pending', approval: { ...approval, answer: event.value } },
    );
  }
  if (event.kind !== 'question') return parts;
  return changeTool(parts, event.id, ({ question, startedAt }) =>
    question === undefined
      ? {}
      : {
          question: { ...question, answer: event.value },
          ...(startedAt !== undefined && { startedAt: startedAt + askedMs }),
        },
  );
}
