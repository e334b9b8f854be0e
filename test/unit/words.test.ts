import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { parseSync } from 'oxc-parser';

const root = path.resolve(import.meta.dirname, '../..');

/** With one of these a docstring points at something instead of saying it. */
const labels = /^(?:What|Of|The same|Those)\b/;

interface Label {
  where: string;
  text: string;
}

function labelsOf(file: string, text: string): Label[] {
  return parseSync(file, text).comments.flatMap(({ type, value, start }) => {
    const said = value.replace(/^[*\s]+/, '');
    if (type !== 'Block' || !value.startsWith('*') || !labels.test(said)) return [];
    return [{ where: `${file}:${text.slice(0, start).split('\n').length}`, text: said.split('\n')[0] ?? '' }];
  });
}

describe('docstrings', () => {
  const files = ['src', 'media'].flatMap((top) =>
    readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${top}/${name.replaceAll('\\', '/')}`),
  );

  it('a docstring says something and does not begin as a label', () => {
    const all = files.flatMap((file) => labelsOf(file, readFileSync(path.join(root, file), 'utf8')));
    assert.deepEqual(all, []);
  });

  it('a docstring stands where a name cannot say it: at most 30 in 1,000 lines of a room', () => {
    const rooms = new Map<string, { docstrings: number; lines: number }>();
    for (const file of files) {
      const room = file.split('/').slice(0, 2).join('/');
      const text = readFileSync(path.join(root, file), 'utf8');
      const sum = rooms.get(room) ?? { docstrings: 0, lines: 0 };
      sum.docstrings += parseSync(file, text).comments.filter(
        ({ type, value }) => type === 'Block' && value.startsWith('*'),
      ).length;
      sum.lines += text.split('\n').length - 1;
      rooms.set(room, sum);
    }
    // A few more are no habit in a room of a few files.
    const wordy = [...rooms].filter(([, { docstrings, lines }]) => docstrings > 3 + (lines * 30) / 1000);
    assert.deepEqual(wordy, []);
  });

  const planted: Record<string, string> = {
    'on one line': '/** What all views share. */\ninterface Deps {}',
    'on several lines': '/**\n * Of the next message, with\n * its attachments.\n */\nconst model = 1;',
    'of a member': 'interface Deps {\n  /** The same for questions. */\n  answer(): void;\n}',
    'of a component': '/** Those that wait. */\nexport const Queue = () => <p />;',
  };
  for (const [how, text] of Object.entries(planted)) {
    it(`a label ${how} is found with its line`, () => {
      const line = text.startsWith('interface') ? 2 : 1;
      assert.deepEqual(
        labelsOf('planted.tsx', text).map(({ where }) => where),
        [`planted.tsx:${line}`],
      );
    });
  }

  const other: Record<string, string> = {
    'that says something': '/** Micro-dollars; undefined before the first request. */\nlet cost;',
    'whose first word only begins alike': '/** Offers of a turn. */\nlet offers;',
  };
  for (const [how, text] of Object.entries(other)) {
    it(`a docstring ${how} passes`, () => assert.deepEqual(labelsOf('planted.ts', text), []));
  }

  it('a comment that is no docstring, and a string, pass', () => {
    const text = "// What an older version left.\nconst glob = '/** What */'; /* Of us. */";
    assert.deepEqual(labelsOf('planted.ts', text), []);
  });
});
