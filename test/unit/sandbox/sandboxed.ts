import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { NoSandbox } from '../../../src/sandbox/launch.ts';
import { someOf } from '../../support/effort.ts';

export interface RunnerSetup {
  state: string;
  home: string;
  editorData: readonly string[];
  readable: readonly string[];
}

export interface RunnerInput {
  roots: readonly string[];
  cwd: string;
  line: string;
  network?: boolean;
  conversationId?: string;
  tellsBlocked?: boolean;
  /** To each question that comes up; absent, nobody can be asked. */
  answer?: 'allow' | 'refuse';
  /** Ports of this machine that stand for hosts, `name:port`; or the host itself. */
  hosts?: Readonly<Record<string, number | 'itself'>>;
  /** Git's data that the user lets the conversation write. */
  git?: string;
  /** Of this machine, that the user lets the conversation reach. */
  port?: number;
  /** Folder outside that the user lets the conversation read. */
  folder?: string;
  /** Folders of packages that are seen in the workspace too. */
  borrowed?: readonly { source: string; target: string }[];
  /** Files that the user lets this command see. */
  uncovered?: readonly string[];
  /** Goes on once it has printed something, until a later command has ended that does not keep it. */
  background?: boolean;
  keeps?: boolean;
  /** Ends every process that was started for commands before. */
  killsChildren?: boolean;
  /** Removes what the commands of all other conversations left, and runs nothing. */
  forgetAllBut?: string;
}

export type RunnerAnswer =
  | { unusable: NoSandbox }
  | {
      text: string;
      exitCode: number | null;
      hasEnded: boolean;
      appeared: readonly string[];
      loaded?: readonly string[];
      lost?: readonly string[];
      blocked?: readonly string[];
      /** In the order in which they came. */
      asked?: readonly string[];
      /** Connections that were made outside. */
      reached?: readonly string[];
      sent?: Readonly<Record<string, number>>;
    };

/** A machine in small: a home with secrets, the editor's data, somebody else's folder, and a workspace. */
export interface World {
  base: string;
  home: string;
  editorData: string;
  state: string;
  outside: string;
  /** New for each line. */
  ws: string;
}

/** What no output may hold. */
export const secret = 'canary-5f0e';

export interface Sandboxed {
  world: World;
  newWorkspace(): Promise<void>;
  /** Makes it belong to the user who runs the lines. */
  give(...places: string[]): Promise<void>;
  run(line: string, more?: Partial<RunnerInput>): Promise<RunnerAnswer>;
  close(): Promise<void>;
}

export interface User {
  uid: number;
  gid: number;
}

/** Root can let the lines run as somebody else; anybody else runs them as who they are. */
export const isRoot = process.getuid?.() === 0;
export const somebody: User = { uid: 65534, gid: 65534 };

interface Person {
  who: string;
  user?: User;
  owner?: User;
}

/** Who runs the lines, and whose workspace it is if somebody else's. Root can be each of them, anybody else only who they are. */
const everybody: readonly Person[] = isRoot
  ? [
      { who: 'root' },
      { who: 'somebody', user: somebody },
      { who: 'root over another’s files', owner: { uid: 4711, gid: 4711 } },
    ]
  : [{ who: 'somebody' }];

export const people: readonly Person[] = someOf(everybody, 3);

/** Somewhere that is seen in the sandbox if anything is: nothing else than the guard under test hides it. */
const seenFolder = '/opt';

/** As whoever starts commands for real does: a socket of another world may go between the look and the mount. */
const maxAttempts = 3;
const hasNotBegun = (answer: RunnerAnswer) =>
  'text' in answer && !answer.hasEnded && /^bwrap: Can't (?:create file|find source)/.test(answer.text);

export async function openSandboxed(
  user?: User,
  { owner, readable = [] }: { owner?: User | undefined; readable?: readonly string[] } = {},
): Promise<Sandboxed> {
  const parent = isRoot ? seenFolder : tmpdir();
  const base = await realpath(await mkdtemp(path.join(parent, 'svc-sandbox-')));
  const inBase = (name: string) => path.join(base, name);
  const world: World = {
    base,
    home: inBase('home'),
    editorData: inBase('editor'),
    state: inBase('editor/globalStorage/svc/sandbox'),
    outside: inBase('outside'),
    ws: '',
  };
  for (const folder of [world.home, world.state, world.outside, path.join(world.home, '.ssh')]) {
    await mkdir(folder, { recursive: true });
  }
  for (const file of ['home/.ssh/id_rsa', 'home/notes', 'editor/state.vscdb', 'outside/file']) {
    await writeFile(inBase(file), `${secret}\n`);
  }
  const give = async (...places: string[]) => {
    const to = owner ?? user;
    // Only workspaces and repositories are another's: the home and what the editor keeps are root's.
    const isRoots = (place: string) =>
      [world.home, world.editorData, world.outside].some((folder) => place.startsWith(folder));
    const given =
      owner === undefined
        ? places
        : places.flatMap((place) => (place === base ? world.ws : isRoots(place) ? [] : place));
    if (to === undefined || given.length === 0) return;
    const chown = spawn('chown', ['-R', '-h', `${to.uid}:${to.gid}`, ...given], { stdio: 'inherit' });
    await new Promise((resolve) => chown.once('close', resolve));
  };
  if (owner === undefined) await give(base);
  const setup: RunnerSetup = { state: world.state, home: world.home, editorData: [world.editorData], readable };
  // An editor has things open that what it starts inherits. Node closes those that follow each other from the first.
  const runner = [process.execPath, path.join(import.meta.dirname, 'sandbox-runner.ts'), JSON.stringify(setup)];
  const child = spawn('bash', ['-c', 'exec 77<"$0"; exec "$@"', inBase('outside/file'), ...runner], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: '/',
    env: {
      ...ownEnvironment(),
      HOME: world.home,
      MY_TOKEN: secret,
      SSH_AUTH_SOCK: `/tmp/${secret}`,
      SVC_PLAIN: 'plain',
    },
    ...user,
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let number = 0;
  const self: Sandboxed = {
    world,
    async newWorkspace() {
      world.ws = inBase(`ws${number++}`);
      await mkdir(path.join(world.ws, '.git/hooks'), { recursive: true });
      await writeFile(path.join(world.ws, '.git/config'), '[core]\n');
      await writeFile(path.join(world.ws, '.git/HEAD'), 'ref: refs/heads/main\n');
      await writeFile(path.join(world.ws, '.env'), `${secret}\n`);
      await writeFile(path.join(world.ws, 'a.txt'), 'a\n');
      await give(world.ws);
    },
    give,
    async run(line, more = {}) {
      const input: RunnerInput = { roots: [world.ws], cwd: world.ws, line, ...more };
      for (let looks = 1; ; looks++) {
        child.stdin.write(`${JSON.stringify(input)}\n`);
        const next = await answers.next();
        if (next.done) throw new Error('the runner ended');
        const answer = JSON.parse(next.value) as RunnerAnswer;
        if (looks === maxAttempts || !hasNotBegun(answer)) return answer;
      }
    },
    async close() {
      await ended(child);
      await rm(base, { recursive: true, force: true });
    },
  };
  return self;
}

/** Without what `npm run` sets, which would be taken for settings of the user. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('close', () => resolve());
    child.stdin?.end();
  });
}
