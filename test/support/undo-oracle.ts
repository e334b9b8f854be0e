import fc from 'fast-check';
import { type EditOrigin, ofConversation } from '../../src/review/edit-origin.ts';
import { type DocumentChange, lineChangesOf } from '../../src/review/line-change.ts';
import { fromStored, toStored } from '../../src/review/stored-text.ts';
import { createTextHistory } from '../../src/review/text-history.ts';
import {
  currentText,
  hunksOf,
  linesOf,
  settledText,
  toLines,
  type UndecidedText,
  withKept,
  withTyped,
  withTypedText,
  withUndone,
  withWritten,
} from '../../src/review/undecided-text.ts';

/**
 * An oracle that knows nothing of hunks: it plays the same session several times over, each time without the edits of some
 * of the conversations. Every line has a name of its own, so that a line can be found in all of these texts; what a session
 * does to a line that a text does not have, or between two lines that are not neighbours there, cannot be told for that text.
 */

/** Who writes; the user is always part of a text. */
const writers = ['a', 'b'] as const;
type Conversation = (typeof writers)[number];
/** Without the edits of these. */
const omissions: readonly (readonly Conversation[])[] = [[], ['a'], ['b'], ['a', 'b']];
const nameOf = (omitted: readonly Conversation[]) => omitted.join('+') || 'none';

/** What the user would have; undefined once that cannot be told. */
type Worlds = Record<string, readonly string[] | undefined>;

export type Action =
  | { kind: 'write'; by: Conversation; at: number; count: number; lines: number }
  | { kind: 'insert'; at: number; lines: number; side: 'above' | 'below' | 'unknown' }
  | { kind: 'delete'; at: number; count: number }
  | { kind: 'change'; at: number; count: number; lines: number }
  | { kind: 'split'; at: number }
  | { kind: 'join'; at: number }
  | { kind: 'editorUndo' | 'editorRedo' | 'reload' | 'save' }
  | { kind: 'keep' | 'undo'; by: Conversation };

const place = fc.nat({ max: 12 });
const few = fc.nat({ max: 3 });
export const actions: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('write' as const),
        by: fc.constantFrom(...writers),
        at: place,
        count: few,
        lines: few,
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('insert' as const),
        at: place,
        lines: fc.integer({ min: 1, max: 2 }),
        side: fc.constantFrom('above' as const, 'below' as const, 'unknown' as const),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('delete' as const), at: place, count: fc.integer({ min: 1, max: 3 }) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('change' as const),
        at: place,
        count: fc.integer({ min: 1, max: 3 }),
        lines: fc.integer({ min: 1, max: 3 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('split' as const), at: place }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('join' as const), at: place }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom('editorUndo' as const, 'editorRedo' as const, 'reload' as const, 'save' as const),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constantFrom('keep' as const, 'undo' as const),
        by: fc.constantFrom(...writers),
      }),
    },
  ),
  { maxLength: 14 },
);

interface State {
  real: readonly string[];
  worlds: Worlds;
}

/** How often Undo was asked for, and how often it refused what the oracle can tell. */
export interface Tally {
  asked: number;
  refused: number;
}

/** What is judged: one text, changed by the model, the user and programs. Each step resolves once its effect is there. */
export interface Subject {
  text(): UndecidedText;
  write(next: string, by: EditOrigin): Promise<void>;
  type(change: DocumentChange, next: string): Promise<void>;
  /** Another program writes the file. */
  load(next: string): Promise<void>;
  /** The editor's own, back or forth to a text that was there before. */
  step(direction: 'undo' | 'redo', next: string): Promise<void>;
  save(): Promise<void>;
  reload(): Promise<void>;
  keep(conversationId: string): Promise<void>;
  undo(conversationId: string): Promise<void>;
}

export const firstText = Array.from({ length: 5 }, (_, at) => `base${at}<base${at}>`).join('\n');

