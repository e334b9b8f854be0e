import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { createEmitter } from '../../../src/base/emitter.ts';
import { createSections, panelLine, panelSection } from '../../../src/chat/panel-sections.ts';
import { panelMessageSchema } from '../../../src/shared/panel/protocol.ts';
import { sectionMessage } from '../../../src/shared/panel/sections.ts';

const page = { focusInput: () => undefined };

describe('sections of the panel', () => {
  it('shows those that have a state, and hands an action to the one that it names', () => {
    const done: unknown[] = [];
    const sections = createSections([
      panelSection({
        key: 'elsewhere',
        state: () => 'open',
        act: (action) => done.push(['elsewhere', action]),
      }),
      panelSection({ key: 'processes', state: () => undefined, act: (action) => done.push(['processes', action]) }),
      panelSection({ key: 'worktree', act: (action) => done.push(['worktree', action]) }),
    ]);
    assert.deepEqual(sections.states(), { elsewhere: 'open' });
    sections.act({ type: 'section', key: 'worktree', action: 'remove' }, page);
    sections.act({ type: 'section', key: 'elsewhere', action: 'takeOver' }, page);
    sections.act({ type: 'section', key: 'plan', action: 'start' }, page);
    assert.deepEqual(done, [
      ['worktree', 'remove'],
      ['elsewhere', 'takeOver'],
    ]);
  });

  it('shows lines in the order of the list, and hands an action to the line that it names', () => {
    const done: unknown[] = [];
    const line = (id: string, text?: string) =>
      panelLine({
        line: id,
        state: () => (text === undefined ? undefined : { label: id, text, buttons: [{ action: 'ok', label: 'OK' }] }),
        actions: { ok: () => done.push(id) },
      });
    const sections = createSections([line('a', 'one'), line('b'), line('c', 'two')]);
    assert.deepEqual(
      sections.states().lines?.map(({ id, text }) => [id, text]),
      [
        ['a', 'one'],
        ['c', 'two'],
      ],
    );
    sections.act({ type: 'section', key: 'lines', action: { line: 'c', action: 'ok' } }, page);
    sections.act({ type: 'section', key: 'lines', action: { line: 'c', action: 'toString' } }, page);
    sections.act({ type: 'section', key: 'lines', action: { line: 'nobody', action: 'ok' } }, page);
    assert.deepEqual(done, ['c']);
    assert.deepEqual(createSections([line('b')]).states(), {});
  });

  it('hears of changes of each until it is disposed of', () => {
    const changed = createEmitter();
    const sections = createSections([
      panelSection({ key: 'plan', state: () => undefined, act: () => undefined, onDidChange: changed.event }),
      panelSection({ key: 'processes', state: () => undefined, act: () => undefined }),
    ]);
    let heard = 0;
    const listening = sections.onDidChange(() => heard++);
    changed.fire();
    listening.dispose();
    changed.fire();
    assert.equal(heard, 1);
  });

  it('an action of another section, or of none, is no message', () => {
    const parses = (key: string, action: unknown) =>
      panelMessageSchema.safeParse({ type: 'section', key, action }).success;
    assert.deepEqual(
      [
        parses('plan', 'start'),
        parses('plan', 'discard'),
        parses('processes', { do: 'stop', id: 'p1' }),
        parses('nothing', 'start'),
      ],
      [true, false, true, false],
    );
  });

  it('each key has a host side that calls `panelSection`, and a component that calls `useSection`', () => {
    const keys = sectionMessage.def.options.map((option) => option.def.shape.key.def.values[0]);
    assert.ok(keys.length >= 5, String(keys));
    const hosts = textOf('src', '.ts');
    const pages = textOf('media/chat', '.tsx');
    for (const key of keys) {
      assert.match(
        hosts,
        new RegExp(`panelSection\\(\\{\\s+key: '${key}',`),
        `${key}: its host side is missing in src/`,
      );
      assert.match(
        pages,
        new RegExp(`useSection\\('${key}'\\)`),
        `${key}: its component is missing in media/chat/sections/`,
      );
    }
  });

  it('knows each line by a name of its own, and writes what it shows in the language of the user', () => {
    const lines = textOf('src', '.ts')
      .split('panelLine({')
      .slice(1)
      .map((rest) => rest.split(/\n {2,6}\}\)/)[0] ?? '');
    const names = lines.map((line) => /line: '(\w+)'/.exec(line)?.[1]);
    assert.ok(names.length >= 7);
    assert.deepEqual(
      names.filter((name, at) => names.indexOf(name) !== at),
      [],
      'two lines of one name: a button of one would act on the other',
    );
    const plain = lines.flatMap((line) => [...line.matchAll(/(?:label|text): ['`].*/g)].map(([text]) => text));
    assert.deepEqual(plain, [], 'write vscode.l10n.t around it');
  });
});

function textOf(folder: string, end: string): string {
  const top = path.join(import.meta.dirname, '../../..', folder);
  const files = readdirSync(top, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(end));
  return files.map((name) => readFileSync(path.join(top, name), 'utf8')).join('\n');
}
