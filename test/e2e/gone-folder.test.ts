import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { writeFiles } from '../unit/tools/workspace.ts';
import { askFor, call } from './scripted-calls.ts';
import { useChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

for (const [name, places] of [
  ['the one folder', ['only']],
  ['one of several folders', ['here', 'gone']],
] as const) {
  describe(`${name} that is deleted while its window is open`, () => {
    const session = useSession({
      fillWorkspace: (folder) =>
        writeFiles(folder, {
          ...Object.fromEntries(places.map((place) => [`${place}/a.ts`, `export const ${place} = 1;\n`])),
          'all.code-workspace': JSON.stringify({ folders: places.map((place) => ({ path: place })) }),
        }),
      open: (folder) => path.join(folder, places.length === 1 ? 'only' : 'all.code-workspace'),
    });
    const chat = useChat(session);

    it('E23 X35 fails no message: it is said once, and what names it is told why', async function () {
      this.timeout(240_000);
      const gone = places.at(-1) ?? '';
      const inGone = places.length === 1 ? 'a.ts' : 'gone/a.ts';
      await rm(path.join(session().folder, gone), { recursive: true });
      const [read, list, found] = await askFor(session(), chat(), [
        [
          call('read_file', { path: inGone }),
          call('list_directory', { path: places.length === 1 ? '.' : 'gone' }),
          call('search_text', { query: 'const' }),
        ],
        [call('run_command', { command: 'echo still', ...(places.length > 1 && { cwd: 'here' }) })],
      ]);
      assert.match(read ?? '', /is gone/);
      assert.match(list ?? '', /gone/);
      if (places.length > 1) assert.match(found ?? '', /here\/a\.ts/);
      const { frame } = chat();
      const told = frame.getByText(/is gone|are gone/);
      const before = await told.count();
      await session().window.screenshot(`folder-gone-${places.length}`);
      await askFor(session(), chat(), [], 'And again?');
      assert.equal(await frame.getByText('Something went wrong').count(), 0);
      assert.equal(await frame.locator('.failure').count(), 0);
      assert.equal(await told.count(), before, 'said once');
    });
  });
}