/** The text alone, without an editor. */
export function createTextSubject(): Subject {
  let text = settledText(firstText);
  const history = createTextHistory(text);
  const set = (next: UndecidedText) => {
    text = next;
    history.add(text);
  };
  return {
    text: () => text,
    write: async (next, by) => set(withWritten(text, next, by)),
    type: async (change) => set(withTyped(text, lineChangesOf(linesOf(text), [change]))),
    load: async (next) => set(withTypedText(text, next)),
    async step(direction, next) {
      const found = history.go(direction, toLines(next));
      if (found === undefined) throw new Error(`the editor’s ${direction} leads to a text that is not known any more`);
      text = found;
    },
    save: async () => undefined,
    async reload() {
      text = fromStored(JSON.parse(JSON.stringify(toStored(text))));
      history.reset(text);
    },
    async keep(conversationId) {
      text = withKept(text, { of: ofConversation(conversationId) });
      history.reset(text);
    },
    undo: async (conversationId) => set(withUndone(text, { of: ofConversation(conversationId) }).text),
  };
}

/**
 * Plays the actions with the subject and in the oracle; rejects where they differ. Where two conversations wrote, Undo may
 * refuse more than it has to, which `tally` counts; where one did, it may not.
 */
export async function play(all: readonly Action[], subject: Subject, tally: Tally): Promise<void> {
  const isStrict = new Set(all.flatMap((action) => (action.kind === 'write' ? [action.by] : []))).size < 2;
  const checkUndo = createCheckUndo(isStrict, tally);
  const first = firstText.split('\n');
  let state: State = { real: first, worlds: Object.fromEntries(omissions.map((omitted) => [nameOf(omitted), first])) };
  const past: State[] = [];
  const future: State[] = [];
  let named = 0;
  const fresh = (prefix: string, count: number) =>
    Array.from({ length: count }, () => {
      const name = `${prefix}${named++}`;
      return `${name}<${name}>`;
    });
  const step = (next: State) => {
    past.push(state);
    future.length = 0;
    state = next;
  };
  const forget = () => {
    past.length = 0;
    future.length = 0;
  };
  const userChange = async (change: Replacement) => {
    const next = replaced(state, change, 'user');
    if (same(next.real, state.real)) return;
    const text = next.real.join('\n');
    if (change.side === 'unknown' && state.real.length > 0) await subject.load(text);
    else await subject.type(documentChange(state.real, change), text);
    step(next);
  };
  const checkEnd = () => {
    const text = subject.text();
    for (const omitted of omissions) if (omitted.length > 0) checkUndo(text, state, omitted);
    expectLines('everything kept', linesOf(withKept(text)), state.real);
    if (hunksOf(withKept(text)).length > 0) throw new Error('what was kept is undecided');
  };
  for (const action of all) {
    const size = state.real.length;
    const at = 'at' in action ? Math.min(action.at, size) : 0;
    switch (action.kind) {
      case 'write': {
        const change: Replacement = {
          at,
          count: Math.min(action.count, size - at),
          lines: fresh(action.by, action.lines),
          side: 'unknown',
        };
        const next = replaced(state, change, action.by);
        if (same(next.real, state.real)) break;
        await subject.write(next.real.join('\n'), originOf(action.by, named));
        step(next);
        break;
      }
      case 'insert':
        await userChange({ at, count: 0, lines: fresh('user', action.lines), side: sideAt(action.side, at, size) });
        break;
      case 'delete':
        await userChange({ at, count: Math.min(action.count, size - at), lines: [], side: 'above' });
        break;
      case 'change': {
        const count = Math.min(action.count, size - at);
        if (count > 0) await userChange({ at, count, lines: fresh('user', action.lines), side: 'above' });
        break;
      }
      case 'split': {
        const line = state.real[at] ?? '';
        const cut = line.indexOf('<') + 1;
        if (cut > 0 && cut < line.length) {
          await userChange({ at, count: 1, lines: [line.slice(0, cut), line.slice(cut)], side: 'above' });
        }
        break;
      }
      case 'join':
        if (at + 1 < size) {
          await userChange({
            at,
            count: 2,
            lines: [`${state.real[at] ?? ''}${state.real[at + 1] ?? ''}`],
            side: 'above',
          });
        }
        break;
      case 'editorUndo':
      case 'editorRedo': {
        const [stack, other] = action.kind === 'editorUndo' ? [past, future] : [future, past];
        const next = stack.pop();
        if (next === undefined) break;
        other.push(state);
        state = next;
        await subject.step(action.kind === 'editorUndo' ? 'undo' : 'redo', next.real.join('\n'));
        break;
      }
      case 'reload':
        await subject.reload();
        forget();
        break;
      case 'save':
        await subject.save();
        break;
      case 'keep': {
        await subject.keep(action.by);
        const { worlds } = state;
        const without = (omitted: readonly Conversation[]) => omitted.filter((name) => name !== action.by);
        state = {
          ...state,
          worlds: Object.fromEntries(omissions.map((omitted) => [nameOf(omitted), worlds[nameOf(without(omitted))]])),
        };
        forget();
        break;
      }
      case 'undo': {
        const expected = state.worlds[action.by];
        const undone = checkUndo(subject.text(), state, [action.by]);
        // Some of it stays, and nobody can tell what the other texts would be.
        if (expected === undefined || undone === undefined) {
          checkEnd();
          return;
        }
        const { worlds } = state;
        const withIt = (omitted: readonly Conversation[]) =>
          writers.filter((name) => name === action.by || omitted.includes(name));
        const next: State = {
          real: expected,
          worlds: Object.fromEntries(omissions.map((omitted) => [nameOf(omitted), worlds[nameOf(withIt(omitted))]])),
        };
        await subject.undo(action.by);
        if (same(next.real, state.real)) state = next;
        else step(next);
        break;
      }
    }
    check(subject.text(), state);
  }
  checkEnd();
}

