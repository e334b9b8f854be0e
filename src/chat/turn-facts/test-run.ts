import type { CommandEnd } from '../../shared/events.ts';

export interface TestRun {
  command: string;
  runner: string;
  targets: readonly string[];
  exitCode: number | undefined;
}

const runners = [
  '(?:npm|pnpm|yarn|bun) (?:run )?(?:test|t)(?::[\\w:.-]+)?',
  '(?:vitest|jest|mocha|ava|pytest|py\\.test|tox|nox|rspec|phpunit|pest|ctest)',
  'python[\\d.]* -m (?:pytest|unittest)',
  '(?:go|cargo|dotnet|deno|swift|mix|rails|flutter|dart|zig build) test',
  'cargo nextest run',
  'node --test',
  'playwright test',
  '(?:mvn|mvnw)(?: -\\S+)* (?:test|verify)',
  '(?:gradle|gradlew)(?: -\\S+)* (?:test|check)',
  'make (?:test|check)',
];
const runner = new RegExp(`^(?:${runners.join('|')})(?= |$)`);

const leads = [
  '(?:[A-Z_][A-Z\\d_]*=\\S* )',
  '(?:cross-env(?: [A-Z_][A-Z\\d_]*=\\S*)* )',
  '(?:time|nice|command|exec|npx|bunx|nohup) ',
  '(?:npx (?:--yes|-y|--no-install)|timeout \\S+|(?:pnpm|yarn|npm) exec(?: --)?|(?:pnpm|yarn)(?= (?:vitest|jest|mocha|ava|playwright))|bundle exec|uv run|poetry run|pipenv run|hatch run) ',
];
const leading = new RegExp(`^(?:${leads.join('|')})+`);
const folderOfProgram = /^(?:[\w.@~-]*\/)+/;

const neutral = /^(?:cd|pushd|popd|export|set|unset|source|\.|clear|echo|printf|true)(?: |$)/;

const runsNothing =
  /(?:^| )(?:--watch(?:All)?|--help|-h|--version|--list(?:-?tests)?|--collect-only|--co|--ui)(?: |=|$)/;

const maxOfCommand = 10_000;

/**
 * Reads a command line as running tests; undefined when it does not. It uses only the line and its exit code, never
 * the output. An exit code that may belong to another program is left out.
 */
export function readTestRun(line: string, { exitCode, pipe }: Partial<CommandEnd>): TestRun | undefined {
  if (line.length > maxOfCommand) return undefined;
  const texts: string[] = [];
  const plain = line
    .replace(/\\\r?\n/g, ' ')
    .replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, (quoted) => `\uE000${texts.push(quoted) - 1}\uE000`)
    .replace(/\d?>&\d|&?\d?>{1,2} ?[^\s|;&<>]{1,400}/g, '');
  const groups = plain.split(/[;\n]/).map((group) => group.split('&&').map(toCommand));
  const tests = groups.flatMap((group) => group.filter(({ tests: is }) => is));
  const [first] = tests;
  if (first === undefined) return undefined;
  const restored = first.words.replace(/\uE000(\d+)\uE000/g, (_, at) => texts[Number(at)] ?? '');
  const found = { command: restored, runner: first.runner, targets: first.targets };
  const last = groups.findLast((group) => group.some(({ words }) => words !== ''));
  const isOnly = tests.length === 1 && last?.includes(first) === true && !/\|\||[^&]&(?!&)/.test(plain);
  return { ...found, exitCode: isOnly ? codeOf(first, last, { exitCode, pipe }) : undefined };
}

interface Command {
  words: string;
  parts: number;
  tests: boolean;
  runner: string;
  targets: readonly string[];
}

function toCommand(text: string): Command {
  const [begin = '', ...rest] = text.split('|');
  const words = begin.trim().replace(/\s+/g, ' ');
  const bare = words.replace(leading, '').replace(folderOfProgram, '');
  const found = runner.exec(bare)?.[0] ?? '';
  const targets = bare
    .slice(found.length)
    .split(' ')
    .filter((word) => word !== '' && !word.startsWith('-') && word !== 'run');
  const tests = found !== '' && !runsNothing.test(bare);
  return { words, parts: rest.length + 1, tests, runner: found, targets };
}

function codeOf(test: Command, group: readonly Command[], { exitCode, pipe }: Partial<CommandEnd>): number | undefined {
  const isLast = group.at(-1) === test;
  if (test.parts > 1) return isLast && pipe?.length === test.parts ? pipe[0] : undefined;
  if (exitCode === 0)
    return isLast || group.slice(group.indexOf(test)).every(({ parts }) => parts === 1) ? 0 : undefined;
  const others = group.filter((one) => one !== test && one.words !== '');
  return others.every(({ words, parts }) => parts === 1 && neutral.test(words)) ? exitCode : undefined;
}

/** Says whether a success of `later` proves the tests of `earlier`: the same tests, or more of them. */
export function covers(later: TestRun, earlier: TestRun): boolean {
  if (later.targets.length === 0) return true;
  return later.runner === earlier.runner && later.targets.every((target) => earlier.targets.includes(target));
}
