import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { classifyFile, fold, isSecretPath } from '../../../src/files/file-class.ts';
import { fileTable, type SensitiveKind } from '../../../src/files/file-table.ts';
import { expandBraces } from '../../../src/files/glob.ts';

const denied = ['.git', '.git/config', '.GIT/hooks/pre-commit', 'sub/.git/HEAD', '.g\u200cit/config', 'a/.Git/x'];

/** Asked about at every read as well; a search passes over them. */
const secrets = [
  'prod.env',
  'config/staging.env',
  '.env-production',
  '.dev.vars',
  '.envrc',
  'terraform.tfvars',
  'prod.auto.tfvars',
  'x.tfvars.json',
  'terraform.tfstate.backup',
  '.terraformrc',
  '.kube/config',
  'kubeconfig',
  'prod.kubeconfig',
  '.docker/config.json',
  '.dockercfg',
  'service-account.json',
  'serviceAccountKey.json',
  'my-app-firebase-adminsdk-x1.json',
  'application_default_credentials.json',
  'client_secret_123.json',
  '.bash_history',
  '.zsh_history',
  '.python_history',
  '.psql_history',
  '.mysql_history',
  '.node_repl_history',
  'fish_history',
  'ConsoleHost_history.txt',
  '.ssh/config',
  '.gnupg/pubring.kbx',
  '.azure/msal_token_cache.json',
  '.config/gh/hosts.yml',
  '.config/gcloud/x.db',
  '.cargo/credentials.toml',
  '.git-credentials',
  '.netrc',
  '.pgpass',
  '.pypirc',
  '.m2/settings.xml',
  '.gradle/gradle.properties',
  '.vault-token',
  'vault_password.txt',
  'secrets.yml',
  'secrets.prod.json',
  'credentials.json',
  '.codex/auth.json',
  'auth.json',
  'AuthKey_X.p8',
  'backup.kdbx',
  'client.ovpn',
  'logins.json',
  'login.keychain-db',
  'shadow',
  '.PROD.ENV',
  '.K\u0075be/Config',
];

const sensitive: Readonly<Record<SensitiveKind, readonly string[]>> = {
  editor: [
    '.vscode/settings.json',
    '.vscode/tasks.json',
    '.vscode/launch.json',
    '.vscode/extensions.json',
    '.vscode/mcp.json',
    '.Vscode/settings.json',
    '.VSCODE/anything/deep.txt',
    '.vs\u200bcode/settings.json',
    'packages/a/.vscode/settings.json',
    'ws.code-workspace',
    'WS.Code-Workspace',
    'mcp.json',
    '.mcp.json',
    'deep/MCP.json',
    '.cursor/mcp.json',
    '.cursor/environment.json',
    '.idea/workspace.xml',
    '.idea/runConfigurations/x.xml',
    '.devcontainer/devcontainer.json',
    '.devcontainer.json',
    '.zed/tasks.json',
    '.vimrc',
    '.exrc',
    '.nvimrc',
    '.nvim.lua',
    '.dir-locals.el',
    '.gdbinit',
    '.lldbinit',
    'sub/.pdbrc',
    '.irbrc',
    'x.sublime-project',
    '.settings/x.prefs',
    'App.xcodeproj/xcshareddata/xcschemes/App.xcscheme',
    '.vscode',
  ],
  git: [
    '.husky/pre-commit',
    '.gitattributes',
    'sub/.gitattributes',
    '.gitmodules',
    '.githooks/x',
    'lefthook.yml',
    '.hg/hgrc',
    'sub/HEAD',
    'sub/config',
    '.pre-commit-config.yaml',
    '.pre-commit-hooks.yaml',
    '.pre-commit/x',
    'lefthook.toml',
    '.lintstagedrc.json',
    '.overcommit.yml',
  ],
  secret: [
    '.env',
    '.env.local',
    '.ENV',
    '.env.production',
    'a/.env',
    '.npmrc',
    '.yarnrc.yml',
    'server.pem',
    'id_rsa',
    '.aws/sso',
    ...secrets,
  ],
  rules: [
    'AGENTS.md',
    'agents.md',
    'sub/AGENTS.md',
    'CLAUDE.md',
    'CLAUDE.local.md',
    '.clinerules',
    '.clinerules/a.md',
    '.roo/rules/x.md',
    '.roomodes',
    '.kilocode/rules/x.md',
    '.continue/rules/x.md',
    '.cursorrules',
    '.claude/settings.json',
    'x.instructions.md',
    'x.prompt.md',
    'GEMINI.md',
    'QWEN.md',
    'CONVENTIONS.md',
    '.rules',
    '.goosehints',
    '.agents/skills/a/SKILL.md',
    '.codex/config.toml',
    '.gemini/settings.json',
    '.kiro/hooks/x.json',
    '.claude/hooks/x.sh',
    '.amazonq/rules/x.md',
    '.opencode/plugin/x.ts',
    'opencode.json',
    '.junie/guidelines.md',
  ],
  server: [
    'Jenkinsfile',
    '.gitlab-ci.yml',
    '.github/workflows/ci.yml',
    '.github/copilot-instructions',
    'azure-pipelines.yml',
    '.forgejo/workflows/x.yml',
    'netlify.toml',
    'sub/action.yml',
  ],
  runs: [
    'package.json',
    'Package.JSON',
    'packages/a/package.json',
    'package-lock.json',
    'yarn.lock',
    'pnpm-lock.yaml',
    'Cargo.lock',
    'Cargo.toml',
    'build.rs',
    '.cargo/config.toml',
    'go.mod',
    'go.sum',
    'Makefile',
    'GNUmakefile',
    'rules.mk',
    'CMakeLists.txt',
    'conftest.py',
    'tests/conftest.py',
    'setup.py',
    'pyproject.toml',
    'requirements-dev.txt',
    'x.pth',
    'Gemfile',
    'Rakefile',
    'Dockerfile',
    'api.dockerfile',
    'docker-compose.yml',
    'compose.yaml',
    'build.gradle.kts',
    'gradlew',
    'pom.xml',
    'App.csproj',
    'Directory.Build.props',
    'webpack.config.js',
    'vite.config.mts',
    'eslint.config.mjs',
    '.eslintrc.cjs',
    '.mocharc.json',
    'gulpfile.js',
    'karma.conf.js',
    '.bashrc',
    '.zshenv',
    'node_modules/left-pad/index.js',
    '.venv/lib/a.py',
    'tsconfig.json',
    'packages/a/tsconfig.build.json',
    'jsconfig.json',
    'angular.json',
    'flake.nix',
    'shell.nix',
    'devbox.json',
    '.Rprofile',
    '.solargraph.yml',
    'nodemon.json',
  ],
};

