import { ofConversation } from '../../src/edits/pending/edit-origin.ts';
import type { PendingText } from '../../src/edits/pending/hunks.ts';
import { settledText } from '../../src/edits/pending/pending-text.ts';
import type { EditStore } from '../../src/vscode/edits/edit-store.ts';
import { createFakeEditor, type OnSave } from './fake-editor.ts';
import { workspace as editor, person, Range, Uri } from './fake-vscode.ts';
import { createNodeCodec } from './node-codec.ts';
import type { Change, Subject } from './undo-judge.ts';
import { tellOf } from './undo-oracle.ts';
import { importWithVscodeStub } from './vscode-stub.ts';

const source = (name: string) => new URL(`../../src/vscode/${name}.ts`, import.meta.url);
const { createEditStore } = await importWithVscodeStub<typeof import('../../src/vscode/edits/edit-store.ts')>(
  source('edits/edit-store'),
);
const { createFileWriter } = await importWithVscodeStub<typeof import('../../src/vscode/edits/file-writer.ts')>(
  source('edits/file-writer'),
);
const { undoFiles } = await importWithVscodeStub<typeof import('../../src/vscode/edits/undo-files.ts')>(
  source('edits/undo-files'),
);
const { createWorkspace } = await importWithVscodeStub<
  typeof import('../../src/vscode/workspace/workspace-adapter.ts')
>(source('workspace/workspace-adapter'));

const folder = Uri.file('/ws');
const uri = Uri.file('/ws/file.txt');

/** One file of the product's store, writer and Undo, in an editor and on a disk that are both in memory. */
export async function createFakeEditorSubject(
  first: readonly string[],
  options: { onSave: OnSave; areWatchersFirst: boolean; isOpen: boolean },
): Promise<Subject & { dispose(): void }> {
  Object.assign(editor, { workspaceFolders: [{ uri: folder, name: 'ws', index: 0 }] });
  const fake = createFakeEditor(options);
  fake.write(uri, first.join('\n'));
  const codec = createNodeCodec();
  const workspace = { ...createWorkspace().workspace, codec };
  const [root] = workspace.roots();
  if (root === undefined) throw new Error('no folder');
  const store: EditStore = await createEditStore({
    file: undefined,
    onError(error) {
      throw error;
    },
  });
  const show = () => (options.isOpen ? fake.open(uri) : Promise.resolve(undefined));
  await show();
  let calls = 0;
  const onDisk = () => fake.onDisk(uri);
  const now = () => fake.openAt(uri)?.getText() ?? onDisk() ?? '';
  const text = (): PendingText => store.get(uri)?.text ?? settledText(now());
  const one = (number: number) => store.hunks(uri).filter((_, at) => at === number);
  const deps = { store, codec } as unknown as Parameters<typeof undoFiles>[0];
  const undo = async (selection: Parameters<typeof undoFiles>[2]) => {
    person.messages.length = 0;
    const conflicts = await undoFiles(deps, [uri as never], selection);
    await fake.settled();
    return conflicts.length + person.messages.length;
  };
  return {
    ...tellOf(text),
    lines: () => now().split('\n'),
    onDisk,
    isDirty: () => fake.openAt(uri)?.isDirty ?? false,
    async write(next, { conversationId, turnId }) {
      const port = createFileWriter(workspace, store).portFor(conversationId);
      const place = { root, path: 'file.txt' };
      const format = { encoding: 'utf8', mark: false };
      const change = { kind: 'write' as const, place, before: now(), after: next, format, decided: false };
      await port.apply(change, { turnId, callId: `call${calls++}` });
      await fake.settled();
    },
    async type(changes: readonly Change[]) {
      await fake.open(uri);
      const ranges = changes.map(({ range: { start, end }, text: typed }) => ({
        range: new Range(start.line, start.character, end.line, end.character),
        text: typed,
      }));
      fake.type(uri, ranges);
      await fake.settled();
    },
    async load(next) {
      fake.write(uri, next);
      await fake.settled();
      if (next !== undefined) await show();
      await fake.settled();
    },
    async step() {
      throw new Error('there are no steps back in this editor');
    },
    async save() {
      await fake.openAt(uri)?.save();
      await fake.settled();
      if (!options.isOpen) fake.close(uri);
      await fake.settled();
    },
    reload: async () => undefined,
    keep: async (conversationId) => store.keep(uri as never, { of: ofConversation(conversationId) }),
    undo: async (conversationId) => void (await undo({ of: ofConversation(conversationId) })),
    keepHunk: async (number) => store.keep(uri as never, { hunks: one(number) }),
    undoHunk: (number) => undo({ hunks: one(number) }),
    dispose: () => store.dispose(),
  };
}
