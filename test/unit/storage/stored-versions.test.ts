import assert from 'node:assert/strict';
import { appendFile, cp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'mocha';
import * as z from 'zod/mini';
import { createPlans } from '../../../src/conversation/store/plans.ts';
import { createConversationStore } from '../../../src/conversation/store/store.ts';
import { openManifest } from '../../../src/edits/checkpoints/checkpoint-manifest.ts';
import { currentText } from '../../../src/edits/pending/pending-text.ts';
import { fromStored, storedText } from '../../../src/edits/pending/stored-text.ts';
import { createLedger } from '../../../src/spend/ledger.ts';
import { encodeLine } from '../../../src/storage/log-line.ts';
import { openStateFile } from '../../../src/storage/state-file.ts';
import { openStoredValues } from '../../../src/storage/stored-values.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { clock } from './everything.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/stored/', import.meta.url));
const row = z.looseObject({ uri: z.string(), text: storedText });

/** What a folder holds, as the present version shows it, and what it says it cannot show. */
async function opened(dir: string) {
  const [machine, workspace] = [path.join(dir, 'machine'), path.join(dir, 'workspace')];
  const told: unknown[] = [];
  const onError = (error: unknown) => void told.push(error instanceof Error ? error.message : error);
  const store = createConversationStore({
    dir: machine,
    clock: { epochMs: Date.now, after: () => () => undefined },
    newId: () => 'window',
    onDamage: (damage) => void told.push(damage),
  });
  const plans = createPlans({ dir: machine, unsaved: () => undefined });
  const ledger = createLedger({ dir: path.join(machine, 'ledger'), clock });
  await ledger.refresh();
  const drafts = await openStoredValues({ dir: path.join(workspace, 'unsent'), onError });
  const models = await openStoredValues({ dir: path.join(machine, 'models'), onError });
  const edits = await openStateFile({ file: path.join(workspace, 'undecided-edits.json'), onError }, row);
  const manifest = openManifest(path.join(machine, 'checkpoints', 'manifest.jsonl'));
  return {
    store,
    drafts,
    edits,
    told,
    shown: {
      events: (await store.read('alpha'))?.map(({ type }) => type),
      removed: (await store.listRemoved()).map(({ summary }) => summary.title),
      plan: (await plans.read('alpha'))?.text,
      paid: (await ledger.conversation('alpha')).microUsd,
      draft: drafts.get('draft.sideBar.alpha'),
      learned: models.get('learned.m'),
      edits: edits.stored.map(({ text }) => currentText(fromStored(text))),
      checkpoints: (await manifest.all()).map(({ type }) => type),
    },
    async close() {
      await Promise.all([store.dispose(), manifest.close(), ledger.close(), drafts.flush()]);
    },
  };
}

const withFolder = (version: string, use: (dir: string) => Promise<void>) =>
  withTempDir(async (dir) => {
    await cp(path.join(fixtures, version), dir, { recursive: true });
    await use(dir);
  });

describe('a folder that another version stored', () => {
  it('E04 E19 is opened whole by this one, whichever released version it is from', async () => {
    const versions = await readdir(fixtures);
    assert.ok(versions.includes('1'));
    for (const version of versions)
      await withFolder(version, async (dir) => {
        const { shown, told, close } = await opened(dir);
        assert.deepEqual(told, [], version);
        assert.deepEqual(shown, JSON.parse(await readFile(path.join(dir, 'shown.json'), 'utf8')), version);
        await close();
      });
  });

  it('E04 E19 a later one loses nothing where this one writes, and is told of', () =>
    withFolder('1', async (dir) => {
      const [machine, workspace] = [path.join(dir, 'machine'), path.join(dir, 'workspace')];
      const event = { type: 'dreamed', turnId: 't9', of: 'a later version' };
      const conversation = path.join(machine, 'conversations', 'alpha.jsonl');
      await appendFile(conversation, encodeLine(JSON.stringify(event), 'd'));
      const laterDraft = JSON.stringify({ v: 2, key: 'draft.sideBar.alpha', value: { lines: ['later'] } });
      const draftFile = path.join(workspace, 'unsent', 'draft.sideBar.alpha.json');
      await writeFile(draftFile, laterDraft);
      const editsFile = path.join(workspace, 'undecided-edits.json');
      const laterEdit = { v: 2, moves: [1, 2] };
      const rows: unknown[] = JSON.parse(await readFile(editsFile, 'utf8'));
      await writeFile(editsFile, JSON.stringify([laterEdit, ...rows]));

      const { store, drafts, edits, shown, told, close } = await opened(dir);
      const before = JSON.parse(await readFile(path.join(dir, 'shown.json'), 'utf8'));
      assert.deepEqual(shown, { ...before, draft: undefined });
      assert.equal(told.length, 3, JSON.stringify(told));
      assert.deepEqual(told.at(-1), { id: 'alpha', damaged: 0, later: 1 });

      await store.append('alpha', { type: 'titleChanged', title: 'Here' });
      await drafts.update('draft.sideBar.alpha', { text: 'here', unsent: [] });
      await edits.follow(() => edits.stored).flush();
      await close();
      assert.ok((await store.readRecords('alpha'))?.some((record) => JSON.stringify(record) === JSON.stringify(event)));
      assert.equal(await readFile(`${draftFile}.later`, 'utf8'), laterDraft);
      assert.deepEqual(JSON.parse(await readFile(editsFile, 'utf8')), [laterEdit, ...rows]);
    }));

  it('E04 a later one finds its own again, where this one has written nothing since', () =>
    withFolder('1', async (dir) => {
      const unsent = path.join(dir, 'workspace', 'unsent');
      const [name = ''] = (await readdir(unsent)).filter((file) => file.startsWith('draft.'));
      const text = await readFile(path.join(unsent, name), 'utf8');
      await writeFile(path.join(unsent, name), text.replace('"v":1', '"v":2'));
      await (await opened(dir)).close();
      // As the later version will see it: as its own.
      await writeFile(path.join(unsent, `${name}.later`), text);
      const { drafts, told, close } = await opened(dir);
      assert.deepEqual([drafts.get('draft.sideBar.alpha'), told], [JSON.parse(text).value, []]);
      await close();
    }));
});
