import { ToolError } from '../../agent/tool.ts';
import type { Clock } from '../../base/clock.ts';
import { createEmitter, type Event } from '../../base/emitter.ts';
import { createTextTail, type TextTail } from '../../base/text-tail.ts';
import type { Blocked } from '../../sandbox/blocked.ts';
import { blockedInBackground } from '../../sandbox/sandbox-words.ts';
import type { ExecutionTarget } from '../../shared/approval.ts';
import type { Shell, ShellCommand, ShellResult } from './shell.ts';
import { createLineJoiner, createTerminalText, type LineJoiner } from './terminal-text.ts';

export interface ProcessInfo {
  id: string;
  conversationId: string;
  commandLine: string;
  /** Says where the process runs. Input to one outside of the sandbox needs an approval. */
  place: ExecutionTarget;
  run: string;
  startedAt: number;
  state: 'running' | 'ended' | 'stopped';
  exitCode?: number;
  appeared?: readonly string[];
  loaded?: readonly string[];
}

export interface ReadOptions {
  until?: string | undefined;
  waitSeconds?: number | undefined;
}

export interface Processes {
  /**
   * Resolves when the program is quiet for a second, after five seconds, or at its end. Rejects with `ToolError` when
   * it cannot be started.
   */
  start(
    conversationId: string,
    command: ShellCommand,
    signal: AbortSignal,
  ): Promise<{ info: ProcessInfo; text: string }>;
  list(conversationId: string): readonly ProcessInfo[];
  any(): boolean;
  running(): readonly ProcessInfo[];
  find(conversationId: string, id: string): ProcessInfo;
  read(conversationId: string, id: string, options: ReadOptions, signal: AbortSignal): Promise<string>;
  send(conversationId: string, id: string, text: string): void;
  stop(conversationId: string, id: string): Promise<void>;
  stopAll(conversationId?: string): Promise<void>;
  onDidChange: Event;
}

export interface ProcessesDeps {
  shell: Pick<Shell, 'run'>;
  clock: Clock;
}

const maxRunning = 8;
const maxListed = 24;
const quietMs = 1000;
const maxStartMs = 5000;
const maxReadMs = 120_000;
const maxRunMs = 4 * 60 * 60 * 1000;
const unreadLength = 256 * 1024;

interface Running {
  info: ProcessInfo;
  unread: TextTail;
  lines: LineJoiner;
  input: ((text: string) => void) | undefined;
  stop: AbortController;
  ended: Promise<unknown>;
  lastOutputAt: number;
  onOutput: Set<() => void>;
}

