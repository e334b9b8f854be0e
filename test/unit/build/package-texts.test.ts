import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { isPreRelease, packagedHelp, packagedManifest, packagedMarkdown } from '../../../scripts/package-texts.mts';

const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
const source = { repository: 'https://git.example/owner/name', ref: 'v1.2.0' };

/** Where pictures and links lead. */
const targets = (markdown: string) =>
  [...markdown.matchAll(/\]\(([^)]+)\)|(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? match[2] ?? '');

describe('the texts of a package', () => {
  for (const page of ['README.md', 'CHANGELOG.md', 'SUPPORT.md']) {
    it(`${page} has no picture and no link that VS Code cannot open, without a repository and with one`, () => {
      const alone = packagedMarkdown(read(page), '1.2.0');
      assert.doesNotMatch(alone, /!\[|<!--/);
      for (const text of [alone, packagedMarkdown(read(page), '1.2.0', source)]) {
        assert.ok(text.length > 300);
        for (const target of targets(text)) assert.match(target, /^https:/);
      }
    });
  }

  it('README.md without a repository says nothing that needs one', () => {
    assert.doesNotMatch(packagedMarkdown(read('README.md'), '1.2.0'), /npm ci|docs\/|\n\n\n/);
  });

  it('tell nobody who has the extension how to get it, and name the version that they have', () => {
    for (const text of ['README.md', 'CHANGELOG.md'].map((page) => packagedMarkdown(read(page), '1.2.0', source))) {
      assert.doesNotMatch(text, /Install from VSIX|## Install|Unreleased/i);
    }
    assert.match(packagedMarkdown(read('CHANGELOG.md'), '1.2.0'), /^## 1\.2\.0$/m);
    assert.match(packagedMarkdown(read('README.md'), '1.2.0'), /^## Ask your first question$/m);
  });

  it('pages of the help lead to each other, and keep nothing of what holds them true', () => {
    const folder = new URL('../../../docs/user/', import.meta.url);
    const names = readdirSync(folder);
    assert.ok(names.length > 8);
    for (const name of names) {
      const page = packagedHelp(read(`docs/user/${name}`));
      assert.doesNotMatch(page, /<!--|\n\n\n/, name);
      for (const target of targets(page)) {
        const [file = ''] = target.split('#');
        assert.ok(file === '' || names.includes(file) || target.startsWith('https:'), `${name}: ${target}`);
      }
    }
  });

  it('leads to the source that was packaged, pictures as files and links as pages', () => {
    const text = 'a ![picture](media/a.png) and [page](docs/b.md#c), [here](#c) and [there](https://x.example)';
    assert.equal(
      packagedMarkdown(text, '1.2.0', source),
      'a ![picture](https://git.example/owner/name/raw/v1.2.0/media/a.png) and [page](https://git.example/owner/name/blob/v1.2.0/docs/b.md#c), [here](#c) and [there](https://x.example)',
    );
    assert.equal(packagedMarkdown(text, '1.2.0'), 'a  and page, [here](#c) and [there](https://x.example)');
  });

  it('the manifest names a repository only when it is known', () => {
    const manifest = JSON.parse(read('package.json'));
    const alone = packagedManifest(manifest);
    for (const name of ['repository', 'bugs', 'homepage', 'private', 'scripts', 'devDependencies'])
      assert.ok(!(name in alone), name);
    assert.deepEqual(alone.contributes, manifest.contributes);
    assert.deepEqual(alone.engines, { vscode: manifest.engines.vscode });
    const { repository, bugs, homepage } = packagedManifest(manifest, source);
    assert.deepEqual(
      [repository, bugs, homepage],
      [
        { type: 'git', url: 'https://git.example/owner/name.git' },
        { url: 'https://git.example/owner/name/issues' },
        'https://git.example/owner/name#readme',
      ],
    );
  });

  it('an odd minor number is a pre-release', () => {
    assert.deepEqual(['0.1.0', '0.2.0', '1.11.4', '2.10.1'].map(isPreRelease), [true, false, true, false]);
    assert.throws(() => isPreRelease('1.2.0-beta.1'), /three numbers/);
  });
});
