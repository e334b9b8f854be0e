import { holdsCall } from '../service/wire/leaked-markup.ts';
import { announcesStep } from './announced-step.ts';

const forms = {
  summary: /^(?:#{1,6} +\S|\*\*[^*\n]{2,60}\*\*|(?:[-*] +|\d{1,2}[.)] +)?[\p{L}][\p{L} /()]{1,40}[:：]\s*\S)/mu,
  // The first line is short, of one sentence and several words, and nobody speaks in it.
  message:
    /^(?=.*(?:\p{L}\P{L}+\p{L}|\p{Lo}{4}|\p{L}{5}(?:\n|$)))(?!(?:[^\s,.!，。！]{1,12}[,.!，。！]\s?){0,2}(?:I\b|[Ww]e\b|[Ii]ch\b|我))(?!.*[.!?] \p{Lu})[^\n]{0,120}[^\n?？](?:\n|$)/u,
  plan: /^[ \t]{0,12}(?:\d{1,2}[.)]|[-*+]|#{1,6}) +\S/m,
};

const isUnfinishedOrOfMachines = /[:：]$|^(?:data: ?)?[{[]|^<[!?\w][\s\S]*>$/;
const minEchoLength = 40;

/**
 * Returns whether a text can be what a request apart was for, by its form alone: not whether it is true. The request
 * had these `instructions`.
 */
export function isAnswerOf(kind: keyof typeof forms, written: string, instructions = ''): boolean {
  const text = written.trim();
  const echoes = (line: string) => line.length >= minEchoLength && instructions.includes(line);
  return (
    forms[kind].test(text) &&
    !isUnfinishedOrOfMachines.test(text) &&
    !holdsCall(text) &&
    !announcesStep(text) &&
    !text.split('\n').some(echoes)
  );
}
