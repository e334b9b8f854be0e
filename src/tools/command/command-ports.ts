import { homedir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { nameOfThis, sweepTemporary } from '../../base/temporary.ts';
import type { CommandJournal } from '../../edits/apply/edit-ports.ts';
import type { Protection } from '../../files/protection.ts';
import type { Files, Workspace } from '../../files/workspace.ts';
import type { SandboxDeps } from '../../sandbox/plan/plan-input.ts';
import { createSandbox, type Sandbox } from '../../sandbox/sandbox.ts';
import { createSeatbeltSandbox } from '../../sandbox/seatbelt/seatbelt-sandbox.ts';
import type { RunCommandDeps } from '../run-command.ts';
import { type CommandSnapshots, createCommandSnapshots } from './command-snapshots.ts';
import type { CommandSandbox } from './execution-target.ts';
import { createOutputs } from './outputs.ts';
import { createProcesses, type Processes } from './processes.ts';
import type { Shell } from './shell.ts';

type Place = { workspace: Workspace; files: Files };

export interface CommandPortsDeps<OwnShell extends Shell> extends Pick<SandboxDeps, 'editorData' | 'network'> {
  dir: string;
  workspace: Workspace;
  files: Files;
  settings: { sandbox: Pick<CommandSandbox, 'mode' | 'choose'> & Pick<SandboxDeps, 'readable' | 'writable'> };
  /** Returns the folders in which the commands of a conversation run that does not work in the workspace. */
  worktrees: { of(conversationId: string): Pick<Place, 'workspace'> | undefined } & Pick<SandboxDeps, 'borrowed'>;
  protection(): Protection;
  createShell(sandbox: Pick<Sandbox, 'launch'>): OwnShell;
  log: { info(line: string): void; error(line: string, error?: unknown): void };
  isStored(conversationId: string): Promise<boolean>;
}

export interface CommandTurn {
  conversationId: string;
  journal: CommandJournal;
}

export interface CommandPorts<OwnShell extends Shell = Shell> {
  ports: RunCommandDeps;
  portsIn(place: Place): RunCommandDeps;
  shell: OwnShell;
  processes: Processes;
  begin(turnId: string, turn: CommandTurn): () => void;
  ready(): Promise<void>;
  /** Removes homes, outputs and copies of conversations that are not stored, and of windows that were killed. */
  tidy(): Promise<void>;
  isSandboxed(): boolean;
  dispose(): void;
}

export function createCommandPorts<OwnShell extends Shell>(deps: CommandPortsDeps<OwnShell>): CommandPorts<OwnShell> {
  const { dir, workspace, files, settings, log } = deps;
  const foldersOf = (id: string | undefined) => (id === undefined ? undefined : deps.worktrees.of(id));
  const storage = path.join(dir, 'sandbox');
  const onMac = process.platform === 'darwin';
  const sandbox = (onMac ? createSeatbeltSandbox : createSandbox)({
    stateDir: storage,
    home: homedir(),
    editorData: deps.editorData,
    roots: (id) => (foldersOf(id)?.workspace ?? workspace).roots().flatMap(({ fsPath }) => fsPath ?? []),
    borrowed: deps.worktrees.borrowed,
    protection: deps.protection,
    readable: settings.sandbox.readable,
    writable: settings.sandbox.writable,
    environment: process.env,
    clock: systemClock,
    log: log.info,
    network: deps.network,
  });
  const shell = deps.createShell(sandbox);
  const processes = createProcesses({ shell, clock: systemClock });
  const allSnapshots: CommandSnapshots[] = [];
  const openSnapshots = (of: Place) => {
    const dir = path.join(storage, `${nameOfThis('snapshots')}-${allSnapshots.length}`);
    const snapshots = createCommandSnapshots({ ...of, dir });
    allSnapshots.push(snapshots);
    return snapshots;
  };
  const turns = new Map<string, CommandTurn>();
  const turnOf = (turnId: string): CommandTurn => {
    const turn = turns.get(turnId);
    if (turn === undefined) throw new Error('A command of a turn that does not run');
    return turn;
  };
  /** The sandbox has not been proven on a Mac yet, so it is used there only when the user turned it on. */
  const unusable: CommandSandbox['unusable'] = async () =>
    onMac && settings.sandbox.mode() !== 'on' ? 'system' : sandbox.unusable();
  let works = false;
  let isTidied = false;
  const onlyHere: CommandSandbox = {
    unusable,
    mode: settings.sandbox.mode,
    choose: settings.sandbox.choose,
  };
  const ports: RunCommandDeps = {
    ...{ workspace, files, shell, processes, clock: systemClock, sandbox: onlyHere, grants: sandbox },
    conversationOf: (turnId) => turnOf(turnId).conversationId,
    outputs: createOutputs((turnId) => path.join(storage, turnOf(turnId).conversationId, 'output')),
    undo: { snapshots: openSnapshots({ workspace, files }), journalOf: (turnId) => turnOf(turnId).journal },
  };
  const tidy = async (): Promise<void> => {
    try {
      await sweepTemporary();
      await sandbox.forget(deps.isStored);
    } catch (error) {
      log.error('Old files of commands could not be removed', error);
    }
  };
  return {
    ports,
    tidy,
    portsIn: (place) => ({
      ...ports,
      ...{ workspace: place.workspace, files: place.files },
      undo: { snapshots: openSnapshots(place), journalOf: (turnId) => turnOf(turnId).journal },
    }),
    shell,
    processes,
    begin(turnId, turn) {
      turns.set(turnId, turn);
      return () => turns.delete(turnId);
    },
    async ready() {
      works = settings.sandbox.mode() !== 'off' && (await unusable()) === undefined;
      if (isTidied) return;
      isTidied = true;
      void tidy();
    },
    isSandboxed: () => works,
    dispose() {
      void processes.stopAll();
      for (const snapshots of allSnapshots) void snapshots.dispose();
      sandbox.close();
    },
  };
}
