import { type Conversation, writers } from './undo-sessions.ts';

/** A line with an identity of its own: two that read alike are two. */
export interface Line {
  readonly text: string;
}

/** Without the edits of these. */
export const omissions: readonly (readonly Conversation[])[] = [[], ['a'], ['b'], ['a', 'b']];
export const nameOf = (omitted: readonly Conversation[]) => omitted.join('+') || 'none';

/** What the user would have without some edits. Lines can have moved to where nobody can tell: then only their order is open. */
interface TurnEnvironment {
  lines: readonly Line[];
  isOrdered: boolean;
}

/** Undefined once it cannot be told. */
type Worlds = Readonly<Record<string, TurnEnvironment | undefined>>;

/** One block that a conversation wrote. */
interface Write {
  by: Conversation;
  fresh: readonly Line[];
  old: readonly Line[];
}

/** Of one session at one moment; never changed in place. */
export interface State {
  real: readonly Line[];
  worlds: Worlds;
  /** Those that are not decided yet. */
  writes: readonly Write[];
}

/** `lines` come instead of `count` lines. `side`: of the place between two lines, where the user's hand was. */
export interface Replacement {
  at: number;
  count: number;
  lines: readonly Line[];
  side: 'above' | 'below' | 'unknown';
}

export function firstState(texts: readonly string[]): State {
  return settledState(texts.map((text) => ({ text })));
}

/** Nobody’s edit is undecided in these lines. */
export function settledState(lines: readonly Line[]): State {
  const world = { lines, isOrdered: true };
  return { real: lines, worlds: Object.fromEntries(omissions.map((omitted) => [nameOf(omitted), world])), writes: [] };
}

export function environmentOf({ worlds }: State, omitted: readonly Conversation[]): TurnEnvironment | undefined {
  return worlds[nameOf(omitted)];
}

function withWorlds(
  { real, worlds, ...rest }: State,
  next: readonly Line[],
  of: (omitted: readonly Conversation[], world: TurnEnvironment) => TurnEnvironment | undefined,
): State {
  const inWorld = (omitted: readonly Conversation[]): TurnEnvironment | undefined => {
    if (omitted.length === 0) return { lines: next, isOrdered: true };
    const world = worlds[nameOf(omitted)];
    return world && of(omitted, world);
  };
  return {
    ...rest,
    real: next,
    worlds: Object.fromEntries(omissions.map((omitted) => [nameOf(omitted), inWorld(omitted)])),
  };
}

export function replaced(state: State, change: Replacement, by: Conversation | 'user'): State {
  const { at, count, lines } = change;
  const { real } = state;
  const next = withWorlds(state, real.toSpliced(at, count, ...lines), (omitted, world) =>
    omitted.some((name) => name === by) ? world : replacedIn(world, real, change, omitted.length > 1),
  );
  if (by === 'user') return next;
  const old = real.slice(at, at + count).filter((line) => !lines.includes(line));
  return { ...next, writes: [...state.writes, { by, fresh: lines.filter((line) => !real.includes(line)), old }] };
}

function replacedIn(
  { lines: world, isOrdered }: TurnEnvironment,
  real: readonly Line[],
  change: Replacement,
  isOfSeveral: boolean,
): TurnEnvironment | undefined {
  const { at, count, lines } = change;
  const gone = real.slice(at, at + count);
  if (count > 0 && lines.length === 0) return { lines: world.filter((line) => !gone.includes(line)), isOrdered };
  if (count > 0) {
    const start = world.indexOf(gone[0] as Line);
    const isThere = start >= 0 && gone.every((line, offset) => world[start + offset] === line);
    return isThere ? { lines: world.toSpliced(start, count, ...lines), isOrdered } : undefined;
  }
  return inserted({ lines: world, isOrdered }, real, change, isOfSeveral);
}

