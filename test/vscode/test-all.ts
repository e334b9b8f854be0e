import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { conformanceTable, titledTests } from '../support/row-titles.ts';
import { addCounts, type Counts, formatCounts, noCounts, parseCounts } from './counts.ts';
import { exitOnSignal } from './exit-on-signal.ts';
import { type Failure, formatFailures, parseFailures } from './failures.ts';
import { endProcessTree, killProcessTree } from './process-tree.ts';

interface Part {
  name: string;
  /** An npm script. */
  script: string;
  /** Whether it prints counts. One that does not counts only when it fails. */
  hasTests: boolean;
  timeoutMs: number;
}

const minute = 60_000;
const check: Part = { name: 'check', script: 'check', hasTests: false, timeoutMs: 3 * minute };
const build: Part = { name: 'build', script: 'build', hasTests: false, timeoutMs: minute };
const host: Part = { name: 'host', script: 'test:host', hasTests: true, timeoutMs: 12 * minute };
const unit: Part = { name: 'unit', script: 'test:unit', hasTests: true, timeoutMs: 8 * minute };
const panel: Part = { name: 'panel', script: 'test:panel', hasTests: true, timeoutMs: 12 * minute };
const e2e: Part = { name: 'e2e', script: 'test:e2e', hasTests: true, timeoutMs: 15 * minute };

/** One after the other. The lanes of a stage run at once: alone, neither keeps two processors busy, as the windows of `e2e` do. */
const stages: readonly (readonly (readonly Part[])[])[] = [
  [[check]],
  [[build]],
  // After the host tests, which get VS Code: the search is compared with the ripgrep that it carries.
  [[host, unit], [panel]],
  [[e2e]],
];

interface Outcome {
  counts: Counts;
  failures: Failure[];
  seconds: number;
  note: string;
}

/**
 * Runs one part with its output passed on, at once or, beside another part, when it has ended; only its closing counts are
 * held back, so that there is one such line in the end. A part that dies, hangs or reports success it cannot show is one failed test.
 */
async function runPart({ name, script, hasTests, timeoutMs }: Part, isAlone: boolean): Promise<Outcome> {
  const startedAt = Date.now();
  const windows = process.platform === 'win32';
  const child = spawn('npm', ['run', '--silent', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !windows,
    shell: windows,
  });
  const killAtExit = () => killProcessTree(child);
  process.once('exit', killAtExit);
  let output = '';
  const held: string[] = [];
  const heading = `\n== ${name}`;
  if (isAlone) console.log(heading);
  for (const [from, to] of [[child.stdout, process.stdout] as const, [child.stderr, process.stderr] as const]) {
    let rest = '';
    const pass = (line: string) => {
      if (/^\d+ passed, \d+ failed, \d+ skipped$/.test(line)) return;
      if (isAlone) to.write(`${line}\n`);
      else held.push(line);
    };
    from.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(pass);
    });
    from.once('end', () => rest !== '' && pass(rest));
  }
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    endProcessTree(child).catch((error: unknown) => console.error(error));
  }, timeoutMs);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  clearTimeout(timer);
  process.off('exit', killAtExit);
  if (!isAlone) console.log([heading, ...held].join('\n'));
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  const judged = judge({ code, counts: hasTests ? parseCounts(output) : noCounts, timedOut, hasTests });
  return { ...judged, failures: hasTests ? parseFailures(output) : [], seconds };
}

interface Ending {
  code: number | null;
  counts: Counts | undefined;
  timedOut: boolean;
  hasTests: boolean;
}

function judge({ code, counts, timedOut, hasTests }: Ending): Pick<Outcome, 'counts' | 'note'> {
  if (timedOut) return { counts: addCounts(counts ?? noCounts, { ...noCounts, failed: 1 }), note: 'took too long' };
  if (counts === undefined) return { counts: { ...noCounts, failed: 1 }, note: 'ended without a result' };
  if (hasTests && isEmpty(counts)) return { counts: { ...counts, failed: 1 }, note: 'ran no test' };
  if (code !== 0 && counts.failed === 0) {
    return { counts: { ...counts, failed: 1 }, note: `ended with code ${code}` };
  }
  return { counts, note: '' };
}

/** Tests that were not found are no success. */
function isEmpty({ passed, failed }: Counts): boolean {
  return passed + failed === 0;
}

async function main(): Promise<void> {
  const outcomes = new Map<Part, Outcome>();
  for (const lanes of stages) {
    const runLane = async (parts: readonly Part[]) => {
      for (const part of parts) outcomes.set(part, await runPart(part, lanes.length === 1));
    };
    await Promise.all(lanes.map(runLane));
  }
  const parts = stages.flat(2).flatMap((part) => {
    const outcome = outcomes.get(part);
    return outcome ? [{ ...part, ...outcome }] : [];
  });
  const total = parts.reduce((sum, { counts }) => addCounts(sum, counts), noCounts);
  const failed = parts.flatMap(({ name, failures }) =>
    failures.map(({ title, error }) => ({ title: `${name}: ${title}`, error })),
  );
  const summary = parts.map(({ name, hasTests, counts, seconds, note }) => {
    const result = hasTests || counts.failed > 0 ? formatCounts(counts) : 'ok';
    return `${name.padEnd(6)} ${result} (${seconds} s${note === '' ? '' : `, ${note}`})`;
  });
  console.log(`\n${conformanceTable(titledTests(join(import.meta.dirname, '..')))}`);
  // Last, so that a log of which only the end is kept still has them.
  console.log(`\n${formatFailures(failed)}\n\n${summary.join('\n')}\n\n${formatCounts(total)}`);
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
}

exitOnSignal();
await main();