/** At an end of the text there is only one line to write at. */
function sideAt(side: Replacement['side'], at: number, size: number): Replacement['side'] {
  if (side === 'unknown' || size === 0) return 'unknown';
  if (at === size) return 'above';
  return at === 0 ? 'below' : side;
}

function originOf(by: Conversation, call: number) {
  return { conversationId: by, turnId: 'turn', callId: `call${call}` };
}

interface Replacement {
  at: number;
  count: number;
  lines: readonly string[];
  side: 'above' | 'below' | 'unknown';
}

function replaced({ real, worlds }: State, change: Replacement, by: Conversation | 'user'): State {
  const { at, count, lines } = change;
  const next = real.toSpliced(at, count, ...lines);
  const inWorld = (omitted: readonly Conversation[]) => {
    if (omitted.length === 0) return next;
    const world = worlds[nameOf(omitted)];
    if (world === undefined || omitted.some((name) => name === by)) return world;
    return replacedIn(world, real, change, omitted.length > 1);
  };
  return { real: next, worlds: Object.fromEntries(omissions.map((omitted) => [nameOf(omitted), inWorld(omitted)])) };
}

function replacedIn(
  world: readonly string[],
  real: readonly string[],
  { at, count, lines, side }: Replacement,
  isOfSeveral: boolean,
): readonly string[] | undefined {
  const gone = real.slice(at, at + count);
  if (count > 0 && lines.length === 0) return world.filter((line) => !gone.includes(line));
  if (count > 0) {
    const start = world.indexOf(gone[0] ?? '');
    const isThere = start >= 0 && gone.every((line, offset) => world[start + offset] === line);
    return isThere ? world.toSpliced(start, count, ...lines) : undefined;
  }
  const above = at === 0 ? -1 : (indexIn(world, real[at - 1]) ?? undefined);
  const below = at === real.length ? world.length : indexIn(world, real[at]);
  if (above === undefined && below === undefined) return undefined;
  if (above !== undefined && below !== undefined) {
    if (below === above + 1) return world.toSpliced(below, 0, ...lines);
    if (side === 'unknown') return undefined;
    return world.toSpliced(side === 'above' ? above + 1 : below, 0, ...lines);
  }
  const place = above === undefined ? (below ?? 0) : above + 1;
  // Lines of several conversations were taken out here: on which side of whose?
  const neighbour = above === undefined ? world[place - 1] : world[place];
  if (isOfSeveral && neighbour !== undefined && !real.includes(neighbour)) return undefined;
  return world.toSpliced(place, 0, ...lines);
}