function inserted(
  { lines: world, isOrdered }: TurnEnvironment,
  real: readonly Line[],
  { at, lines, side }: Replacement,
  isOfSeveral: boolean,
): TurnEnvironment {
  const put = (place: number | undefined): TurnEnvironment => ({
    lines: world.toSpliced(place ?? world.length, 0, ...lines),
    isOrdered: isOrdered && place !== undefined,
  });
  const above = at === 0 ? -1 : indexIn(world, real[at - 1]);
  const below = at === real.length ? world.length : indexIn(world, real[at]);
  if (above === undefined && below === undefined) return put(undefined);
  if (above !== undefined && below !== undefined) {
    if (below === above + 1) return put(below);
    if (below <= above || side === 'unknown') return put(undefined);
    return put(side === 'above' ? above + 1 : below);
  }
  const place = above === undefined ? (below ?? 0) : above + 1;
  // Lines of several conversations were taken out here: on which side of whose?
  const neighbour = above === undefined ? world[place - 1] : world[place];
  return put(isOfSeveral && neighbour !== undefined && !real.includes(neighbour) ? undefined : place);
}

function indexIn(world: readonly Line[], line: Line | undefined): number | undefined {
  const at = line === undefined ? -1 : world.indexOf(line);
  return at < 0 ? undefined : at;
}

/** Lines that are there change their place; `at` counts in the text without them. */
export function moved(state: State, lines: readonly Line[], at: number, side: 'above' | 'below'): State {
  const rest = state.real.filter((line) => !lines.includes(line));
  const change: Replacement = { at, count: 0, lines, side };
  return withWorlds(state, rest.toSpliced(at, 0, ...lines), (omitted, world) => {
    const own = lines.filter((line) => world.lines.includes(line));
    const left = { ...world, lines: world.lines.filter((line) => !own.includes(line)) };
    if (own.length === 0) return { ...world, isOrdered: false };
    const isWhole = own.length === lines.length && isRun(world.lines, own);
    const put = inserted(left, rest, { ...change, lines: own }, omitted.length > 1);
    return { ...put, isOrdered: put.isOrdered && isWhole };
  });
}

function isRun(all: readonly Line[], lines: readonly Line[]): boolean {
  const start = all.indexOf(lines[0] as Line);
  return lines.every((line, offset) => all[start + offset] === line);
}

/** Whether nothing stands between those of the lines that a text has, in any of them. */
export function isRunInAll({ worlds }: State, lines: readonly Line[]): boolean {
  return Object.values(worlds).every((world) => {
    const own = lines.filter((line) => world?.lines.includes(line));
    return world === undefined || own.length === 0 || isRun(world.lines, own);
  });
}

/** The user brings lines in that were there before, or copies of such; `belongs` says in which worlds they are. */
export function pasted(
  state: State,
  change: Replacement,
  belongs: (line: Line, omitted: readonly Conversation[]) => boolean,
): State {
  const { real } = state;
  return withWorlds(state, real.toSpliced(change.at, 0, ...change.lines), (omitted, world) => {
    const lines = change.lines.filter((line) => belongs(line, omitted));
    if (lines.length === 0) return { ...world, isOrdered: false };
    const put = inserted(world, real, { ...change, lines }, omitted.length > 1);
    return { ...put, isOrdered: put.isOrdered && lines.length === change.lines.length };
  });
}

/** All lines are there as before, in another order. */
export function reordered(state: State, next: readonly Line[]): State {
  return withWorlds(state, next, (_, world) => ({ ...world, isOrdered: false }));
}

/** The edits of this conversation are part of the text from now on. */
export function kept(state: State, by: Conversation): State {
  const without = (omitted: readonly Conversation[]) => omitted.filter((name) => name !== by);
  return {
    real: state.real,
    writes: state.writes.filter((write) => write.by !== by),
    worlds: Object.fromEntries(omissions.map((omitted) => [nameOf(omitted), state.worlds[nameOf(without(omitted))]])),
  };
}

