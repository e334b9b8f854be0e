import assert from 'node:assert/strict';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { makeTemporary, nameOfThis } from '../../../src/base/temporary.ts';
import { createPlans } from '../../../src/conversation/store/plans.ts';
import { settledText, withWritten } from '../../../src/edits/pending/pending-text.ts';
import { toStored } from '../../../src/edits/pending/stored-text.ts';
import { createTrees } from '../../../src/features/git/core/trees.ts';
import { createWorktrees } from '../../../src/features/worktrees/core/worktrees.ts';
import { stateOf } from '../../../src/sandbox/command-plans.ts';
import { createPlaceholders } from '../../../src/sandbox/placeholders.ts';
import { createLedger } from '../../../src/spend/ledger.ts';
import { createReservations } from '../../../src/spend/reservations.ts';
import { openStateFile } from '../../../src/storage/state-file.ts';
import { openStoredTable } from '../../../src/storage/stored-table.ts';
import { openStoredValues } from '../../../src/storage/stored-values.ts';
import { createCommandSnapshots } from '../../../src/tools/command/command-snapshots.ts';
import { createOutputs } from '../../../src/tools/command/outputs.ts';
import { openGitProgram } from '../../../src/tools/git/git-program.ts';
import { gitPath } from '../../support/git-in.ts';
import { converse, openMachine } from '../conversation/machine.ts';
import { appendAll, openStore, storeOne, turnOf } from '../conversation/store-samples.ts';
import { openFolders } from '../tools/workspace.ts';

/** The folders of one machine: `storage` and `ws` are made in it, and `repository` is one of git's. */
export interface Places {
  top: string;
  machine: string;
  workspace: string;
  repository: string;
}

export const placesIn = (top: string): Places => ({
  top,
  machine: path.join(top, 'storage'),
  workspace: path.join(top, 'of-workspace'),
  repository: path.join(top, 'repository'),
});

export const clock = { epochMs: () => 1_700_000_000_000 };
const { signal } = new AbortController();
const onError = assert.ifError;
const origin = { conversationId: 'alpha', turnId: 't1', callId: 'c1' };
const openGit = (folder: string, _signal: AbortSignal, known?: { movedFrom: string }) =>
  openGitProgram(gitPath, folder, signal, known);

/**
 * Writes everything that is kept, by the parts that write it, one step after the other. In the middle of each,
 * `inside` is called.
 */
