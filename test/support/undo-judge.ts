import {
  type Action,
  type Conversation,
  type GitStep,
  type SaveEffect,
  saveEffects,
  writers,
} from './undo-sessions.ts';
import {
  environmentOf,
  firstState,
  isRunInAll,
  kept,
  keptHunks,
  type Line,
  moved,
  omissions,
  pasted,
  type Replacement,
  reordered,
  replaced,
  type State,
  settledState,
  type ToldHunk,
  undone,
  undoneHunks,
} from './undo-worlds.ts';

/**
 * Knows nothing of how Undo works: it plays the same session several times over, each time without the edits of some of the
 * conversations. What a session does to a line that a text does not have, or between two lines that are not neighbours
 * there, cannot be told for that text.
 */

/** As an editor tells of it, in the text that the changes before it leave. */
export interface Change {
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
  text: string;
}

/** What is judged: one text, changed by the model, the user and programs. Each step resolves once its effect is there. */
export interface Subject {
  lines(): readonly string[];
  hunks(): readonly ToldHunk[];
  /** The numbers of the hunks that are decided on with this one. */
  partsOf(hunk: number): readonly number[];
  /** What Undo of these conversations would give; `conflicts`: it says that something had to stay. */
  undone(omitted: readonly string[]): { lines: readonly string[]; conflicts: number };
  /** What Keep of everything would leave. */
  kept(): { lines: readonly string[]; hunks: number };
  write(next: string, by: { conversationId: string; turnId: string; callId: string }): Promise<void>;
  /** One event of an editor. */
  type(changes: readonly Change[], next: string): Promise<void>;
  /** Another program writes the file, or takes it away. */
  load(next: string | undefined): Promise<void>;
  /** For a subject with a disk; what is not saved is not there. */
  onDisk?(): string | undefined;
  isDirty?(): boolean;
  /** The editor's own, back or forth to a text that was there before. */
  step(direction: 'undo' | 'redo', next: string): Promise<void>;
  save(): Promise<void>;
  reload(): Promise<void>;
  keep(conversationId: string): Promise<void>;
  undo(conversationId: string): Promise<void>;
  keepHunk(hunk: number): Promise<void>;
  /** Gives the conflicts. */
  undoHunk(hunk: number): Promise<number>;
}

/**
 * How often Undo was asked for, and how often it refused what the judge can tell. `lost` counts edits that nobody
 * offers to undo any more, since Git had other texts in between.
 */
export interface Tally {
  asked: number;
  refused: number;
  lost?: number;
}

export interface Session {
  first: readonly string[];
  actions: readonly Action[];
  /** Undo must never refuse: nobody typed. */
  isSure?: boolean;
  onSave?: SaveEffect;
}

type Moment = Pick<Play, 'state' | 'decided'>;

/** Everything that one session has; `state` is the moment that it is at. */
interface Play {
  subject: Subject;
  tally: Tally;
  state: State;
  past: Moment[];
  future: Moment[];
  /** Texts that more than one line has had. */
  alike: Set<string>;
  /** Texts of edits that were decided on: they are the user's. */
  decided: ReadonlySet<string>;
  /** `isRun`: in no text something stood between the lines. */
  clipboard: { lines: readonly Line[]; isCut: boolean; isRun: boolean } | undefined;
  named: number;
  isOneWriter: boolean;
  isSure: boolean;
  onSave: SaveEffect;
  /** A line that was never committed was taken by the model, and then by Git. */
  isOpen: boolean;
  /** Saving has ended the text once: another end may be the same line again, or not. */
  hasEnded: boolean;
  git: { on: 'main' | 'other'; heads: Record<'main' | 'other', State>; stash: { state: State; head: State }[] };
}

/**
 * Plays the actions with the subject and beside it; rejects where they differ. Where two conversations wrote, Undo may
 * refuse more than it has to, which `tally` counts; where one did, it may not.
 */