/** As if this conversation had never written; `texts` is what is there then. */
export function undone(state: State, by: Conversation, texts: readonly string[]): State {
  const withIt = (omitted: readonly Conversation[]) => writers.filter((name) => name === by || omitted.includes(name));
  const real = linesFor(state, texts);
  return {
    real,
    writes: state.writes.filter((write) => write.by !== by),
    worlds: Object.fromEntries(
      omissions.map((omitted) => {
        const world = state.worlds[nameOf(withIt(omitted))];
        const isNow = omitted.length === 0 || (omitted.length === 1 && omitted[0] === by);
        return [nameOf(omitted), isNow ? { lines: real, isOrdered: true } : world];
      }),
    ),
  };
}

/** Finds the lines that read like this among all that ever were. */
function linesFor({ real, worlds, writes }: State, texts: readonly string[]): Line[] {
  const known = [real, ...Object.values(worlds).map((world) => world?.lines ?? []), ...writes.map(({ old }) => old)];
  const left = new Set(known.flat());
  return texts.map((text) => {
    const found = [...left].find((line) => line.text === text) ?? { text };
    left.delete(found);
    return found;
  });
}

/** As a subject tells of neighbouring lines with undecided edits. */
export interface ToldHunk {
  start: number;
  count: number;
  removed: readonly string[];
  by: readonly string[];
  isMixed: boolean;
}

/** Some edits are part of the text from now on. */
export function keptHunks(state: State, hunks: readonly ToldHunk[]): State {
  const { real } = state;
  const lines = hunks.flatMap(({ start, count }) => real.slice(start, start + count));
  const next = withWorlds(state, real, (omitted, world) =>
    hunks.reduce<TurnEnvironment | undefined>((left, hunk) => left && keptIn(left, real, hunk, omitted), world),
  );
  const writes = state.writes.map((write) => ({
    ...write,
    fresh: write.fresh.filter((line) => !lines.includes(line)),
    old: write.old.filter(({ text }) => !hunks.some(({ removed }) => removed.includes(text))),
  }));
  return { ...next, writes };
}

function keptIn(
  { lines: world, isOrdered }: TurnEnvironment,
  real: readonly Line[],
  { start, count, removed, by, isMixed }: ToldHunk,
  omitted: readonly Conversation[],
): TurnEnvironment | undefined {
  if (!by.some((name) => omitted.some((one) => one === name))) return { lines: world, isOrdered };
  if (isMixed || by.length > 1) return undefined;
  const lines = real.slice(start, start + count);
  if (removed.length === 0) {
    const change: Replacement = { at: start, count: 0, lines, side: 'unknown' };
    return inserted({ lines: world, isOrdered }, real.toSpliced(start, count), change, true);
  }
  const texts = world.map(({ text }) => text);
  const isAt = (at: number) => removed.every((text, offset) => texts[at + offset] === text);
  const places = texts.flatMap((_, at) => (isAt(at) ? [at] : []));
  const [place, other] = places;
  if (place === undefined || other !== undefined) return undefined;
  // Lines that moved away from those that they came instead of may be anywhere.
  return { lines: world.toSpliced(place, removed.length, ...lines), isOrdered: isOrdered && lines.length > 0 };
}

/** Some edits were taken back, and this is what is there now. */
export function undoneHunks(state: State, hunks: readonly ToldHunk[], texts: readonly string[]): State {
  const owners = hunks.flatMap(({ by }) => by);
  const lines = hunks.flatMap(({ start, count }) => state.real.slice(start, start + count));
  const isMixed = hunks.some((hunk) => hunk.isMixed);
  const real = linesFor(state, texts);
  const next = withWorlds(state, real, (omitted, world) =>
    !isMixed && owners.every((name) => omitted.some((one) => one === name)) ? world : undefined,
  );
  const writes = state.writes.map((write) => ({
    ...write,
    fresh: write.fresh.filter((line) => !lines.includes(line)),
    old: write.old.filter(({ text }) => !hunks.some(({ removed }) => removed.includes(text))),
  }));
  return { ...next, writes };
}
