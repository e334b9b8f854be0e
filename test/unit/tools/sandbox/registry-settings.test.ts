import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withoutSecrets } from '../../../../src/tools/command/sandbox/registry-settings.ts';

const lines = (...each: string[]) => `${each.join('\n')}\n`;

/** What remains of each; none of it is a token. */
const filtered: readonly [file: string, text: string, remains: string][] = [
  [
    'a/.npmrc',
    lines(
      '# //old.example.org/:_authToken=npm_1234',
      'registry = https://ada:pw@registry.example.org/npm/',
      '@corp:registry=https://npm.corp.example/',
      '//npm.corp.example/:_authToken=abcdefgh',
      '//npm.corp.example/:username=ada',
      '_auth="YWRhOnB3"',
      'always-auth=true',
      'ignore-scripts=true',
      'save-exact',
      'public-hoist-pattern[]=*eslint*',
      'https-proxy=http://ada:pw@proxy:3128',
      'note=9f86d081884c7d659a2feaa0c55ad015',
    ),
    lines(
      'registry=https://registry.example.org/npm/',
      '@corp:registry=https://npm.corp.example/',
      'ignore-scripts=true',
      'save-exact=true',
      'public-hoist-pattern[]=*eslint*',
    ),
  ],
  [
    '.yarnrc',
    lines(
      '# x',
      'registry "https://ada:pw@registry.example.org/"',
      '"@corp:registry" "https://npm.corp.example/"',
      'email a@example.org',
    ),
    lines('"registry" "https://registry.example.org/"', '"@corp:registry" "https://npm.corp.example/"'),
  ],
  [
    '.yarnrc.yml',
    lines(
      'nodeLinker: node-modules',
      'npmAuthToken: "abcd"',
      'npmRegistryServer: "https://registry.example.org"',
      'npmScopes:',
      '  corp:',
      '    npmRegistryServer: https://npm.corp.example',
      '    npmAuthIdent: ada:pw',
      'npmRegistries:',
      '  "//npm.corp.example":',
      '    npmAuthToken: abc',
      'httpProxy: http://proxy',
      'someTokens:',
      '- abcd',
      'plugins:',
      '  - path: .yarn/plugins/a.cjs',
    ),
    lines(
      '"nodeLinker": "node-modules"',
      '"npmRegistryServer": "https://registry.example.org"',
      '"npmScopes": ',
      '  "corp": ',
      '    "npmRegistryServer": "https://npm.corp.example"',
      '"npmRegistries": ',
      '  "//npm.corp.example": ',
      '"plugins": ',
      '  - "path": ".yarn/plugins/a.cjs"',
    ),
  ],
];

/** Read in another way than ours, each of these would hold a token, or lose a registry. */
const refused: readonly [file: string, text: string][] = [
  ['.npmrc', 'registry=https://registry.example.org/?token=x\n'],
  ['.npmrc', 'registry=https://u:p/w@registry.example.org/\n'],
  ['.npmrc', 'registry="https://registry.example.org/\n'],
  ['.npmrc', '[corp]\nregistry=https://registry.example.org/\n'],
  ['.npmrc', '"registry"=https://registry.example.org/\n'],
  ['.npmrc', 'registry=https://registry.example.org/\\x\n'],
  ['.npmrc', `registry=https://registry.example.org/\n#${'x'.repeat(65_536)}`],
  ['.npmrc', '@corp:registry=https://registry.example.org/9f86d081884c7d659a2feaa0c55ad015/\n'],
  ['.yarnrc', 'registry "https://registry.example.org/\n'],
  ['.yarnrc.yml', 'npmAuthToken: >\n  abcd\n'],
  ['.yarnrc.yml', 'npmAuthToken:\n  "ab\n  cd"\n'],
  ['.yarnrc.yml', 'nodeLinker: node\n  abcd\n'],
  ['.yarnrc.yml', 'npmScopes: {corp: {npmAuthToken: abc}}\n'],
  ['.yarnrc.yml', 'a: &x abc\n'],
  ['.yarnrc.yml', 'tokens:\n  npmRegistryServer: https://registry.example.org\n'],
  ['.npmrc', 'registry=\n'],
  ['.yarnrc.yml', '? npmAuthToken\n: abc\n'],
  ['nuget.config', '<configuration/>'],
];

describe('settings of package registries, for commands in the sandbox', () => {
  for (const [file, text, remains] of filtered) {
    it(`X63 ${file} keeps its registries and loses what is secret`, () => {
      assert.equal(withoutSecrets(file, text), remains);
      assert.equal(withoutSecrets(file, text.replaceAll('\n', '\r\n')), remains);
    });
  }
  for (const [file, text] of refused) {
    it(`X63 ${file} is not passed on at all: ${JSON.stringify(text).slice(0, 60)}`, () => {
      assert.equal(withoutSecrets(file, text), undefined);
    });
  }
});
