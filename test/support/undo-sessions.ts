import fc from 'fast-check';

/** Who writes besides the user. */
export const writers = ['a', 'b'] as const;
export type Conversation = (typeof writers)[number];

/** One step of a session. Places beyond the end mean the end. */
export type Action =
  | { kind: 'write'; by: Conversation; at: number; count: number; lines: number }
  /** One block comes instead of lines, and what blank lines and brackets are among them stay. */
  | { kind: 'rewrite'; by: Conversation; at: number; count: number; lines: number }
  | { kind: 'insert'; at: number; lines: number; side: 'above' | 'below' | 'unknown' }
  /** A line as any program has several. */
  | { kind: 'insertCommon'; at: number; text: '}' | '' }
  | { kind: 'delete'; at: number; count: number }
  | { kind: 'change'; at: number; count: number; lines: number }
  | { kind: 'split'; at: number }
  | { kind: 'join'; at: number }
  /** By keys: the line above or below jumps over these. */
  | { kind: 'move'; at: number; count: number; to: 'up' | 'down' }
  | { kind: 'cut' | 'copy'; at: number; count: number }
  | { kind: 'paste'; at: number; side: 'above' | 'below' }
  /** A formatter, or the editor's own sorting, gives lines another order. */
  | { kind: 'reorder'; at: number; count: number; order: readonly number[]; isOutside: boolean }
  | { kind: 'editorUndo' | 'editorRedo' | 'reload' | 'save' }
  | { kind: 'keep' | 'undo'; by: Conversation }
  | { kind: 'keepHunk' | 'undoHunk'; at: number }
  /** Git writes the file; what is not saved is saved before. */
  | { kind: 'git'; what: GitStep };

/** `away` is a checkout of a branch without the file, and the way back. */
export type GitStep = 'commit' | 'branch' | 'checkout' | 'away' | 'stash' | 'pop' | 'reset' | 'rebase';

/** What saving does: to each line, and to the end of the file. */
export interface SaveEffect {
  line(text: string): string;
  endsFile: boolean;
}

const asIs = (text: string) => text;
export const saveEffects: Readonly<Record<string, SaveEffect>> = {
  nothing: { line: asIs, endsFile: false },
  'a formatter': { line: (text) => text.replace(/(\d)<(?=\w)/g, '$1 < '), endsFile: false },
  'trimmed lines': { line: (text) => text.trimEnd(), endsFile: false },
  'a final newline': { line: asIs, endsFile: true },
};

const place = fc.nat({ max: 12 });
const few = fc.nat({ max: 3 });
const some = fc.integer({ min: 1, max: 3 });
const by = fc.constantFrom(...writers);
const record = <Kind extends string, Rest extends object>(
  kind: Kind,
  rest: { [Key in keyof Rest]: fc.Arbitrary<Rest[Key]> },
) => fc.record({ kind: fc.constant(kind), ...rest }) as unknown as fc.Arbitrary<{ kind: Kind } & Rest>;

const typing: fc.MaybeWeightedArbitrary<Action>[] = [
  {
    weight: 5,
    arbitrary: record('write', { by, at: place, count: few, lines: few }),
  },
  {
    weight: 4,
    arbitrary: record('insert', {
      at: place,
      lines: fc.integer({ min: 1, max: 2 }),
      side: fc.constantFrom('above' as const, 'below' as const, 'unknown' as const),
    }),
  },
  { weight: 3, arbitrary: record('delete', { at: place, count: some }) },
  { weight: 3, arbitrary: record('change', { at: place, count: some, lines: some }) },
  { weight: 1, arbitrary: record('split', { at: place }) },
  { weight: 1, arbitrary: record('join', { at: place }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('editorUndo' as const, 'editorRedo' as const, 'reload' as const, 'save' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('keep' as const, 'undo' as const), by }),
  },
];

const move = record('move', { at: place, count: some, to: fc.constantFrom('up' as const, 'down' as const) });
const moving: fc.MaybeWeightedArbitrary<Action>[] = [
  { weight: 5, arbitrary: move },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('cut' as const, 'copy' as const), at: place, count: some }),
  },
  {
    weight: 4,
    arbitrary: record('paste', { at: place, side: fc.constantFrom('above' as const, 'below' as const) }),
  },
  {
    weight: 1,
    arbitrary: record('reorder', {
      at: place,
      count: fc.integer({ min: 2, max: 5 }),
      order: fc.array(fc.nat({ max: 9 }), { minLength: 5, maxLength: 5 }),
      isOutside: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('keepHunk' as const, 'undoHunk' as const), at: fc.nat({ max: 4 }) }),
  },
];

const common: fc.MaybeWeightedArbitrary<Action>[] = [
  {
    weight: 5,
    arbitrary: record('rewrite', { by, at: place, count: fc.integer({ min: 1, max: 5 }), lines: some }),
  },
  {
    weight: 2,
    arbitrary: record('insertCommon', { at: place, text: fc.constantFrom('}' as const, '' as const) }),
  },
];

const sessionOf = (...all: fc.MaybeWeightedArbitrary<Action>[]): fc.Arbitrary<Action[]> =>
  fc.array(fc.oneof(...all), { maxLength: 14 });

/** Lines are typed, deleted, split and joined; each stands once. */
export const typedSessions = sessionOf(...typing);
/** The same, and lines move. */
export const movingSessions = sessionOf(...typing, ...moving);
/** The same, and some lines are alike. */
export const commonSessions = sessionOf(...typing, ...moving, ...common);
/** One conversation writes, and then lines only move, by keys. */
export const keySessions: fc.Arbitrary<Action[]> = fc
  .tuple(
    fc.array(record('write', { by: fc.constant('a' as const), at: place, count: few, lines: few }), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.array(move, { maxLength: 10 }),
  )
  .map(([writes, moves]) => [...writes, ...moves]);

const git: fc.MaybeWeightedArbitrary<Action>[] = [
  {
    weight: 9,
    arbitrary: record('git', {
      what: fc.constantFrom<GitStep>('commit', 'branch', 'checkout', 'away', 'stash', 'pop', 'reset', 'rebase'),
    }),
  },
  { weight: 5, arbitrary: record('write', { by: fc.constant('a' as const), at: place, count: few, lines: few }) },
  {
    weight: 3,
    arbitrary: record('insert', { at: place, lines: some, side: fc.constantFrom('above' as const, 'below' as const) }),
  },
  { weight: 2, arbitrary: record('delete', { at: place, count: some }) },
  { weight: 2, arbitrary: record('change', { at: place, count: some, lines: some }) },
  { weight: 1, arbitrary: move },
  { weight: 3, arbitrary: fc.constant({ kind: 'save' as const }) },
  { weight: 1, arbitrary: record('keep', { by: fc.constant('a' as const) }) },
  { weight: 2, arbitrary: record('undo', { by: fc.constant('a' as const) }) },
];
/** Git between any two steps, and what saving does to the text. */
export const gitSessions = sessionOf(...git);

export const uniqueLines: readonly string[] = Array.from({ length: 5 }, (_, at) => `base${at}<base${at}>`);
export const alikeLines: readonly string[] = uniqueLines.flatMap((line, at) =>
  at % 2 === 1 ? [line, '}'] : at === 2 ? [line, ''] : [line],
);
