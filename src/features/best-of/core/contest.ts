import path from 'node:path';
import * as z from 'zod/mini';
import { ToolError } from '../../../agent/tool.ts';
import { createSerial } from '../../../base/serial.ts';
import { estimateTokens } from '../../../service/tokens.ts';
import { attachment } from '../../../shared/event-schema.ts';
import type { WorktreeChange, Worktrees } from '../../worktrees/core/worktrees.ts';
import { judgesWork } from './test-files.ts';

const count = z.number();
const testRun = z.object({
  exitCode: z.optional(count),
  failed: z.optional(count),
  said: z.string(),
});
export interface TestRun extends z.infer<typeof testRun> {}

const figures = z.object({
  requests: count,
  microUsd: count,
  estimated: z.boolean(),
  ms: count,
  others: z.array(z.string()),
});
export interface Figures extends z.infer<typeof figures> {}

const ended = z.extend(figures, {
  outcome: z.enum(['finished', 'stopped', 'failed', 'limit', 'interrupted']),
  why: z.optional(z.string()),
});
export interface Ended extends z.infer<typeof ended> {}

const entry = z.object({
  model: z.string(),
  capMicroUsd: count,
  run: z.object({ steps: count, stepTokens: count }),
  folder: z.optional(z.string()),
  conversationId: z.optional(z.string()),
  ended: z.optional(ended),
  changes: z.optional(
    z.object({ files: count, hunks: count, tokens: count, paths: z.array(z.string()), tests: z.array(z.string()) }),
  ),
  own: z.optional(testRun),
  /** Is there where the model changed tests: the same work with the tests that were there before. */
  held: z.optional(testRun),
  problem: z.optional(z.string()),
});
export interface Entry extends z.infer<typeof entry> {}

/** Everything that a later window needs to say where each model stood, and to go on. */
export const contestSchema = z.object({
  id: z.string(),
  name: z.string(),
  repository: z.string(),
  roots: z.array(z.object({ name: z.string(), path: z.string() })),
  tree: z.string(),
  task: z.string(),
  attachments: z.array(attachment),
  test: z.optional(z.string()),
  /** The command with the scripts that it runs. */
  judge: z.optional(z.string()),
  base: z.optional(testRun),
  entries: z.array(entry),
});
export interface Contest extends z.infer<typeof contestSchema> {}

/** More of a patch is not shown to a model that is asked for its opinion. */
export const maxPatch = 60_000;

export type Phase = 'waits' | 'works' | 'tests';

export interface ContestPorts {
  dir: string;
  worktrees: Pick<Worktrees, 'add' | 'inspect' | 'bytes' | 'without' | 'patch' | 'discard'>;
  /** Begins or goes on with the turn of a model, and resolves at its end. `begins` is called before anything is sent. */
  work(entry: Entry, begins: (conversationId: string) => Promise<void>, signal: AbortSignal): Promise<Ended>;
  test(folder: string, line: string, signal: AbortSignal): Promise<TestRun>;
  /** Is asked where the tests cannot be run, before anything costs. */
  withoutTests(base: TestRun): Promise<boolean>;
  changed(): void;
  save(): Promise<void>;
}

export interface RunningContest {
  base: boolean;
  phases: ReadonlyMap<Entry, Phase>;
  /** Resolves when all that can be done is done. Skips what an earlier run did. */
  run(signal: AbortSignal, atOnce: number): Promise<void>;
}

export function isOver({ ended }: Entry): boolean {
  return ended?.outcome === 'finished' || ended?.outcome === 'limit';
}

export function isDone({ test, entries }: Contest): boolean {
  return entries.every((each) => isOver(each) && each.changes && (test === undefined || each.own));
}

/**
 * Has several models do one task, each in a worktree of its own, and runs the user's tests before and after it, each time
 * in a fresh worktree: nothing that a model or an earlier run of the tests left behind counts.
 */