export async function play(
  { first, actions, isSure = false, onSave = saveEffects.nothing as SaveEffect }: Session,
  subject: Subject,
  tally: Tally,
): Promise<void> {
  const state = firstState(first);
  const all: Play = {
    subject,
    tally,
    state,
    onSave,
    isOpen: false,
    hasEnded: false,
    git: { on: 'main', heads: { main: state, other: firstState(first.with(0, 'other0<other0>')) }, stash: [] },
    past: [],
    future: [],
    alike: new Set(first.filter((text) => !isNamed(text))),
    decided: new Set(),
    clipboard: undefined,
    named: 0,
    isOneWriter:
      new Set(actions.flatMap((one) => ('by' in one && one.kind.includes('write') ? [one.by] : []))).size < 2 &&
      !actions.some(({ kind }) => kind === 'git'),
    isSure,
  };
  for (const action of actions) {
    if ((await act(all, action)) === 'over') break;
    check(all);
  }
  checkEnd(all);
}

/** As before a formatter that ran for the model gave it other blanks. */
function plain(text: string): string {
  return text.replaceAll(' ', '');
}

function isNamed(text: string): boolean {
  return /\d/.test(text);
}

function step(all: Play, next: State, decided = all.decided): void {
  all.past.push({ state: all.state, decided });
  all.future.length = 0;
  all.state = next;
}

function forget(all: Play): void {
  all.past.length = 0;
  all.future.length = 0;
}

function fresh(all: Play, prefix: string, count: number): Line[] {
  return Array.from({ length: count }, () => {
    const name = `${prefix}${all.named++}`;
    return { text: `${name}<${name}>` };
  });
}

const textOf = (lines: readonly Line[]) => lines.map(({ text }) => text).join('\n');

async function act(all: Play, action: Action): Promise<'over' | undefined> {
  const { subject, state } = all;
  const { real } = state;
  const size = real.length;
  const at = 'at' in action ? Math.min(action.at, size) : 0;
  const most = 'count' in action ? Math.min(action.count, size - at) : 0;
  const count = most;
  const user = (change: Replacement) => userChange(all, change);
  switch (action.kind) {
    case 'write':
    case 'rewrite': {
      // What ends a file stays.
      const keepsEnd = all.onSave.endsFile && real.at(-1)?.text === '' && at + most === size;
      const count = keepsEnd ? Math.max(0, most - 1) : most;
      const lines = action.kind === 'write' ? fresh(all, action.by, action.lines) : rewritten(all, action, at, count);
      if (same(lines, real.slice(at, at + count))) return;
      const next = replaced(state, { at, count, lines, side: 'unknown' }, action.by);
      const by = { conversationId: action.by, turnId: 'turn', callId: `call${all.named}` };
      await subject.write(textOf(next.real), by);
      const written = withSaved(all, next, action.by);
      // What a conversation takes back itself is nobody's edit any more.
      const { decided } = all;
      for (const line of real) if (!written.real.includes(line)) release(all, line.text, action.by);
      step(all, written, decided);
      return;
    }
    case 'insert':
      await user({ at, count: 0, lines: fresh(all, 'user', action.lines), side: sideAt(action.side, at, size) });
      return;
    case 'insertCommon':
      all.alike.add(action.text);
      await user({ at, count: 0, lines: [{ text: action.text }], side: sideAt('above', at, size) });
      return;
    case 'delete':
      await user({ at, count, lines: [], side: 'above' });
      return;
    case 'change':
      if (count > 0) await user({ at, count, lines: fresh(all, 'user', action.lines), side: 'above' });
      return;
    case 'split': {
      const line = real[at]?.text ?? '';
      const cut = line.indexOf('<') + 1;
      if (cut === 0 || cut === line.length) return;
      await user({ at, count: 1, lines: [{ text: line.slice(0, cut) }, { text: line.slice(cut) }], side: 'above' });
      return;
    }
    case 'join':
      if (at + 1 >= size) return;
      await user({
        at,
        count: 2,
        lines: [{ text: `${real[at]?.text ?? ''}${real[at + 1]?.text ?? ''}` }],
        side: 'above',
      });
      return;
    case 'move':
      await moveByKeys(all, at, count, action.to);
      return;
    case 'cut':
    case 'copy':
      if (count === 0) return;
      all.clipboard = {
        lines: real.slice(at, at + count),
        isCut: action.kind === 'cut',
        isRun: isRunInAll(state, real.slice(at, at + count)),
      };
      if (action.kind === 'cut') await user({ at, count, lines: [], side: 'above' });
      return;
    case 'paste':
      await paste(all, at, sideAt(action.side, at, size));
      return;
    case 'reorder':
      await reorder(all, action, at, count);
      return;
    case 'editorUndo':
    case 'editorRedo': {
      const [stack, other] = action.kind === 'editorUndo' ? [all.past, all.future] : [all.future, all.past];
      const next = stack.pop();
      if (next === undefined) return;
      other.push({ state, decided: all.decided });
      Object.assign(all, next);
      await subject.step(action.kind === 'editorUndo' ? 'undo' : 'redo', textOf(next.state.real));
      return;
    }
    case 'reload':
      await subject.reload();
      forget(all);
      return;
    case 'save':
      await save(all);
      return;
    case 'git':
      await gitStep(all, action.what);
      return;
    case 'keep':
      await subject.keep(action.by);
      decide(all, action.by);
      all.state = kept(state, action.by);
      forget(all);
      return;
    case 'undo':
      return undoAll(all, action.by);
    case 'keepHunk':
    case 'undoHunk':
      return decideHunk(all, action.kind, action.at);
  }
}