/** Manages the background programs of all conversations of this window. No program outlives the window. */
export function createProcesses({ shell, clock }: ProcessesDeps): Processes {
  const all = new Map<string, Map<string, Running>>();
  const changes = createEmitter();
  let count = 0;
  const of = (conversationId: string) => {
    const found = all.get(conversationId) ?? new Map<string, Running>();
    all.set(conversationId, found);
    return found;
  };
  const find = (conversationId: string, id: string): Running => {
    const mine = [...of(conversationId).values()].filter(({ info }) => info.state === 'running');
    // Some agents know one process only, and name none.
    const found = id === '' && mine.length === 1 ? mine[0] : of(conversationId).get(id);
    if (found !== undefined) return found;
    const ids = [...of(conversationId).keys()].join(', ');
    throw new ToolError(
      ids === '' ? 'Nothing runs in the background.' : `There is no process "${id}". There are: ${ids}.`,
    );
  };
  const waited = async (running: Running, ms: number, signal: AbortSignal, isEnough: () => boolean) => {
    const until = clock.now() + ms;
    while (running.info.state === 'running' && !signal.aborted && !isEnough() && clock.now() < until) {
      const next = Promise.withResolvers<void>();
      const wake = () => next.resolve();
      running.onOutput.add(wake);
      const cancel = clock.after(Math.min(quietMs / 4, Math.max(1, until - clock.now())), wake);
      signal.addEventListener('abort', wake, { once: true });
      await next.promise;
      signal.removeEventListener('abort', wake);
      cancel();
      running.onOutput.delete(wake);
    }
  };
  const take = (running: Running): string => {
    // A prompt waits behind a line that has no end.
    running.lines.flush();
    return running.unread.take();
  };
  const begin = (conversationId: string, command: ShellCommand): Running => {
    const stop = new AbortController();
    const clean = createTerminalText();
    const info: ProcessInfo = {
      id: `p${++count}`,
      conversationId,
      commandLine: command.commandLine,
      place: placeOf(command),
      run: command.run ?? '',
      startedAt: clock.epochMs(),
      state: 'running',
    };
    const running: Running = {
      ...{
        info,
        unread: createTextTail(unreadLength),
        input: undefined,
        stop,
        lastOutputAt: clock.now(),
        onOutput: new Set(),
      },
      lines: createLineJoiner((text) => running.unread.push(text)),
      ended: Promise.resolve(),
    };
    const { lines } = running;
    const wake = () => {
      for (const listener of running.onOutput) listener();
    };
    const cancel = clock.after(maxRunMs, () => stop.abort());
    const finish = (result?: ShellResult) => {
      cancel();
      lines.flush();
      info.state = stop.signal.aborted ? 'stopped' : 'ended';
      if (result?.exitCode !== undefined) info.exitCode = result.exitCode;
      if (result?.appeared !== undefined) info.appeared = result.appeared;
      if (result?.loaded !== undefined) info.loaded = result.loaded;
      running.input = undefined;
      wake();
      changes.fire();
    };
    const listener = {
      started(input?: (text: string) => void) {
        running.input = input;
      },
      blocked(what: Blocked) {
        lines.push(`\n[${blockedInBackground(what)}]\n`);
        wake();
      },
      output(chunk: string) {
        running.lastOutputAt = clock.now();
        lines.push(clean(chunk));
        wake();
      },
    };
    running.ended = shell.run(command, listener, stop.signal).then(finish, (error: unknown) => {
      running.unread.push(error instanceof ToolError ? error.message : 'It could not be started.');
      finish();
      if (!(error instanceof ToolError)) throw error;
    });
    running.ended.catch(() => undefined);
    return running;
  };

  return {
    async start(conversationId, command, signal) {
      const mine = of(conversationId);
      if ([...mine.values()].filter(({ info }) => info.state === 'running').length >= maxRunning)
        throw new ToolError(`${maxRunning} processes run in the background already. Stop one first.`);
      const running = begin(conversationId, command);
      mine.set(running.info.id, running);
      for (const [id, { info }] of mine) {
        if (mine.size > maxListed && info.state !== 'running') mine.delete(id);
      }
      changes.fire();
      const startedAt = clock.now();
      const isQuiet = () =>
        clock.now() - Math.max(running.lastOutputAt, startedAt) >= quietMs && waiting(running) !== '';
      await waited(running, maxStartMs, signal, isQuiet);
      return { info: running.info, text: take(running) };
    },
    any: () => [...all.values()].some(({ size }) => size > 0),
    list: (conversationId) => [...(all.get(conversationId)?.values() ?? [])].map(({ info }) => info),
    running: () =>
      [...all.values()].flatMap((mine) =>
        [...mine.values()].flatMap(({ info }) => (info.state === 'running' ? [info] : [])),
      ),
    find: (conversationId, id) => find(conversationId, id).info,
    async read(conversationId, id, { until, waitSeconds = 0 }, signal) {
      const running = find(conversationId, id);
      const ms = Math.min(Math.max(waitSeconds, 0) * 1000, maxReadMs);
      const isThere = () => until !== undefined && until !== '' && waiting(running).includes(until);
      await waited(running, ms, signal, isThere);
      return take(running);
    },
    send(conversationId, id, text) {
      const { info, input } = find(conversationId, id);
      if (info.state !== 'running' || input === undefined)
        throw new ToolError(`Process ${id} takes no input any more.`);
      input(text);
    },
    async stop(conversationId, id) {
      const running = find(conversationId, id);
      running.stop.abort();
      await running.ended;
    },
    async stopAll(conversationId) {
      const ended = [...all].filter(([id]) => conversationId === undefined || id === conversationId);
      const running = ended.flatMap(([, mine]) => [...mine.values()]);
      for (const { stop } of running) stop.abort();
      for (const [id] of ended) all.delete(id);
      await Promise.allSettled(running.map((each) => each.ended));
      changes.fire();
    },
    onDidChange: changes.event,
  };
}

function waiting({ unread, lines }: Running): string {
  return unread.text() + lines.unfinished();
}

function placeOf({ sandbox }: ShellCommand): ExecutionTarget {
  if (sandbox === undefined) return 'outside';
  return sandbox.level === 'network' ? 'network' : 'sandbox';
}
