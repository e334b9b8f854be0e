import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { classifyFile, type SensitiveKind } from '../../../src/tools/file-class.ts';

const denied = ['.git', '.git/config', '.GIT/hooks/pre-commit', 'sub/.git/HEAD', '.g\u200cit/config', 'a/.Git/x'];

const sensitive: Readonly<Record<Exclude<SensitiveKind, 'user'>, readonly string[]>> = {
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
    'Jenkinsfile',
    '.gitlab-ci.yml',
    '.github/workflows/ci.yml',
    '.github/copilot-instructions',
    '.circleci/config.yml',
    'azure-pipelines.yml',
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
  'src/vscode/commands.ts',
  'github/x.ts',
  'test/setup.ts',
  'tsconfig.json',
  'data.xml',
  'src/workspace.ts',
  'docs/requirements.md',
];

describe('tools/file-class', () => {
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
        if (path !== '.github/copilot-instructions') assert.deepEqual(found, { kind: 'sensitive', because });
      });
    }
  }

  for (const path of ordinary) {
    it(`leaves ${path} ordinary`, () => assert.deepEqual(classifyFile(path), { kind: 'ordinary' }));
  }

  it("adds the user's own list", () => {
    const isProtected = (path: string) => path.startsWith('legal/');
    assert.deepEqual(classifyFile('legal/terms.md', isProtected), { kind: 'sensitive', because: 'user' });
    assert.deepEqual(classifyFile('legal/.git/x', isProtected), { kind: 'denied' });
  });
});