/** As saving leaves a text: what it changes there is part of what was saved. */
function withSaved(all: Play, state: State, by: Conversation | 'user'): State {
  const { line, endsFile } = all.onSave;
  let saved = state;
  for (const [at, { text }] of state.real.entries()) {
    const formatted = line(text);
    if (formatted !== text) saved = replaced(saved, { at, count: 1, lines: [{ text: formatted }], side: 'above' }, by);
  }
  if (!endsFile || state.real.at(-1)?.text === '') return saved;
  if (all.hasEnded) all.alike.add('');
  all.hasEnded = true;
  return replaced(saved, { at: state.real.length, count: 0, lines: [{ text: '' }], side: 'above' }, by);
}

async function save(all: Play): Promise<void> {
  const isSaved = all.subject.isDirty?.() ?? false;
  await all.subject.save();
  if (!isSaved) return;
  all.state = withSaved(all, all.state, 'user');
  forget(all);
}

async function gitStep(all: Play, what: GitStep): Promise<void> {
  await save(all);
  const { git, state, subject } = all;
  const other = git.on === 'main' ? 'other' : 'main';
  const head = git.heads[git.on];
  const isClean = textOf(head.real) === textOf(state.real);
  const top = git.stash.at(-1);
  switch (what) {
    case 'commit':
      git.heads[git.on] = state;
      return;
    case 'branch':
      if (isClean) git.heads[other] = state;
      return;
    case 'checkout':
      if (!isClean) return;
      git.on = other;
      return goTo(all, git.heads[other]);
    case 'away': {
      if (!isClean) return;
      await subject.load(undefined);
      await subject.undo('a');
      if (subject.onDisk?.() !== undefined) throw new Error('Undo makes a file that Git took away');
      return goTo(all, state);
    }
    case 'stash':
      if (isClean) return;
      git.stash.push({ state, head });
      return goTo(all, head);
    case 'pop':
      if (!isClean || top === undefined || textOf(top.head.real) !== textOf(state.real)) return;
      git.stash.pop();
      return goTo(all, top.state);
    case 'reset':
      return isClean ? undefined : goTo(all, head);
    case 'rebase':
      if (!isClean) return;
      await subject.load(textOf(git.heads[other].real));
      return goTo(all, state);
  }
}