const ordinary = [
  'src/a.ts',
  'README.md',
  'docs/agents/overview.md',
  'src/env.ts',
  'src/environment.ts',
  'src/lock.ts',
  'src/block.json',
  'src/packages.json',
  'src/make.ts',
  'src/config.json',
  'src/gitignore.ts',
  '.gitignore',
  '.editorconfig',
  'src/mcp.ts',
  'vscode/settings.json',
  'src/vscode/commands/commands.ts',
  'github/x.ts',
  'test/setup.ts',
  'data.xml',
  'src/workspace.ts',
  'docs/requirements.md',
];

/** A path that a word of the table is about; `text` stands for `*`. */
const exampleOf = (word: string, text: string) => word.replaceAll('*', text) + (word.endsWith('/') ? 'any' : '');
const wordsOf = (words: string) => words.split(' ').flatMap((word) => expandBraces(word) ?? [`too many: ${word}`]);

describe('files/file-class', () => {
  it('X47 every word of the table is read as what it says, and none is said twice by one class', () => {
    const seen = new Set<string>();
    for (const [because, reason, words] of fileTable) {
      assert.match(reason, /^[^.]{8,}$/);
      for (const word of wordsOf(words)) {
        assert.match(word, /^[\w.*-]+(?:\/[\w.*-]+)*\/?$/, word);
        assert.equal(word, word.toLowerCase());
        assert.ok(!seen.has(word), `${word} is there twice`);
        seen.add(word);
        assert.deepEqual(classifyFile(exampleOf(word, 'x')), { kind: 'sensitive', because }, word);
      }
    }
    assert.ok(seen.size > 900, `${seen.size}`);
  });

  it('X04 X47 spellings that a careless file system takes for the same count as the same', () => {
    const spellings = [
      (path: string) => path.toUpperCase(),
      (path: string) => path.replace(/[a-z]/, (letter) => letter.toUpperCase()),
      (path: string) => `sub/${path}`,
      (path: string) => path.replaceAll('s', '\u017f').replaceAll('k', '\u212a'),
      (path: string) => path.replace(/\w/, (letter) => `${letter}\u200d\ufeff`),
      (path: string) =>
        path
          .split('/')
          .map((part) => `${part}. .`)
          .join('/'),
      (path: string) => path.normalize('NFD'),
    ];
    for (const [because, , words] of fileTable) {
      for (const word of wordsOf(words)) {
        for (const text of ['x', '\u00e9']) {
          for (const spell of spellings) {
            const spelled = spell(exampleOf(word, text));
            assert.notEqual(classifyFile(spelled).kind, 'ordinary', spelled);
            if (because === 'secret') assert.ok(isSecretPath(spelled), spelled);
          }
        }
      }
    }
  });

  it('X47 nobody else holds a list of such names', async () => {
    const root = new URL('../../../src/', import.meta.url);
    const others = (await readdir(root, { recursive: true })).filter(
      // Of each custom of other assistants the second says where its files lie, and the last two what belongs to tests.
      (name) =>
        name.endsWith('.ts') && !/file-table\.ts$|customizations.kinds\.ts$|test-(?:command|files)\.ts$/.test(name),
    );
    const telling = /\b(?:id_rsa|tfvars|netrc|pgpass|cursorrules|gitattributes|package-lock|conftest|makefile)\b/i;
    const found = [];
    for (const name of others) if (telling.test(await readFile(new URL(name, root), 'utf8'))) found.push(name);
    assert.deepEqual(found, []);
  });

  it('X01–X12 the corpus is large enough to mean something', () => {
    assert.ok(Object.values(sensitive).flat().length + denied.length >= 60);
  });

  for (const path of denied) {
    it(`X09 denies ${JSON.stringify(path)}`, () => assert.deepEqual(classifyFile(path), { kind: 'denied' }));
  }

  for (const [because, paths] of Object.entries(sensitive)) {
    for (const path of paths) {
      it(`X01–X04 X10–X12 always asks for ${JSON.stringify(path)} (${because})`, () => {
        const found = classifyFile(path);
        assert.equal(found.kind, 'sensitive');
        // Why is for the sentence only: what counts is that it asks.
        const another = because === 'secret';
        if (!another) assert.deepEqual(found, { kind: 'sensitive', because });
      });
    }
  }

  for (const path of ordinary) {
    it(`leaves ${path} ordinary`, () => assert.deepEqual(classifyFile(path), { kind: 'ordinary' }));
  }

  it('X47 reads of secrets ask, in every spelling, and samples of them do not', () => {
    for (const path of secrets) assert.ok(isSecretPath(path), path);
    for (const path of secrets) assert.ok(isSecretPath(path.toUpperCase()), path.toUpperCase());
    const open = [
      '.env.example',
      'prod.env.sample',
      'terraform.tfvars.example',
      'id_rsa.pub',
      'lib/certifi/cacert.pem',
      'src/env.ts',
      'src/secrets.ts',
      'environment.md',
      'src/credentials.ts',
      'history.md',
      'src/history.ts',
      'config.json',
      'docker/config.json',
      'kube/config.yaml',
      'keys.ts',
      'src/auth.ts',
    ];
    for (const path of open) assert.ok(!isSecretPath(path), path);
  });

  it('X55 keys with a suffix, lists of credentials, recorded requests and cookies are secrets; what only sounds like it is none', () => {
    const hidden =
      'id_ed25519_work keys/id_rsa-old id_ecdsa_2 accessKeys.csv ada_accessKeys.csv credentials.csv token.json tokens.json config/prod.secret.exs login.har cookies.txt';
    const open = 'id_ed25519_work.pub keys.csv tokenizer.json token.ts secret.ex har.ts cookies.md access.csv';
    for (const path of hidden.split(' ')) assert.ok(isSecretPath(path), path);
    for (const path of open.split(' ')) assert.ok(!isSecretPath(path), path);
  });

  it("files of the user's own list are protected too", () => {
    const isProtected = (path: string) => path.startsWith('legal/');
    assert.deepEqual(classifyFile('legal/terms.md', isProtected), { kind: 'sensitive', because: 'user' });
    assert.deepEqual(classifyFile('legal/.git/x', isProtected), { kind: 'denied' });
  });

  it('reads plain names, which it reads faster, as it reads all others', () => {
    const name = fc.string({ unit: fc.constantFrom(...'aZK._-~!/git'), maxLength: 12 });
    fc.assert(fc.property(name, (plain) => assert.equal(fold(`${plain}/ü`), `${fold(plain)}/ü`)));
  });
});
