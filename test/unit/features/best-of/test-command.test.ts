import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { proposeTest, withScripts } from '../../../../src/features/best-of/core/test-command.ts';
import { type ChangedFile, judgesWork } from '../../../../src/features/best-of/core/test-files.ts';
import { failedIn, verdictOf } from '../../../../src/features/best-of/core/test-result.ts';
import { withTempDir } from '../../../support/temp-dir.ts';

const manifest = (scripts: Record<string, string>, more: object = {}) => JSON.stringify({ scripts, ...more });

describe('the test command of a project', () => {
  const projects: [string, Record<string, string>, string | undefined][] = [
    ['a script', { 'package.json': manifest({ test: 'node --test' }) }, 'npm test'],
    ['a script and a lock', { 'package.json': manifest({ test: 'vitest' }), 'pnpm-lock.yaml': '' }, 'pnpm test'],
    ['a manager', { 'package.json': manifest({ test: 'jest' }, { packageManager: 'yarn@4.1.0' }) }, 'yarn test'],
    [
      'what npm init writes',
      { 'package.json': manifest({ test: 'echo "Error: no test specified" && exit 1' }) },
      undefined,
    ],
    [
      'a script, before a makefile',
      { 'package.json': manifest({ test: 'mocha' }), Makefile: 'test:\n\ttrue\n' },
      'npm test',
    ],
    [
      'a makefile behind a bare manifest',
      { 'package.json': '{}', Makefile: 'all:\ntest : all\n\ttrue\n' },
      'make test',
    ],
    ['a variable called test', { Makefile: 'test := 1\n' }, undefined],
    ['Rust', { 'Cargo.toml': '[package]\n' }, 'cargo test'],
    ['Go', { 'go.mod': 'module a\n' }, 'go test ./...'],
    ['Python', { 'pyproject.toml': '[tool.pytest.ini_options]\n' }, 'python3 -m pytest'],
    ['Python without pytest', { 'pyproject.toml': '[project]\n' }, undefined],
    ['Deno', { 'deno.json': '{"tasks":{"test":"deno test -A"}}' }, 'deno task test'],
    ['broken JSON', { 'package.json': '{"scripts":' }, undefined],
    ['nothing', {}, undefined],
  ];
  for (const [what, files, line] of projects) {
    it(`U20 ${what}: ${line ?? 'nothing is proposed'}`, async () => {
      await withTempDir(async (dir) => {
        for (const [name, text] of Object.entries(files)) await writeFile(path.join(dir, name), text);
        assert.equal(await proposeTest(dir), line);
      });
    });
  }

  it('U20 is followed through the scripts that it runs', async () => {
    await withTempDir(async (dir) => {
      const scripts = { test: 'npm run unit && npm run lint', unit: 'node check.mjs', lint: 'biome check', other: 'x' };
      await writeFile(path.join(dir, 'package.json'), manifest(scripts));
      assert.equal(
        await withScripts('npm test', dir),
        'npm test ; npm run unit && npm run lint ; node check.mjs ; biome check',
      );
    });
  });
});

describe('what judges the work', () => {
  const before = manifest({ test: 'node check.mjs', build: 'tsc' }, { dependencies: {} });
  const cases: [string | ChangedFile, string, boolean][] = [
    ['test/add.ts', 'npm test', true],
    ['src/add.test.ts', 'npm test', true],
    ['src/AddTest.java', 'mvn test', true],
    ['pkg/add_test.go', 'go test ./...', true],
    ['tests/conftest.py', 'pytest', true],
    ['spec/add_spec.rb', 'rspec', true],
    ['src/__snapshots__/a.snap', 'jest', true],
    ['src/latest.ts', 'npm test', false],
    ['src/inspector.ts', 'npm test', false],
    ['src/contest.ts', 'npm test', false],
    ['src/specialFit.ts', 'npm test', false],
    ['check.mjs', 'npm test ; node ./check.mjs', true],
    ['src/check.mjs', 'npm test ; node check.mjs', false],
    ['vitest.config.ts', 'npx vitest run', true],
    ['.mocharc.json', 'npm test ; mocha', true],
    ['Makefile', 'make test', true],
    ['Cargo.toml', 'cargo test', false],
    ['go.mod', 'go test ./...', false],
    ['node.ts', 'node --test', false],
    [{ path: 'package.json', before, after: before.replace('node check.mjs', 'true') }, 'npm test', true],
    [{ path: 'package.json', before, after: before.replace('{}', '{"a":"1"}') }, 'npm test', false],
    [{ path: 'package.json', before: undefined, after: before }, 'npm test', true],
  ];
  for (const [file, line, judges] of cases) {
    const one = typeof file === 'string' ? { path: file } : file;
    it(`U20 ${one.path} ${judges ? 'belongs to' : 'is no part of'} ${line}`, () =>
      assert.equal(judgesWork(one, line), judges));
  }
});

describe('the output of tests', () => {
  const outputs: [string, string, number | undefined][] = [
    ['mocha', '  3 passing (12ms)\n  2 failing\n\n  1) adds', 2],
    ['jest', 'Test Suites: 1 failed, 2 total\nTests:       3 failed, 9 passed, 12 total\n', 3],
    ['pytest', '===== 1 failed, 3 passed in 0.12s =====\n', 1],
    ['unittest', 'FAILED (failures=2)\n', 2],
    ['cargo', 'test result: FAILED. 1 passed; 4 failed; 0 ignored; 0 measured\n', 4],
    ['node', 'ℹ tests 4\nℹ pass 3\nℹ fail 1\nℹ cancelled 0\n', 1],
    ['TAP', '# tests 4\n# pass 3\n# fail 1\n', 1],
    ['Maven', 'Tests run: 5, Failures: 2, Errors: 0, Skipped: 0\n', 2],
    ['dotnet', 'Failed!  - Failed:     2, Passed:     7, Skipped:     0\n', 2],
    ['go', '--- FAIL: TestAdd (0.00s)\nFAIL\n', undefined],
    ['a compiler', 'error[E0425]: cannot find value\n', undefined],
  ];
  for (const [program, output, failed] of outputs)
    it(`U20 of ${program} says ${failed ?? 'no number'}`, () => assert.equal(failedIn(output), failed));

  it('U20 what was red is not held against a model, and nothing that was not run is green', () => {
    const run = (exitCode?: number, failed?: number) => ({
      said: '',
      ...(exitCode !== undefined && { exitCode }),
      ...(failed !== undefined && { failed }),
    });
    const rows = [
      [run(0), run(0), 'green'],
      [run(1, 2), run(0), 'green'],
      [run(0), run(1, 1), 'red'],
      [run(1, 2), run(1, 2), 'red-before'],
      [run(1, 2), run(1, 1), 'red-before'],
      [run(1, 2), run(1, 3), 'red'],
      [run(1), run(1), 'red-before'],
      [run(0), run(), 'unknown'],
      [run(0), undefined, 'unknown'],
    ] as const;
    for (const [base, now, verdict] of rows) assert.equal(verdictOf(base, now), verdict);
  });
});