export const steps: Readonly<Record<string, (at: Places, inside: () => Promise<void>) => Promise<void>>> = {
  async conversation({ top, machine }, inside) {
    const opened = await openMachine(top);
    await converse(opened, 'alpha', 1);
    await converse(opened, 'beta', 2);
    await opened.store.remove('beta');
    await opened.store.list();
    const running = openStore(machine);
    await storeOne(running, 'running', 3);
    await appendAll(running, 'running', turnOf(4).slice(0, 2));
    await inside();
    await running.dispose();
  },
  async image({ top }, inside) {
    const { images } = await openMachine(top);
    await images.toFile(await images.add('data:image/png;base64,AAAA'), 'png');
    await inside();
  },
  async plan({ machine }, inside) {
    const plans = createPlans({ dir: machine, unsaved: () => undefined });
    await plans.write('alpha', 'canary of alpha: first this');
    await inside();
  },
  async output({ machine }, inside) {
    const outputs = createOutputs(() => path.join(machine, 'sandbox', 'alpha', 'output'));
    await outputs.keep({ turnId: 't1', callId: 'c1' }, 'canary of alpha');
    await inside();
  },
  async home({ machine, repository }, inside) {
    const { home } = await stateOf(path.join(machine, 'sandbox', 'alpha'));
    await writeFile(path.join(home, '.npmrc'), 'canary of alpha');
    const giveBack = await createPlaceholders(path.join(machine, 'sandbox')).take([
      { place: path.join(repository, '.vscode') },
    ]);
    await inside();
    await giveBack();
  },
  async snapshots({ machine, repository }, inside) {
    const dir = path.join(machine, 'sandbox', `${nameOfThis('snapshots')}-0`);
    const snapshots = createCommandSnapshots({ ...openFolders({ ws: repository }), dir });
    await snapshots.before(signal);
    await inside();
    await snapshots.dispose();
  },
  async index({ repository }, inside) {
    const trees = createTrees(await openGit(repository, signal), repository, () => new Error() as never);
    await trees.withIndex('copy', inside);
  },
  async split(_at, inside) {
    await makeTemporary('hunks');
    await inside();
  },
  async worktree({ machine, repository }, inside) {
    const dir = path.join(machine, 'worktrees');
    const worktrees = createWorktrees({
      dir,
      async openGit(folder, _signal, known) {
        const program = await openGit(folder, signal, known);
        return {
          ...program,
          async run(args, options) {
            if (args[0] === 'apply') await inside();
            return program.run(args, options);
          },
        };
      },
    });
    for (const name of ['gone', 'task']) {
      const folder = await worktrees.add({ repository, name }, signal);
      await writeFile(path.join(folder, 'a.txt'), 'canary of alpha');
      if (name === 'gone') await worktrees.remove(folder, signal);
    }
  },
  async money({ machine }, inside) {
    const dir = path.join(machine, 'ledger');
    const ledger = createLedger({ dir, clock });
    const usage = { promptTokens: 900, completionTokens: 100, totalTokens: 1000, microUsd: 330, estimated: false };
    const paid = { model: 'm', surface: 'chat', conversationId: 'alpha', charge: 'yes', outcome: 'complete' } as const;
    await ledger.record({ id: 'r1', at: clock.epochMs(), ...paid, ...usage });
    const reservation = createReservations({ dir, clock }).open({ model: 'm', surface: 'chat', promptTokens: 9 });
    await reservation.written;
    await inside();
    await reservation.end();
    await ledger.close();
  },
  async models({ machine }, inside) {
    const values = await openStoredValues({ dir: path.join(machine, 'models'), onError });
    openStoredTable({ values, name: 'learned', max: 9 }).save({ m: { contextTokens: 32_768 } });
    await values.flush();
    await inside();
  },
  async drafts({ workspace }, inside) {
    const values = await openStoredValues({ dir: path.join(workspace, 'unsent'), onError });
    await values.update('draft.sideBar.alpha', { text: 'canary of alpha', unsent: [] });
    await values.update('queue.alpha', [{ id: 'q1', text: 'canary of alpha', attachments: [] }]);
    await writeFile(path.join(workspace, 'unsent', 'bad.json'), '{"half');
    await openStoredValues({ dir: path.join(workspace, 'unsent'), onError: () => undefined });
    await inside();
  },
  async edits({ workspace }, inside) {
    const text = toStored(withWritten(settledText('one\ntwo\n'), 'one\n2\n', origin));
    const row = { uri: 'file:///ws/a.txt', path: 'a.txt', kind: 'edited', text };
    for (const [name, rows] of [
      ['undecided-edits.json', [row]],
      ['edit-outcomes.json', [{ ...origin, outcome: 'kept' }]],
      [
        'proposals.json',
        [
          {
            ...origin,
            uri: 'svc-proposal:/a',
            root: 'file:///ws',
            place: 'a',
            path: 'a',
            before: '',
            text: 'x',
            isNew: true,
          },
        ],
      ],
    ] as const) {
      const file = await openStateFile({ file: path.join(workspace, name), onError }, z.unknown());
      await file.follow(() => rows).flush();
    }
    await inside();
  },
  async 'a write that is cut short'({ machine, workspace }, inside) {
    for (const file of [path.join(machine, 'conversations', 'index.json'), path.join(workspace, 'proposals.json')]) {
      await mkdir(path.dirname(file), { recursive: true });
      await appendFile(`${file}.0f8fad5b.tmp`, 'canary of alpha');
    }
    await inside();
  },
};
