import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { createEmitter } from '../../../src/base/emitter.ts';
import { createSections, panelSection } from '../../../src/chat/panel-sections.ts';
import { panelMessageSchema } from '../../../src/shared/panel/protocol.ts';
import { sectionMessage } from '../../../src/shared/panel/sections.ts';

const page = { focusInput: () => undefined };

describe('sections of the panel', () => {
  it('shows those that have a state, and hands an action to the one that it names', () => {
    const done: unknown[] = [];
    const sections = createSections([
      panelSection({
        key: 'comments',
        state: () => ({ count: 1, files: ['a.ts'], microUsd: 3 }),
        act: (action) => done.push(['comments', action]),
      }),
      panelSection({ key: 'restored', state: () => undefined, act: (action) => done.push(['restored', action]) }),
      panelSection({ key: 'worktree', act: (action) => done.push(['worktree', action]) }),
    ]);
    assert.deepEqual(sections.states(), { comments: { count: 1, files: ['a.ts'], microUsd: 3 } });
    sections.act({ type: 'section', key: 'worktree', action: 'remove' }, page);
    sections.act({ type: 'section', key: 'comments', action: 'discard' }, page);
    sections.act({ type: 'section', key: 'plan', action: 'start' }, page);
    assert.deepEqual(done, [
      ['worktree', 'remove'],
      ['comments', 'discard'],
    ]);
  });

  it('hears of changes of each until it is disposed of', () => {
    const changed = createEmitter();
    const sections = createSections([
      panelSection({ key: 'plan', state: () => undefined, act: () => undefined, onDidChange: changed.event }),
      panelSection({ key: 'restored', state: () => undefined, act: () => undefined }),
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
    assert.ok(keys.length > 5, String(keys));
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
});

function textOf(folder: string, end: string): string {
  const top = path.join(import.meta.dirname, '../../..', folder);
  const files = readdirSync(top, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(end));
  return files.map((name) => readFileSync(path.join(top, name), 'utf8')).join('\n');
}
