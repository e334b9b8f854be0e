import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withoutSecrets } from '../../../src/sandbox/registry-settings.ts';
import { seenAs, toolRegistries } from '../../../src/sandbox/tool-registries.ts';

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

const registryOf = (file: string) => {
  const found = toolRegistries.find(({ places }) => places.includes(file));
  assert.ok(found, file);
  return found;
};

/** As commands see the settings of other tools; `closed` where they are not understood, or a registry would be lost. */
const seen: readonly [file: string, text: string, remains: string | 'closed'][] = [
  [
    '.config/pip/pip.conf',
    '# mine\n[global]\nindex-url = https://ada:pw@pypi.example.org/simple\nextra-index-url =\n    https://ada:pw@one.example.org/\n    https://two.example.org/\nclient-cert = /home/ada/x.pem\nproxy = http://ada:pw@proxy:1\ntimeout: 60\n[install]\nuser = no\n',
    '[global]\nindex-url = https://pypi.example.org/simple\nextra-index-url = \n    https://one.example.org/\n    https://two.example.org/\ntimeout = 60\n[install]\nuser = no\n',
  ],
  ['.config/pip/pip.conf', '[global]\nindex-url = https://u:p/w@pypi.example.org/\n', 'closed'],
  [
    '.config/pip/pip.conf',
    '[global]\nindex-url = https://pypi.example.org/9f86d081884c7d659a2feaa0c55ad015/\n',
    'closed',
  ],
  ['.config/pip/pip.conf', '[global]\nwhat is this\n', 'closed'],
  [
    '.config/uv/uv.toml',
    '[[index]] # ours\nname = "corp"\nurl = "https://ada:pw@pypi.example.org/simple"\ndefault = true\n',
    '[[index]]\nname = "corp"\nurl = "https://pypi.example.org/simple"\ndefault = true\n',
  ],
  [
    '.cargo/config.toml',
    '[source.crates-io]\nreplace-with = "corp"\n[source.corp]\nregistry = "sparse+https://ada:pw@crates.example.org/"\n[registries.corp]\nindex = "https://crates.example.org/"\ntoken = "cio1234"\n[registry]\ntoken = "abc"\n[target.x86_64-unknown-linux-gnu]\nrustflags = [\n  "-C",\n  "link-arg=-fuse-ld=lld",\n]\n[env]\nAPI_TOKEN = "abc"\nNOTE = "9f86d081884c7d659a2feaa0c55ad015"\n',
    '[source.crates-io]\nreplace-with = "corp"\n\n[source.corp]\nregistry = "sparse+https://crates.example.org/"\n\n[registries.corp]\nindex = "https://crates.example.org/"\n\n[registry]\n[target.x86_64-unknown-linux-gnu]\nrustflags = [ "-C", "link-arg=-fuse-ld=lld" ]\n\n[env]\n',
  ],
  ['.cargo/config.toml', '[source.corp\nregistry = "x"\n', 'closed'],
  ['.cargo/config.toml', `[source.corp]\nregistry = "https://crates.example.org/?token=x"\n`, 'closed'],
  [
    '.m2/settings.xml',
    '<?xml version="1.0"?>\n<settings xmlns="http://maven.apache.org/SETTINGS/1.0.0"\n  xsi:schemaLocation="http://maven.apache.org/SETTINGS/1.0.0 x.xsd">\n  <!-- <password>old</password> -->\n  <servers><server><id>corp</id><password>{abc=}</password></server></servers>\n  <proxies><proxy><host>p</host></proxy></proxies>\n  <mirrors><mirror><id>corp</id><mirrorOf>*</mirrorOf><url>https://ada:pw@maven.example.org/m2</url></mirror></mirrors>\n  <profiles><profile><properties><sonar.token>abc</sonar.token><x>9f86d081884c7d659a2feaa0c55ad015</x></properties></profile></profiles>\n</settings>\n',
    '<settings xmlns="http://maven.apache.org/SETTINGS/1.0.0" xsi:schemaLocation="http://maven.apache.org/SETTINGS/1.0.0 x.xsd"><mirrors><mirror><id>corp</id>\n<mirrorOf>*</mirrorOf>\n<url>https://maven.example.org/m2</url>\n</mirror>\n</mirrors>\n<profiles><profile><properties><sonar.token></sonar.token>\n<x></x>\n</properties>\n</profile>\n</profiles>\n</settings>\n\n',
  ],
  ['.m2/settings.xml', '<!DOCTYPE s [<!ENTITY x "y">]><settings/>', 'closed'],
  ['.m2/settings.xml', '<settings><mirrors></settings>', 'closed'],
  ['.m2/settings.xml', '<settings><![CDATA[x]]></settings>', 'closed'],
  ['.m2/settings.xml', '<settings><!-- x </settings>', 'closed'],
  ['.m2/settings.xml', '<settings><mirror><url>https://maven.example.org/?sig=x</url></mirror></settings>', 'closed'],
  [
    'nuget.config',
    '\uFEFF<?xml version="1.0" encoding="utf-8"?>\r\n<configuration>\r\n<packageSources><clear /><add key="corp" value="https://nuget.example.org/v3/index.json" protocolVersion="3" /></packageSources><packageSourceCredentials><corp><add key="ClearTextPassword" value="pw" /></corp></packageSourceCredentials><apikeys><add key="https://nuget.example.org" value="abc" /></apikeys></configuration>',
    '<configuration><packageSources><clear />\n<add key="corp" value="https://nuget.example.org/v3/index.json" protocolVersion="3" />\n</packageSources>\n</configuration>\n\n',
  ],
  [
    'nuget.config',
    "<configuration><packageSources><add key='corp' value='x' /></packageSources></configuration>",
    'closed',
  ],
];

describe('settings of other tools that say where packages come from, for commands in the sandbox', () => {
  for (const [file, text, remains] of seen) {
    it(`X63 ${file} ${remains === 'closed' ? 'leads nowhere' : 'keeps its registries and loses what is secret'}: ${JSON.stringify(text).slice(0, 60)}`, () => {
      const registry = registryOf(file);
      assert.equal(seenAs(registry, text), remains === 'closed' ? registry.closed : remains);
    });
  }
  it('X63 longer settings lead nowhere, and so do those with a null', () => {
    for (const registry of toolRegistries) {
      for (const text of [`${' '.repeat(65_537)}`, '\0']) assert.equal(seenAs(registry, text), registry.closed);
      assert.equal(seenAs(registry, registry.closed).includes('.invalid'), true);
    }
  });
});
