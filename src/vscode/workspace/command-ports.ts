import { homedir } from 'node:os';
import path from 'node:path';
import type * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { nameOfThis, sweepTemporary } from '../../base/temporary.ts';
import type { EditJournal } from '../../edits/apply/edit-ports.ts';
import type { Protection } from '../../files/protection.ts';
import type { Files, Workspace } from '../../files/workspace.ts';
import { createSandbox } from '../../sandbox/sandbox.ts';
import { createSeatbeltSandbox } from '../../sandbox/seatbelt/seatbelt-sandbox.ts';
import { type CommandSnapshots, createCommandSnapshots } from '../../tools/command/command-snapshots.ts';
import type { CommandSandbox } from '../../tools/command/execution-target.ts';
import { createOutputs } from '../../tools/command/outputs.ts';
import { createProcesses, type Processes } from '../../tools/command/processes.ts';
import type { RunCommandDeps } from '../../tools/run-command.ts';
import type { Log } from '../host/log.ts';
import type { Settings } from '../host/settings.ts';
import { createEditorReach } from './reach-adapter.ts';
import { createShell, type TerminalShell } from './shell-adapter.ts';
import type { WorktreePlace, WorktreePlaces } from './worktree-places.ts';

export interface CommandPortsDeps {
  context: vscode.ExtensionContext;
  workspace: Workspace;
  files: Files;
  settings: Pick<Settings, 'sandbox'>;
  /** Returns the folders in which the commands of a conversation run that does not work in the workspace. */
  worktrees: Pick<WorktreePlaces, 'of' | 'borrowed'>;
  protection(): Protection;
  log: Log;
  isStored(conversationId: string): Promise<boolean>;
}

export interface CommandTurn {
  conversationId: string;
  journal: EditJournal;
}

export interface CommandPorts extends vscode.Disposable {
  ports: RunCommandDeps;
  portsIn(place: Pick<WorktreePlace, 'workspace' | 'files'>): RunCommandDeps;
  shell: TerminalShell;
  processes: Processes;
  /** Starts the turn; the returned function ends it. */
  begin(turnId: string, turn: CommandTurn): () => void;
  ready(): Promise<void>;
  /** Removes homes, outputs and copies of conversations that are not stored, and of windows that were killed. */
  tidy(): Promise<void>;
  isSandboxed(): boolean;
}

export function createCommandPorts(deps: CommandPortsDeps): CommandPorts {
  const { context, workspace, files, settings, log } = deps;
  const foldersOf = (id: string | undefined) => (id === undefined ? undefined : deps.worktrees.of(id));
  const storage = path.join(context.globalStorageUri.fsPath, 'sandbox');
  const onMac = process.platform === 'darwin';
  const sandbox = (onMac ? createSeatbeltSandbox : createSandbox)({
    stateDir: storage,
    home: homedir(),
    // The folder of this extension's data lies in that of the editor's user.
    editorData: [path.dirname(path.dirname(context.globalStorageUri.fsPath))],
    roots: (id) => (foldersOf(id)?.workspace ?? workspace).roots().flatMap(({ fsPath }) => fsPath ?? []),
    borrowed: deps.worktrees.borrowed,
    protection: deps.protection,
    readable: () => settings.sandbox.readable(),
    writable: () => settings.sandbox.writable(),
    environment: process.env,
    clock: systemClock,
    log: log.info,
    network: {
      keeperFile: context.asAbsolutePath(path.join('dist', 'namespace-keeper.js')),
      reach: createEditorReach(),
    },
  });
  const shell = createShell({ clock: systemClock, log: log.info, sandbox });
  const processes = createProcesses({ shell, clock: systemClock });
  const allSnapshots: CommandSnapshots[] = [];
  const openSnapshots = (of: Pick<WorktreePlace, 'workspace' | 'files'>) => {
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
      shell.dispose();
      sandbox.close();
    },
  };
}