function indexIn(world: readonly string[], line: string | undefined): number | undefined {
  const at = line === undefined ? -1 : world.indexOf(line);
  return at < 0 ? undefined : at;
}

/** As an editor tells of it: lines are put in behind the one above or in front of the one below. */
function documentChange(real: readonly string[], { at, count, lines, side }: Replacement): DocumentChange {
  const endOf = (line: number) => ({ line, character: (real[line] ?? '').length });
  const startOf = (line: number) => ({ line, character: 0 });
  const isLast = at + count === real.length;
  if (real.length === 0) return { range: { start: startOf(0), end: startOf(0) }, text: lines.join('\n') };
  if (count === 0) {
    const isAbove = at > 0 && (side === 'above' || isLast);
    const place = isAbove ? endOf(at - 1) : startOf(at);
    return { range: { start: place, end: place }, text: isAbove ? `\n${lines.join('\n')}` : `${lines.join('\n')}\n` };
  }
  if (lines.length > 0) {
    return { range: { start: startOf(at), end: endOf(at + count - 1) }, text: lines.join('\n') };
  }
  if (!isLast) return { range: { start: startOf(at), end: startOf(at + count) }, text: '' };
  return { range: { start: at === 0 ? startOf(0) : endOf(at - 1), end: endOf(at + count - 1) }, text: '' };
}

function check(text: UndecidedText, { real, worlds }: State): void {
  expectLines('the text', linesOf(text), real);
  const base = worlds[nameOf(writers)];
  if (base !== undefined && hunksOf(text).every(({ isMixed }) => !isMixed)) {
    expectLines('what Undo All goes back to', toLines(currentText(withUndone(text).text)), base);
  }
  let end = 0;
  for (const { after, origins } of hunksOf(text)) {
    if (after.start < end || origins.length === 0) throw new Error('hunks are not in order, or nobody’s');
    end = after.start + after.count;
  }
  if (end > real.length) throw new Error('a hunk ends behind the text');
}

/** Undefined when something had to stay. */
function createCheckUndo(isStrict: boolean, tally: Tally) {
  return (
    text: UndecidedText,
    { real, worlds }: State,
    omitted: readonly Conversation[],
  ): UndecidedText | undefined => {
    const of = (origin: { conversationId?: string }) => omitted.some((name) => name === origin.conversationId);
    const { text: undone, conflicts } = withUndone(text, { of });
    const expected = worlds[nameOf(omitted)];
    const lost = real.filter((line) => line.includes('user') && !linesOf(undone).includes(line));
    if (lost.length > 0) throw new Error(`Undo of ${nameOf(omitted)} lost ${lost.join(', ')}`);
    tally.asked++;
    if (expected === undefined) return undefined;
    if (conflicts > 0) {
      tally.refused++;
      if (!isStrict) return undefined;
      throw new Error(`Undo of ${nameOf(omitted)} does not tell what can be told: ${expected.join(' ')}`);
    }
    expectLines(`Undo of ${nameOf(omitted)}`, linesOf(undone), expected);
    return undone;
  };
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, at) => line === other[at]);
}

function expectLines(what: string, found: readonly string[], expected: readonly string[]): void {
  // An empty text has no line, or an empty one.
  if (found.join('\n') === expected.join('\n')) return;
  throw new Error(`${what} is\n  ${found.join('\n  ')}\nand not\n  ${expected.join('\n  ')}`);
}