export function createRunningContest(contest: Contest, ports: ContestPorts): RunningContest {
  const { worktrees } = ports;
  const { repository } = contest;
  const never = new AbortController().signal;
  // Git would be in its own way.
  const inTurn = createSerial();
  const phases = new Map<Entry, Phase>();
  const running = { base: false };
  const to = (one: Entry, phase: Phase | undefined) => {
    if (phase === undefined) phases.delete(one);
    else phases.set(one, phase);
    ports.changed();
  };
  const make = (name: string, tree: string, signal: AbortSignal) =>
    inTurn(async () => {
      // An earlier window may have been killed while it made one.
      await worktrees.discard(repository, path.join(ports.dir, name), never);
      return worktrees.add({ repository, name, tree }, signal);
    });

  async function judged(what: string, tree: string, line: string, signal: AbortSignal): Promise<TestRun> {
    const folder = await make(`${contest.name}-tests-${what}`, tree, signal);
    try {
      return await ports.test(folder, line, signal);
    } finally {
      await inTurn(() => worktrees.discard(repository, folder, never));
    }
  }

  async function judgeBase(signal: AbortSignal): Promise<boolean> {
    const { test, base } = contest;
    if (test === undefined || (base !== undefined && canRun(base))) return true;
    running.base = true;
    ports.changed();
    const run = await judged('base', contest.tree, test, signal).finally(() => {
      running.base = false;
    });
    if (signal.aborted) return false;
    contest.base = run;
    if (!canRun(run)) {
      if (!(await ports.withoutTests(run))) return false;
      delete contest.test;
    }
    await ports.save();
    return true;
  }

  async function runEntry(one: Entry, signal: AbortSignal): Promise<void> {
    const number = contest.entries.indexOf(one) + 1;
    if (one.conversationId === undefined) {
      one.folder = await make(`${contest.name}-${number}`, contest.tree, signal);
      await ports.save();
    }
    if (!isOver(one)) {
      to(one, 'works');
      for (const stale of ['ended', 'changes', 'own', 'held'] as const) delete one[stale];
      const begins = async (conversationId: string) => {
        one.conversationId = conversationId;
        await ports.save();
      };
      one.ended = await ports.work(one, begins, signal);
      await ports.save();
    }
    await look(one, number, signal);
  }

  async function look(one: Entry, number: number, signal: AbortSignal): Promise<void> {
    const { test, judge = '' } = contest;
    const { folder } = one;
    if (folder === undefined || (one.changes && (test === undefined || one.own))) return;
    to(one, 'tests');
    const { tree, changes } = await worktrees.inspect(folder, never);
    const patch = await worktrees.patch(folder, tree, never);
    const tests = test === undefined ? [] : await testsIn(folder, changes, judge);
    one.changes = {
      files: changes.length,
      hunks: patch.match(/^@@ /gm)?.length ?? 0,
      paths: changes.map((change) => change.path),
      tokens: estimateTokens(patch.slice(0, maxPatch)),
      tests: tests.map((change) => change.path),
    };
    await ports.save();
    if (test === undefined || signal.aborted) return;
    const own = await judged(`${number}`, tree, test, signal);
    const before = tests.length > 0 ? await worktrees.without(folder, tree, tests, never) : undefined;
    const held = before && !signal.aborted ? await judged(`${number}-before`, before, test, signal) : undefined;
    if (signal.aborted) return;
    one.own = own;
    if (held) one.held = held;
    await ports.save();
  }

  async function testsIn(folder: string, changes: readonly WorktreeChange[], line: string): Promise<WorktreeChange[]> {
    const inside = contest.roots[0]?.path ?? '';
    const sides = changes.flatMap((change) => (['before', 'after'] as const).map((side) => ({ change, side })));
    const texts = (await worktrees.bytes(folder, sides, never)).map((bytes) => bytes && Buffer.from(bytes).toString());
    return changes.filter((change, at) => {
      const name =
        inside !== '' && change.path.startsWith(`${inside}/`) ? change.path.slice(inside.length + 1) : change.path;
      return judgesWork({ path: name, before: texts[at * 2], after: texts[at * 2 + 1] }, line);
    });
  }

  return {
    get base() {
      return running.base;
    },
    phases,
    async run(signal, atOnce) {
      if (!(await judgeBase(signal))) return;
      const left = contest.entries.filter((one) => !isDone({ ...contest, entries: [one] }));
      for (const one of left) to(one, 'waits');
      const lane = async () => {
        for (let one = left.shift(); one !== undefined && !signal.aborted; one = left.shift()) {
          delete one.problem;
          try {
            await runEntry(one, signal);
          } catch (error) {
            if (!signal.aborted) one.problem = error instanceof ToolError ? error.message : String(error);
            await ports.save();
          } finally {
            to(one, undefined);
          }
        }
      };
      await Promise.all(Array.from({ length: atOnce }, lane));
      phases.clear();
      ports.changed();
    },
  };
}

/** A shell answers so where a program is missing or may not be run. */
function canRun({ exitCode }: TestRun): boolean {
  return exitCode !== undefined && exitCode !== 126 && exitCode !== 127;
}
