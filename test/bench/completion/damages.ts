import { between, pick, type Random } from '../edits/case.ts';
import type { CutPlace } from './places.ts';

/** What a model makes of the text that it was asked for; undefined where it does not apply. */
type Damage = (random: Random, text: string, place: CutPlace) => string | undefined;

const lineOf = ({ before }: CutPlace): string => before.slice(before.lastIndexOf('\n') + 1);
const restOf = ({ after }: CutPlace): string => after.split('\n', 1)[0] ?? '';
const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? '';

function linesAbove({ before }: CutPlace, count: number): string[] {
  return before.split('\n').slice(0, -1).slice(-count);
}

function linesBelow({ after }: CutPlace, count: number): string[] {
  return after.split('\n').slice(1, count + 1);
}

/** Damages of the text itself, of which one or none happens, and then of how it is wrapped. */
const textDamages: Record<string, Damage> = {
  none: (_random, text) => text,
  'the line up to the caret again': (_random, text, place) =>
    lineOf(place).trim() === '' ? undefined : lineOf(place) + text,
  'the line up to the caret without its indentation': (_random, text, place) =>
    lineOf(place).trim() === '' ? undefined : lineOf(place).trimStart() + text,
  'the word at the caret again'(_random, text, place) {
    const word = /[\p{L}\p{N}_$]+$/u.exec(lineOf(place))?.[0];
    return word === undefined ? undefined : word + text;
  },
  'the indentation again': (_random, text, place) =>
    lineOf(place) !== '' && lineOf(place).trim() === '' ? lineOf(place) + text : undefined,
  'lines above again'(random, text, place) {
    const lines = linesAbove(place, between(random, 1, 3));
    return lines.length === 0 ? undefined : [...lines, lineOf(place) + text].join('\n');
  },
  'the rest of the line again': (_random, text, place) =>
    restOf(place).trim() === '' ? undefined : text + restOf(place),
  'lines below again'(random, text, place) {
    const lines = linesBelow(place, between(random, 1, 3));
    return lines.every((line) => line.trim() === '') ? undefined : [text + restOf(place), ...lines].join('\n');
  },
  'a bracket that is closed already'(_random, text, place) {
    const bracket = /^[)\]}]/.exec(restOf(place))?.[0];
    return bracket === undefined ? undefined : text + bracket;
  },
  'the lines around again': (_random, text, place) =>
    [...linesAbove(place, 1), lineOf(place) + text + restOf(place), ...linesBelow(place, 1)].join('\n'),
  'no indentation at all in front'(_random, text, place) {
    const base = indentOf(lineOf(place));
    if (base === '' || !text.includes('\n')) return undefined;
    const [first = '', ...rest] = text.split('\n');
    if (rest.some((line) => line.trim() !== '' && !line.startsWith(base))) return undefined;
    return [first, ...rest.map((line) => line.slice(base.length))].join('\n');
  },
  'four blanks for a tab': (_random, text) =>
    /^\t/m.test(text) ? text.replace(/^\t+/gm, (tabs) => ' '.repeat(4 * tabs.length)) : undefined,
  'the mark left': (random, text) => (between(random, 0, 1) === 0 ? `⟦here⟧${text}` : `${text}⟦here⟧`),
  'the line and the mark': (_random, text, place) =>
    lineOf(place).trim() === '' ? undefined : `${lineOf(place)}⟦here⟧${text}`,
  'no line break in front': (_random, text) => (text.startsWith('\n') ? text.slice(1) : undefined),
  'blanks at the ends of lines': (_random, text) => text.replace(/$/gm, '  '),
};

const wrappings: Record<string, (random: Random, text: string, language: string) => string> = {
  'a fence': (_random, text, language) => `\`\`\`${language}\n${text}\n\`\`\``,
  'a fence without a language': (_random, text) => `\`\`\`\n${text}\n\`\`\``,
  'words and a fence': (random, text, language) => `${pick(random, openings)}\n\n\`\`\`${language}\n${text}\n\`\`\``,
  'a fence and words': (random, text, language) => `\`\`\`${language}\n${text}\n\`\`\`\n\n${pick(random, closings)}`,
  'a fence that never closes': (_random, text, language) => `\`\`\`${language}\n${text}\n`,
  'ends of Windows': (_random, text, language) => `\`\`\`${language}\n${text}\n\`\`\``.replaceAll('\n', '\r\n'),
  'empty lines in a fence': (_random, text) => `\`\`\`\n${text}\n\n\`\`\`\n`,
  'bare text': (_random, text) => text,
};

const openings = [
  'Here is the completion:',
  "Here's the code that goes at the mark:",
  'Sure! The missing part is:',
  'The text for the mark is',
];
const closings = [
  'This completes the statement and keeps the style of the file.',
  'I kept the indentation of the surrounding code.',
  'Let me know if you need anything else!',
];

export interface DamagedAnswer {
  place: CutPlace;
  damage: string;
  answer: string;
}

/** Each place with one damage of its text and one way to wrap it. */
export function damaged(random: Random, places: readonly CutPlace[]): DamagedAnswer[] {
  const damages = Object.entries(textDamages);
  return places.map((place) => {
    const possible = damages.flatMap(([name, damage]) => {
      const text = damage(random, place.original, place);
      return text === undefined ? [] : [{ name, text }];
    });
    const { name, text } = pick(random, possible);
    const [wrapping, wrap] = pick(random, Object.entries(wrappings));
    return { place, damage: `${name}, ${wrapping}`, answer: wrap(random, text, place.languageId) };
  });
}

/** Answers that complete nothing, whatever the place is. */
export const refusals: Record<string, Damage> = {
  'only words': (random, _text, place) =>
    pick(random, [
      `The code at the mark should finish what ${place.kind} begins.`,
      "I'm sorry, but I can't see what belongs there without more of the file.",
      'You can complete this line with a call of the function above.',
    ]),
  nothing: () => '',
  'an empty fence': () => '```\n\n```',
  'code left out': (_random, text, place) =>
    `\`\`\`\n${text}\n// ... existing code ...\n${linesBelow(place, 3).join('\n')}\n\`\`\``,
  'the whole file'(_random, text, place) {
    const around = [...linesAbove(place, 40), ...linesBelow(place, 20)];
    const telling = around.filter((line) => line.trim().length >= 12 && /\p{L}{3}/u.test(line));
    if (telling.length < 12) return undefined;
    return `\`\`\`\n${[...linesAbove(place, 40), lineOf(place) + text + restOf(place), ...linesBelow(place, 20)].join('\n')}\n\`\`\``;
  },
  'two blocks': (_random, text) => `Either\n\`\`\`\n${text}\n\`\`\`\nor\n\`\`\`\nnull\n\`\`\`\n`,
};
