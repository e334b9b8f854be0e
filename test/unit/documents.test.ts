import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { withMadeParts } from '../../scripts/made-parts.mts';
import { failureKinds, kinds } from '../../src/shared/failure/kinds.ts';

const root = path.join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json'));
const texts = JSON.parse(read('package.nls.json'));
const german = JSON.parse(read('package.nls.de.json'));

const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'SUPPORT.md', 'test/service/README.md'],
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file.replaceAll('\\', '/')}`),
];

const text = (raw: unknown): string => {
  const key = typeof raw === 'string' ? /^%(.+)%$/.exec(raw)?.[1] : undefined;
  if (key !== undefined && texts[key] === undefined) return `${key} is missing in package.nls.json`;
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

/** `<!-- held by FILE: WORDS -->`: the test whose title has these words proves what stands before it. */
const proof = /<!-- held by (\S+): (.+?) -->/g;
const userPages = documents.filter((document) => document.startsWith('docs/user/'));

describe('the pages for users', () => {
  it('hold the figures and tables that the code and the manifest have now', () => {
    for (const page of userPages) assert.equal(withMadeParts(read(page)), read(page), `${page}: npm run documents`);
  });

  it('promise only what a test proves that is there', () => {
    const isProved = (file: string, words: string) => {
      if (!existsSync(path.join(root, 'test', file))) return false;
      const titles = [...read(`test/${file}`).matchAll(/\b(?:it\(|name:)\s*(['"`])(.*?)\1,/g)].map(
        ([, , title = '']) => title,
      );
      return titles.some((title) => title.replaceAll("\\'", "'").includes(words));
    };
    const proofs = [...userPages, 'SECURITY.md', 'test/platforms/README.md'].flatMap((page) =>
      [...read(page).matchAll(proof)].map(([, file = '', words = '']) => ({ page, file, words })),
    );
    assert.ok(proofs.length > 30, String(proofs.length));
    assert.deepEqual(
      proofs.filter(({ file, words }) => !isProved(file, words)),
      [],
    );
    const tables = ['index', 'reference', 'troubleshooting'].map((name) => `docs/user/${name}.md`);
    const unproved = userPages.filter((page) => !tables.includes(page) && !proofs.some((one) => one.page === page));
    assert.deepEqual(unproved, []);
  });

  it('say nothing of safety without a test for each sentence', () => {
    const promises = read('SECURITY.md')
      .split(/^## /m)
      .filter((part) => /^(?:What is promised|Commands in the sandbox|What is kept)/.test(part));
    assert.equal(promises.length, 3);
    const unproved = promises.flatMap((part) => {
      const said = part.replace(/^.*\n/, '').replace(/`[^`\n]+`|\]\([^)]+\)/g, '');
      const pieces = said.split(/(?:\s*<!-- held by [\s\S]*?-->)+/);
      const sentences = (piece: string) => (piece.match(/\.(?=\s|$)/g) ?? []).length;
      return pieces.filter((piece, at) => sentences(piece) !== (at < pieces.length - 1 ? 1 : 0));
    });
    assert.deepEqual(unproved, []);
  });

  it('have at most 900 words, but for the tables of everything', () => {
    const words = (page: string) =>
      read(page)
        .replace(/<!--[\s\S]*?-->/g, '')
        .split(/\s+/).length;
    const pages = [...userPages, 'SECURITY.md'].filter((page) => !/reference|troubleshooting/.test(page));
    assert.deepEqual(
      pages.filter((page) => words(page) > 900),
      [],
    );
  });

  it('have an example each, and stand in both tables of contents', () => {
    for (const page of userPages.filter((one) => !/index|reference|troubleshooting/.test(one)))
      assert.match(read(page), /For example|^## Examples/m, page);
    for (const page of userPages) {
      const name = path.basename(page);
      assert.ok(read('docs/SUMMARY.md').includes(`(user/${name})`), name);
      assert.ok(name === 'index.md' || read('docs/user/index.md').includes(`(${name})`), name);
    }
  });

  it('have the section that each failure and each setting leads to', () => {
    const sections = anchors(read('docs/user/troubleshooting.md'));
    for (const kind of failureKinds) assert.ok(sections.includes(kinds[kind].help), kind);
    const links = Object.values<string>({ ...texts, ...german })
      .flatMap((one) => [...text(one).matchAll(/command:svc\.help\?([^)]+)\)/g)])
      .map(([, page = '']) => JSON.parse(decodeURIComponent(page))[0].split('#'));
    assert.ok(links.length > 10, String(links.length));
    for (const [page, section] of links)
      assert.ok(anchors(read(`docs/user/${page}.md`)).includes(section), `${page}#${section}`);
  });
});

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

  it('CONTRIBUTING.md has at most 900 words, and no paragraph for those who work on it more than 130', () => {
    const words = (one: string) => one.split(/\s+/).filter((word) => word !== '').length;
    assert.ok(words(read('CONTRIBUTING.md')) <= 900, `${words(read('CONTRIBUTING.md'))} words`);
    for (const document of ['CONTRIBUTING.md', 'docs/architecture.md', 'docs/release.md'])
      for (const paragraph of read(document)
        .replace(/```[\s\S]*?```/g, '')
        .split(/\n\s*\n|\n(?=\s*\d\. |\s*- |\|)/))
        assert.ok(words(paragraph) <= 130, `${document}: ${paragraph.slice(0, 60)}`);
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

/** What somebody asks who opens the help, words that the answer has, and the page whose name promises it. */
const questions: Record<string, readonly [page: string, words: string]> = {
  'I get 401. What now?': ['troubleshooting', '401'],
  'Which files count as secret?': ['data', 'secret'],
  'What has this chat cost?': ['costs', 'This chat'],
  'How do I stop at a dollar a day?': ['limits', 'day'],
  'How do I get the chat to the left?': ['chat', 'another side bar'],
  'How do I take back all that it did?': ['edits', 'Undo All'],
  'How do I keep a part of an edit?': ['edits', 'Keep'],
  'How do I go back to before a message?': ['edits', 'Restore'],
  'How do I attach a picture?': ['chat', 'images'],
  'Who gets my code?': ['data', 'sent'],
  'How do I delete my conversations?': ['conversations', 'delete'],
  'Does it work behind our proxy?': ['remote', 'proxy'],
  'Does it work over SSH, in WSL, in a container?': ['remote', 'WSL'],
  'How do I allow a command for good?': ['commands', 'Always Allow Here'],
  'What is the sandbox?': ['commands', 'sandbox'],
  'How do I add an MCP server?': ['tools', 'MCP'],
  'Where do I write rules for the project?': ['rules', 'AGENTS.md'],
  'Why did another model answer?': ['costs', 'another model'],
  'Which keys are there?': ['reference', 'Ctrl+Alt+.'],
  'How do I get a commit message?': ['git', 'commit message'],
  'How do I review what a colleague changed?': ['review', 'anybody'],
  'How do I run a task beside my work?': ['worktrees', 'task'],
  'Is there ghost text?': ['completion', 'ghost text'],
  'How do I export a conversation?': ['conversations', 'export'],
  'The conversation is too long. What now?': ['conversations', 'Compact'],
  'How do I report a fault?': ['troubleshooting', 'report'],
  'Can I use it with a screen reader?': ['chat', 'screen reader'],
  'How do I make the letters larger?': ['index', 'chat.fontSize'],
  'Does it speak German?': ['index', 'German'],
  'How do I change a keyboard shortcut?': ['index', 'keyboard shortcuts'],
  'How do I show it a screenshot?': ['chat', 'screenshot'],
  'Where do I replace my key?': ['data', 'Remove or Replace API Key'],
  'How do I uninstall it and leave nothing?': ['data', 'uninstall'],
};

describe('everyday questions to the documents', () => {
  for (const [question, [page, words]] of Object.entries(questions)) {
    it(`F30 "${question}" is answered on the page ${page}`, () => {
      assert.ok(read(`docs/user/${page}.md`).toLowerCase().includes(words.toLowerCase()), words);
      assert.ok(page === 'index' || read('docs/user/index.md').includes(`](${page}.md)`));
    });
  }
});
