import { parseJson } from '../../base/parse-json.ts';
import { type AnswerItem, answerOf, type ChatState, type Part, type ToolPart } from '../../shared/chat/chat-state.ts';
import type { ChatEvent } from '../../shared/events.ts';
import { toolSpecs } from '../../tools/all-tools.ts';
import { type Deed, type TurnRecord, turnFactsOf } from './turn-facts.ts';

/**
 * Returns the notice with the facts of a finished turn; undefined when there are none. It is free, and the model
 * never gets it.
 */
export function turnFactsNotice(
  state: ChatState,
  turnId: string,
  canEdit: boolean,
): Extract<ChatEvent, { type: 'notice' }> | undefined {
  const answer = answerOf(state, turnId);
  const turnFacts = answer && turnFactsOf(recordOf(answer, canEdit));
  if (answer === undefined || turnFacts === undefined) return undefined;
  return { type: 'notice', turnId, step: answer.parts.at(-1)?.step ?? 1, notice: { kind: 'ending', ...turnFacts } };
}

function recordOf({ parts, checkpoint }: AnswerItem, canEdit: boolean): TurnRecord {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return {
    deeds: parts.flatMap(deedsOf),
    changed: checkpoint?.paths ?? [],
    said: texts.join('\n'),
    answer: texts.at(-1) ?? '',
    canEdit,
  };
}

const specs = new Map(toolSpecs.map((spec) => [spec.name, spec]));

function deedsOf(part: Part): Deed[] {
  if (part.type !== 'tool' || part.startedAt === undefined) return [];
  const spec = specs.get(part.name);
  if (spec?.kind === 'edit') {
    if (part.state !== 'done' && part.state !== 'failed') return [];
    return [{ kind: 'edit', path: argumentOf(part, 'path'), failed: part.state === 'failed' }];
  }
  if (spec?.kind === 'command') return [commandOf(part)];
  const looks = spec !== undefined && spec.access !== 'write' && spec.access !== 'execute';
  return looks ? [] : [{ kind: 'unknown' }];
}

function commandOf(part: ToolPart): Deed {
  const watched = part.place !== undefined && part.place !== 'outside';
  return { kind: 'command', line: argumentOf(part, 'command'), end: part.end ?? {}, watched };
}

function argumentOf(part: ToolPart, name: string): string {
  const args = parseJson(part.arguments);
  const value = typeof args === 'object' && args !== null ? (args as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' ? value : '';
}