/** What is pending there is pending again, or nobody offers to undo it. */
async function goTo(all: Play, next: State): Promise<void> {
  const { subject, tally, state } = all;
  await subject.load(textOf(next.real));
  // Whether it comes back with Undo, nobody can tell of a line that was never committed.
  const committed = [next, ...Object.values(all.git.heads)].flatMap(({ real }) => real.map(({ text }) => plain(text)));
  const isGone = ({ text }: Line) => isNamed(text) && !committed.includes(plain(text));
  all.isOpen ||= state.writes.some(({ old }) => old.some(isGone));
  all.clipboard = undefined;
  forget(all);
  if (subject.hunks().length > 0) {
    all.state = all.isOpen ? { ...next, worlds: { none: next.worlds.none } } : next;
    return;
  }
  all.isOpen = false;
  const isPending = next.writes.some(({ by, fresh: own }) => own.some(({ text }) => isOf(all, text, by)));
  if (isPending) tally.lost = (tally.lost ?? 0) + 1;
  all.state = settledState(next.real);
  for (const by of writers) decide(all, by);
}

/** One block: fresh lines instead of all but those that are alike, which stay in its middle. */
function rewritten(all: Play, { by, lines }: { by: Conversation; lines: number }, at: number, count: number): Line[] {
  const there = all.state.real.slice(at, at + count);
  return [
    ...there.flatMap((line) => (isNamed(line.text) ? fresh(all, by, 1) : [line])),
    ...fresh(all, by, Math.max(0, lines - 1)),
  ];
}

async function userChange(all: Play, change: Replacement): Promise<void> {
  const { state, subject } = all;
  const next = replaced(state, change, 'user');
  if (same(next.real, state.real)) return;
  const text = textOf(next.real);
  if (change.side === 'unknown' && state.real.length > 0) await subject.load(text);
  else await subject.type([documentChange(state.real, change)], text);
  step(all, next);
}

/** As an editor moves lines: not they are taken out and put in, but the one that they jump over. */
async function moveByKeys(all: Play, at: number, count: number, to: 'up' | 'down'): Promise<void> {
  const { state, subject } = all;
  const { real } = state;
  const other = real[to === 'up' ? at - 1 : at + count];
  const [first, last] = [real[at], real[at + count - 1]];
  if (other === undefined || first === undefined || last === undefined) return;
  // Nobody sees lines that are alike change their place, an editor’s history included.
  if (real.slice(at, at + count).every(({ text }) => text === other.text)) return;
  const end = (line: number) => ({ line, character: real[line]?.text.length ?? 0 });
  const start = (line: number) => ({ line, character: 0 });
  if (count === 1 && first.text === '') {
    if (other.text === '') return;
    const otherAt = to === 'up' ? at - 1 : at + 1;
    const changes = [
      { range: { start: start(at), end: start(at) }, text: other.text },
      { range: { start: start(otherAt), end: end(otherAt) }, text: '' },
    ];
    const next = moved(state, [other], at, to === 'up' ? 'above' : 'below');
    await subject.type(
      changes.toSorted((one, two) => two.range.start.line - one.range.start.line),
      textOf(next.real),
    );
    step(all, next);
    return;
  }
  const isUp = to === 'up';
  const changes: Change[] = isUp
    ? [
        { range: { start: end(at + count - 1), end: end(at + count - 1) }, text: `\n${other.text}` },
        { range: { start: start(at - 1), end: start(at) }, text: '' },
      ]
    : [
        { range: { start: end(at + count - 1), end: end(at + count) }, text: '' },
        { range: { start: start(at), end: start(at) }, text: `${other.text}\n` },
      ];
  const next = moved(state, [other], isUp ? at + count - 1 : at, isUp ? 'above' : 'below');
  await subject.type(changes, textOf(next.real));
  step(all, next);
}

