import { addCounts, type Counts, formatCounts, noCounts } from './counts.ts';
import type { TestEvent } from './test-event.ts';

export interface Failure {
  part: string;
  /** Path of the test file, or what was run. */
  file: string;
  title: string;
  error: string;
  detail: string;
  /** Where the output of its process is. */
  log?: string;
}

export interface ReportOptions {
  print(text: string): void;
  /** Whether a test that passed only when it was run again is a failure. */
  strict: boolean;
}

/** Everything that is known of a run, at any moment of it. */
export interface Report {
  /** What `file` of `part` told. */
  tell(part: string, file: string, event: TestEvent, log?: string): void;
  /** Counted as a failed test: a file that does not load, a process that died, a test that was ended. */
  fault(failure: Failure): void;
  /** The failures of a part that are neither taken back nor run again yet. */
  failures(part: string): readonly Failure[];
  /** Takes a failure back: the test passed when it was run again. */
  flaky(failure: Failure): void;
  /** Counts so far, of a part or of all. */
  counts(part?: string): Counts;
  /** Prints the failures, the flaky tests, a line per part with `took` below, and the counts as the last line. */
  close(took: string): Counts;
}

/** Collects events and prints each failure as it comes. */
export function createReport({ print, strict }: ReportOptions): Report {
  const counts = new Map<string, Counts>();
  const missing = new Map<string, number>();
  const failed: Failure[] = [];
  const flaky: Failure[] = [];
  const add = (part: string, more: Partial<Counts>) =>
    counts.set(part, addCounts(counts.get(part) ?? noCounts, { ...noCounts, ...more }));
  const fault = (failure: Failure) => {
    failed.push(failure);
    add(failure.part, { failed: 1 });
    const log = failure.log === undefined ? '' : `\n    output: ${failure.log}`;
    print(`  ✗ ${failure.part}: ${failure.file}: ${failure.title}\n${indent(failure.detail)}${log}`);
  };
  const total = (part?: string) =>
    part === undefined ? [...counts.values()].reduce(addCounts, noCounts) : (counts.get(part) ?? noCounts);
  return {
    tell(part, file, event, log) {
      if (event.type === 'pass') add(part, { passed: 1 });
      else if (event.type === 'skip') {
        add(part, { skipped: 1 });
        if (event.needs !== undefined) missing.set(event.needs, (missing.get(event.needs) ?? 0) + 1);
      }
      if (event.type === 'fail') fault({ part, file, log, ...event });
    },
    fault,
    failures: (part) => failed.filter((failure) => failure.part === part),
    flaky(failure) {
      failed.splice(failed.indexOf(failure), 1);
      flaky.push(failure);
      add(failure.part, strict ? {} : { failed: -1, passed: 1 });
    },
    counts: total,
    close(took) {
      const lines = [
        ...list('failed', failed),
        ...list(
          strict ? 'flaky (passed when run again; here that is a failure)' : 'flaky (passed when run again)',
          flaky,
        ),
        ...[...missing].map(
          ([install, tests]) => `== ${tests} skipped for a program that is missing here: ${install}\n`,
        ),
        ...[...counts].map(([part, its]) => `${part.padEnd(12)} ${formatCounts(its)}`),
      ];
      print(`\n${lines.join('\n')}\n${took}, ${flaky.length} flaky\n\n${formatCounts(total())}`);
      return total();
    },
  };
}

function list(heading: string, failures: readonly Failure[]): string[] {
  if (failures.length === 0) return [];
  const lines = failures.flatMap(({ part, file, title, error, log }) => [
    `  ✗ ${part}: ${file}: ${title}`,
    `      ${error}${log === undefined ? '' : ` (${log})`}`,
  ]);
  return [`== ${failures.length} ${heading}`, ...lines, ''];
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}
