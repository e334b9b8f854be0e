import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';

const root = path.join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json'));
const texts = JSON.parse(read('package.nls.json'));

const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'SUPPORT.md', 'test/service/README.md'],
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file.replaceAll('\\', '/')}`),
];

const text = (raw: unknown): string => {
  const value = typeof raw === 'string' ? (texts[raw.slice(1, -1)] ?? raw) : Object(raw).value;
  return typeof value === 'string' ? (/^%(.+)%$/.test(value) ? text(value) : value) : Object(value).message;
};
const commandTitles = new Set<string>(
  manifest.contributes.commands.map((each: { category: string; title: unknown }) =>
    `${text(each.category)}: ${text(each.title)}`.replaceAll('’', "'"),
  ),
);
const ids = new Set<string>([
  ...manifest.contributes.commands.map(({ command }: { command: string }) => command),
  ...manifest.contributes.configuration.flatMap(({ properties }: { properties: object }) => Object.keys(properties)),
]);

/** What `find` finds in the documents and `isSo` refuses, each with its document. */
function untrue(find: RegExp, isSo: (found: string, document: string) => boolean): string[] {
  const all = documents.flatMap((document) =>
    [...read(document).matchAll(find)].map((match) => ({ document, found: (match[1] ?? '').replace(/\s+/g, ' ') })),
  );
  assert.ok(all.length > 3, `${find} finds ${all.length}`);
  return all
    .filter(({ found, document }) => !isSo(found, document))
    .map(({ document, found }) => `${document}: ${found}`);
}

/** As GitHub makes them: of the heading's words, in small letters, without punctuation. */
function anchors(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('the documents', () => {
  it('link to files and headings that are there', () => {
    const isThere = (target: string, document: string) => {
      if (/^(?:https|mailto):/.test(target)) return true;
      const [file = '', heading] = target.split('#');
      const absolute = file === '' ? path.join(root, document) : path.resolve(root, path.dirname(document), file);
      return (
        existsSync(absolute) && (heading === undefined || anchors(readFileSync(absolute, 'utf8')).includes(heading))
      );
    };
    assert.deepEqual(untrue(/\]\(([^)\s]+)\)/g, isThere), []);
  });

  it('name files and folders of the repository that are there', () => {
    const isThere = (file: string) => existsSync(path.join(root, file));
    assert.deepEqual(untrue(/`((?:src|test|media|docs|l10n)\/[\w./-]*)`/g, isThere), []);
  });

  it('scripts that the documents name are in package.json', () => {
    assert.deepEqual(
      untrue(
        /(?:`|^|&& |· )npm (?:run (?:--silent )?)?([a-z][\w:]*)/gm,
        (name) => ['ci', 'run'].includes(name) || name in manifest.scripts,
      ),
      [],
    );
  });

  it('name commands by their titles, and commands and settings by their ids', () => {
    assert.deepEqual(
      untrue(/\*(svc: [^*]+)\*/g, (title) => title === 'svc: …' || commandTitles.has(title)),
      [],
    );
    assert.deepEqual(
      untrue(/`(svc\.[\w.]+)`/g, (id) => ids.has(id)),
      [],
    );
  });

  it('the README fits on two screens and shows pictures that load quickly', () => {
    assert.ok(read('README.md').split('\n').length <= 110);
    for (const [, file = ''] of read('README.md').matchAll(/!\[[^\]]*\]\(([^)]+)\)/g))
      assert.ok(readFileSync(path.join(root, file)).length < 250_000, file);
    const shown = readdirSync(path.join(root, 'media/readme'));
    for (const file of shown)
      assert.ok(
        documents.some((document) => read(document).includes(`media/readme/${file}`)),
        file,
      );
  });
});