async function paste(all: Play, at: number, side: Replacement['side']): Promise<void> {
  const { clipboard, state, subject } = all;
  if (clipboard === undefined) return;
  // What the model has taken out since is still there without it.
  const there = [...state.real, ...omissions.flatMap((omitted) => environmentOf(state, omitted)?.lines ?? [])];
  const isMove = clipboard.isCut && clipboard.lines.every((line) => !there.includes(line));
  const lines = isMove ? clipboard.lines : clipboard.lines.map(({ text }) => ({ text }));
  if (!isMove) for (const { text } of lines) all.alike.add(text);
  const change: Replacement = { at, count: 0, lines, side };
  // A copy of a line of the model's is in no text without the model.
  const put = pasted(state, change, ({ text }, omitted) => !omitted.some((name) => isOf(all, text, name)));
  const next = clipboard.isRun ? put : reordered(put, put.real);
  if (side === 'unknown' && state.real.length > 0) await subject.load(textOf(next.real));
  else await subject.type([documentChange(state.real, change)], textOf(next.real));
  step(all, next);
}

async function reorder(
  all: Play,
  { order, isOutside }: { order: readonly number[]; isOutside: boolean },
  at: number,
  count: number,
): Promise<void> {
  const { state, subject } = all;
  const there = state.real.slice(at, at + count);
  const lines = there
    .map((line, place) => ({ line, key: order[place] ?? 0 }))
    .sort((one, two) => one.key - two.key)
    .map(({ line }) => line);
  if (lines.every((line, place) => line.text === there[place]?.text)) return;
  const next = reordered(state, state.real.toSpliced(at, count, ...lines));
  if (isOutside) await subject.load(textOf(next.real));
  else await subject.type([documentChange(state.real, { at, count, lines, side: 'above' })], textOf(next.real));
  step(all, next);
}

/** Names that stand in the texts of this conversation's undecided lines. */
function isOf({ decided }: Play, text: string, name: Conversation): boolean {
  const names = text.match(/[a-z]+\d+/g) ?? [];
  return names.some((one) => one.startsWith(name) && /^[ab]\d/.test(one) && !decided.has(one));
}

function release(all: Play, text: string, by: Conversation): void {
  for (const name of text.match(/[a-z]+\d+/g) ?? [])
    if (name.startsWith(by) && /^[ab]\d/.test(name)) all.decided = new Set([...all.decided, name]);
}

function decide(all: Play, by: Conversation): void {
  const { state, clipboard } = all;
  const lines = [...state.real, ...(clipboard?.lines ?? []), ...state.writes.flatMap(({ fresh: own }) => own)];
  for (const { text } of lines) release(all, text, by);
}

/** Whole blocks are decided on, also what of them is only in the clipboard. */
function releaseParts(all: Play, parts: readonly ToldHunk[]): void {
  const { real, writes } = all.state;
  const lines = parts.flatMap(({ start, count }) => real.slice(start, start + count));
  const gone = parts.flatMap(({ removed }) => removed);
  for (const { text } of lines) for (const by of writers) release(all, text, by);
  const owners = new Set(parts.flatMap(({ by }) => by));
  const there = [...real, ...(all.clipboard?.lines ?? [])];
  for (const { by, fresh: own, old } of writes) {
    const isPart =
      own.some((line) => lines.includes(line)) || old.some(({ text }) => isNamed(text) && gone.includes(text));
    // The user wrote over all of it.
    const isOver = owners.has(by) && !own.some((line) => there.includes(line));
    if (isPart || isOver) for (const { text } of own) release(all, text, by);
  }
}

async function undoAll(all: Play, by: Conversation): Promise<'over' | undefined> {
  const { state, subject } = all;
  const result = checkUndo(all, [by]);
  // Some of it stays, and nobody can tell what the other texts would be.
  if (result === undefined) return 'over';
  const next = undone(state, by, result);
  const wasDirty = subject.isDirty?.() ?? false;
  await subject.undo(by);
  const disk = subject.onDisk?.();
  if (disk !== undefined && !wasDirty && disk !== result.join('\n'))
    throw new Error(`Undo of ${by} leaves on the disk\n${disk}\nand not\n${result.join('\n')}`);
  const { decided } = all;
  decide(all, by);
  if (same(next.real, state.real)) {
    all.state = next;
    forget(all);
  } else step(all, next, decided);
}

