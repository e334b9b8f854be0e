import type { HistoryMessage } from '../../../src/shared/messages.ts';
import { createRandom } from '../seeded-random.ts';
import type { Session } from './session.ts';

const steps = 450;
const files = 40;
/** Of the uses of something read before, in steps: as often near and far as in the recordings that the policy was tuned on. */
const ages = [1, 2, 3, 4, 5, 6, 8, 10, 14, 18, 24, 34, 55];

/**
 * A long session in an invented language, so that no word of it can be known to a rule: files are read, lines of them
 * are changed some steps later, patterns from them are searched, commands print what fails.
 */
export function generatedSession(seed: number): Session {
  const random = createRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const pick = <T>(some: readonly T[]): T => some[below(some.length)] as T;
  const syllable = () => pick([...'bdfgklmnprstvz']) + pick([...'aeiou']);
  const word = () => Array.from({ length: 2 + below(2) }, syllable).join('');
  const name = () => `${word()}_${word()}${below(90)}`;
  const line = () => `${'  '.repeat(below(3))}${name()} <- ${word()} ${name()} (${below(900)})`;
  const texts = Array.from({ length: files }, () => ({
    path: `${word()}/${word()}.${word().slice(0, 2)}`,
    lines: Array.from({ length: 60 + below(240) }, line),
  }));
  const messages: HistoryMessage[] = [];
  const seen: string[][] = [];
  let made = 0;
  const step = (tool: string, args: object, text: string, lines: string[] = []) => {
    const id = `g${++made}`;
    const said = below(3) === 0 ? `${word()} ${word()} ${name()} ${word()}.` : '';
    const call = { id, name: tool, arguments: JSON.stringify(args) };
    messages.push({ role: 'assistant', text: said, model: '', toolCalls: [call] });
    messages.push({ role: 'tool', callId: id, name: tool, text });
    seen.push(lines);
  };
  const earlier = () => seen.at(-pick(ages)) ?? [];
  for (let count = 0; count < steps; count++) {
    if (count % 45 === 0) messages.push({ role: 'user', text: Array.from({ length: 30 }, word).join(' ') });
    const { path, lines } = pick(texts);
    const known = earlier();
    const used = known.length === 0 ? undefined : pick(known);
    const turn = below(10);
    if (turn < 4 || used === undefined) step('read_file', { path }, `${path}\n${lines.join('\n')}`, lines);
    else if (turn < 7) {
      const replace = [used, line(), line()].join('\n');
      step('edit_file', { path, edits: [{ search: used, replace }] }, `${path} ${word()}`, replace.split('\n'));
    } else if (turn < 8) {
      const found = Array.from({ length: below(40) }, () => `${pick(texts).path}:${below(300)}: ${line()}`);
      step('search_text', { query: used.trim().split(' ')[0] }, found.join('\n'), []);
    } else step('run_command', { command: `${word()} ${path}` }, Array.from({ length: below(80) }, line).join('\n'));
  }
  return { name: `generated ${seed}`, messages };
}
