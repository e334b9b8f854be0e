import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { laterNames } from '../support/later-names.ts';

const root = path.resolve(import.meta.dirname, '../..');

describe('build order', () => {
  const files = ['src', 'media'].flatMap((top) =>
    readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${top}/${name.replaceAll('\\', '/')}`),
  );

  it('no function hands out a closure over a part that is built after it', () => {
    const found: Record<string, string[]> = {};
    for (const file of files) {
      const late = laterNames(file, readFileSync(path.join(root, file), 'utf8'));
      if (late.length > 0) found[file] = late;
    }
    assert.deepEqual(found, {});
  });

  it('sees an arrow function, a method and a hoisted function that name a later part, and a wait between', () => {
    const all = laterNames(
      'a.ts',
      `async function open(id: string) {
        const early = 1;
        const show = () => view.reveal(early);
        const store = { get id() { return title; } };
        await load(id);
        const view = create(show, stop);
        const title = 'x';
        function stop() { return last; }
        const last = early;
        return { view, store, last };
      }`,
    );
    assert.deepEqual(all, ['open: view, title, last (waits between)']);
  });

  it('lets stand what exists already, hoisted functions, types, properties of the same name, and what a module declares', () => {
    const all = laterNames(
      'a.ts',
      `const create = (deps: { view: number }) => {
        const read = (): typeof later => helper(deps.view).later + limit;
        function helper(view: number) { return { later: view }; }
        const later = read();
        { const inner = later; const use = () => inner; use(); }
        return { later: () => later, view: (later: string) => later };
      };
      const limit = 3;`,
    );
    assert.deepEqual(all, []);
  });
});