async function decideHunk(all: Play, kind: 'keepHunk' | 'undoHunk', at: number): Promise<'over' | undefined> {
  const { subject, state } = all;
  const hunks = subject.hunks();
  if (hunks.length === 0) return;
  const parts = subject.partsOf(at % hunks.length).flatMap((part) => hunks[part] ?? []);
  const texts = parts.flatMap(({ start, count }) => state.real.slice(start, start + count)).map(({ text }) => text);
  if (kind === 'keepHunk') {
    await subject.keepHunk(at % hunks.length);
    releaseParts(all, parts);
    // Of whom nothing is undecided any more, the clipboard holds nothing undecided either.
    for (const by of writers) if (!subject.hunks().some((one) => one.by.includes(by))) decide(all, by);
    all.state = keptHunks(state, parts);
    forget(all);
    return;
  }
  const conflicts = await subject.undoHunk(at % hunks.length);
  const lines = subject.lines();
  checkUsersLines(all, lines, 'Undo of one hunk');
  if (conflicts > 0) {
    expectLines(
      'what a refused Undo leaves',
      lines,
      state.real.map(({ text }) => text),
    );
    return;
  }
  const left = texts.filter((text) => !all.alike.has(text) && lines.includes(text));
  if (left.length > 0) throw new Error(`Undo of one hunk left ${left.join(', ')}`);
  releaseParts(all, parts);
  all.state = undoneHunks(state, parts, lines);
  forget(all);
  await subject.reload();
}

/** At an end of the text there is only one line to write at. */
function sideAt<Side extends Replacement['side']>(
  side: Side,
  at: number,
  size: number,
): Side | 'above' | 'below' | 'unknown' {
  if (side === 'unknown' || size === 0) return 'unknown';
  if (at === size) return 'above';
  return at === 0 ? 'below' : side;
}

/** As an editor tells of it: lines are put in behind the one above or in front of the one below. */
function documentChange(real: readonly Line[], { at, count, lines, side }: Replacement): Change {
  const endOf = (line: number) => ({ line, character: (real[line]?.text ?? '').length });
  const startOf = (line: number) => ({ line, character: 0 });
  const isLast = at + count === real.length;
  const text = textOf(lines);
  if (real.length === 0) return { range: { start: startOf(0), end: startOf(0) }, text };
  if (count === 0) {
    const isAbove = at > 0 && (side === 'above' || isLast);
    const place = isAbove ? endOf(at - 1) : startOf(at);
    return { range: { start: place, end: place }, text: isAbove ? `\n${text}` : `${text}\n` };
  }
  if (lines.length > 0) return { range: { start: startOf(at), end: endOf(at + count - 1) }, text };
  if (!isLast) return { range: { start: startOf(at), end: startOf(at + count) }, text: '' };
  return { range: { start: at === 0 ? startOf(0) : endOf(at - 1), end: endOf(at + count - 1) }, text: '' };
}

function check(all: Play): void {
  const { subject, state } = all;
  const { real } = state;
  expectLines(
    'the text',
    subject.lines(),
    real.map(({ text }) => text),
  );
  const hunks = subject.hunks();
  const base = environmentOf(state, writers);
  const everything = subject.undone(writers);
  if (base?.isOrdered && isExact(all) && hunks.every(({ isMixed }) => !isMixed)) {
    expectLines(
      'what Undo All goes back to',
      everything.lines,
      base.lines.map(({ text }) => text),
    );
  }
  let end = 0;
  for (const { start, count, by } of hunks) {
    if (start < end || by.length === 0) throw new Error('hunks are not in order, or nobody’s');
    end = start + count;
  }
  // An empty text has no line, or an empty one.
  if (end > Math.max(1, real.length)) throw new Error('a hunk ends behind the text');
  for (const omitted of omissions) if (omitted.length > 0) checkSafe(all, omitted);
}

function checkEnd(all: Play): void {
  for (const omitted of omissions) if (omitted.length > 0) checkUndo(all, omitted);
  const { lines, hunks } = all.subject.kept();
  expectLines(
    'everything kept',
    lines,
    all.state.real.map(({ text }) => text),
  );
  if (hunks > 0) throw new Error('what was kept is undecided');
}

