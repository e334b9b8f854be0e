import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { covers, readTestRun } from '../../../../src/chat/turn-facts/test-run.ts';

const exit = (exitCode: number, pipe?: number[]) => ({ exitCode, ...(pipe && { pipe }) });

describe('a command line that runs tests', () => {
  for (const line of [
    'npm test',
    'npm run test:unit -- --grep x',
    'CI=1 npx vitest run src/a.test.ts',
    'cd packages/a && pnpm test',
    './node_modules/.bin/jest --runInBand',
    'python -m pytest -q tests/test_a.py',
    'uv run pytest',
    'poetry run python3 -m unittest discover',
    'go test ./...',
    'RUST_BACKTRACE=1 cargo test --all',
    'dotnet test',
    './gradlew test',
    './mvnw -q verify',
    'bundle exec rspec spec/a_spec.rb',
    'vendor/bin/phpunit',
    'make check',
    'timeout 60 node --test',
    'npm test 2>&1',
    'pytest > out.txt',
    'set -e; npm test',
    'export CI=true; npm test',
    'npm test -w packages/a',
  ]) {
    it(`F45 ${line} does, and its exit code is theirs`, () => {
      assert.equal(readTestRun(line, exit(1))?.exitCode, 1);
      assert.equal(readTestRun(line, exit(0))?.exitCode, 0);
    });
  }

  for (const line of [
    'npm run build',
    'npm install jest',
    'echo npm test',
    'cat test.txt',
    'git commit -m "npm test passes"',
    'grep -rn pytest .',
    'npm test -- --watch',
    'pytest --collect-only',
    'jest --help',
    'python test.py',
    'mvn package',
    'testing',
    "sed -i 's/jest/vitest/' package.json",
  ]) {
    it(`F45 ${line} does not`, () => assert.equal(readTestRun(line, exit(1)), undefined));
  }

  for (const line of [
    'npm test || true',
    'npm test; echo done',
    'npm test | tail -20',
    'npm test && npm run e2e:test && npm test',
    'npm run build && npm test',
    'npm test & sleep 5',
    'npm test\nls',
  ]) {
    it(`F45 the exit code of ${JSON.stringify(line)} may be another one`, () => {
      const run = readTestRun(line, exit(1));
      assert.ok(run);
      assert.equal(run.exitCode, undefined);
    });
  }

  it('F45 of a pipe the part that ran them is taken', () => {
    assert.equal(readTestRun('npm test 2>&1 | tail -20', exit(0, [1, 0]))?.exitCode, 1);
    assert.equal(readTestRun('npm test | grep FAIL', exit(1, [0, 1]))?.exitCode, 0);
    assert.equal(readTestRun('cd a && npm test | tail', exit(0, [1, 0]))?.exitCode, 1);
    assert.equal(readTestRun('npm test | tail | head', exit(0, [1, 0]))?.exitCode, undefined);
  });

  it('F45 a success of all of a line is one of the tests in it', () => {
    assert.equal(readTestRun('npm run build && npm test', exit(0))?.exitCode, 0);
    assert.equal(readTestRun('npm test && npm run lint', exit(0))?.exitCode, 0);
  });

  it('F45 keeps what was quoted, and reads nothing in it', () => {
    assert.equal(readTestRun('npm test -- -g "a | b; c"', exit(1))?.command, 'npm test -- -g "a | b; c"');
    assert.equal(readTestRun('npm test -- -g "a | b; c"', exit(1))?.exitCode, 1);
  });

  it('F45 the same tests or more make good what failed, fewer or others do not', () => {
    const read = (line: string) => readTestRun(line, exit(0)) ?? assert.fail(line);
    const rows: [later: string, earlier: string, is: boolean][] = [
      ['npm test', 'npm test', true],
      ['npm test', 'npx vitest run a.test.ts', true],
      ['npm test -- a.test.ts', 'npm test', false],
      ['pytest tests/a.py', 'pytest tests/a.py tests/b.py', true],
      ['pytest tests/a.py', 'pytest tests/b.py', false],
      ['pytest -x', 'pytest tests/a.py', true],
      ['jest a.test.ts', 'pytest tests/b.py', false],
    ];
    for (const [later, earlier, is] of rows)
      assert.equal(covers(read(later), read(earlier)), is, `${later} ${earlier}`);
  });
});