/** No line has ever been there twice, so each can be told from all others. */
function isExact({ alike }: Play): boolean {
  return alike.size === 0;
}

function checkUsersLines({ state, alike }: Play, lines: readonly string[], what: string): void {
  const there = new Set(lines.map(plain));
  const lost = state.real.filter(({ text }) => text.includes('user') && !there.has(plain(text)));
  // Of a line that was copied nobody can tell which one it was.
  const own = lost.filter(({ text }) => !alike.has(text));
  if (own.length > 0) throw new Error(`${what} lost ${own.map(({ text }) => text).join(', ')}`);
}

/** What holds whether or not it can be told what the text would be. */
function checkSafe(all: Play, omitted: readonly Conversation[]): { lines: readonly string[]; conflicts: number } {
  const { state, subject, alike } = all;
  const result = subject.undone(omitted);
  const what = `Undo of ${omitted.join(' and ')}`;
  checkUsersLines(all, result.lines, what);
  if (result.conflicts === 0) {
    const isUndecided = subject.hunks().some(({ by }) => by.some((name) => omitted.some((one) => one === name)));
    const whole = state.writes.flatMap(({ fresh: own }) => own.map(({ text }) => text)).filter(isNamed);
    const left = result.lines.filter((line) =>
      omitted.some((name) => isOf(all, line, name) && (isExact(all) || (isUndecided && whole.includes(line)))),
    );
    if (left.length > 0) throw new Error(`${what} says that it is done and left ${left.join(', ')}`);
  }
  for (const write of state.writes) {
    if (!omitted.includes(write.by)) continue;
    const own = write.fresh.filter(
      (line) => state.real.includes(line) && isOf(all, line.text, write.by) && !alike.has(line.text),
    );
    const left = own.filter(({ text }) => result.lines.includes(text));
    if (left.length === 0) continue;
    const back = write.old.filter(
      (line) =>
        isNamed(line.text) && !alike.has(line.text) && !state.real.includes(line) && result.lines.includes(line.text),
    );
    if (left.length === own.length && back.length === 0) continue;
    const told = left.map(({ text }) => text).join(', ');
    throw new Error(`${what} takes half of a block back: ${told} stayed of ${textOf(own)}; ${textOf(back)} came back`);
  }
  return result;
}

/** Undefined when something had to stay, or nobody can tell whether this is right. */
function checkUndo(all: Play, omitted: readonly Conversation[]): readonly string[] | undefined {
  const { state, tally, alike, isOneWriter, isSure } = all;
  const { lines, conflicts } = checkSafe(all, omitted);
  const expected = environmentOf(state, omitted);
  const what = `Undo of ${omitted.join(' and ')}`;
  tally.asked++;
  if (conflicts > 0) {
    if (isSure) throw new Error(`${what} refuses although nobody typed`);
    if (!expected?.isOrdered || !isExact(all)) return undefined;
    tally.refused++;
    if (!isOneWriter) return undefined;
    throw new Error(`${what} does not tell what can be told: ${textOf(expected.lines)}`);
  }
  if (expected === undefined) return undefined;
  if (expected.isOrdered && isExact(all)) {
    expectLines(
      what,
      lines,
      expected.lines.map(({ text }) => text),
    );
    return lines;
  }
  const named = (texts: readonly string[]) => texts.filter((text) => isNamed(text) && !alike.has(text)).sort();
  expectLines(`${what}, in any order,`, named(lines), named(expected.lines.map(({ text }) => text)));
  return lines;
}

function same(one: readonly Line[], other: readonly Line[]): boolean {
  return one.length === other.length && one.every((line, at) => line === other[at]);
}

function expectLines(what: string, found: readonly string[], expected: readonly string[]): void {
  // An empty text has no line, or an empty one.
  if (found.join('\n') === expected.join('\n')) return;
  throw new Error(`${what} is\n  ${found.join('\n  ')}\nand not\n  ${expected.join('\n  ')}`);
}
