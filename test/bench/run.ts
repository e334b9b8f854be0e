import { mkdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openBrowser, type TestBrowser } from '../vscode/browser.ts';
import { exitOnSignal } from '../vscode/exit-on-signal.ts';
import { activation } from './activation.ts';
import { installPeers, outFolder } from './bundle.ts';
import { chunkShapes } from './chunk-shapes.ts';
import { withMeasured } from './document.ts';
import { estimate } from './estimate.ts';
import { type Line, toLines } from './figure.ts';
import { firstOpen } from './first-open.ts';
import { firstUse } from './first-use.ts';
import { historyList } from './history-list.ts';
import { inlineBox } from './inline-box.ts';
import { keys } from './keys.ts';
import { largeRepositories } from './large-repositories.ts';
import { lastPaint } from './last-paint.ts';
import { latency } from './latency.ts';
import { ledger } from './ledger.ts';
import { lightbulb } from './lightbulb.ts';
import { longEdits } from './long-edits.ts';
import { longHistories } from './long-histories.ts';
import { panel } from './panel.ts';
import type { BenchContext } from './part.ts';
import { providerStreams } from './provider-streams.ts';
import { requestTokens } from './request-tokens.ts';
import { sandboxedCommands } from './sandboxed-commands.ts';
import { sizes } from './sizes.ts';
import { streams } from './streams.ts';
import { markdownTable } from './table.ts';
import { textSearch } from './text-search.ts';
import { versions } from './versions.ts';

const parts = [
  streams,
  chunkShapes,
  latency,
  lastPaint,
  panel,
  firstOpen,
  inlineBox,
  keys,
  longEdits,
  firstUse,
  sandboxedCommands,
  lightbulb,
  activation,
  sizes,
  requestTokens,
  ledger,
  historyList,
  longHistories,
  largeRepositories,
  textSearch,
  estimate,
  providerStreams,
];

/**
 * `npm run bench [-- P1 P8 edits …] [--seed N] [--rounds N] [--write]`: prints figures beside those of others; fails only when it
 * cannot measure. `--write` puts the table's rows into docs/performance.md. Names are rows of the table or folders with a table of their own.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '5' },
      write: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const rows = parts.flatMap(({ ids }) => ids);
  const folders = Object.keys(ownTables);
  const known = [...rows, ...folders];
  const toName = (name: string) =>
    folderOfRow[name.toUpperCase()] ?? (folders.includes(name) ? name : name.toUpperCase());
  const names = positionals.map(toName);
  const wanted = new Set(names.length === 0 ? known : names);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`nothing is called ${unknown.join(', ')}; there are ${known.join(', ')}`);
  const options = { seed: wholeNumber('seed', values.seed), rounds: wholeNumber('rounds', values.rounds) };
  if (rows.some((id) => wanted.has(id))) {
    const lines = await printTable(options, wanted);
    if (values.write) await writeDocument(lines);
  }
  for (const [, load] of Object.entries(ownTables).filter(([name]) => wanted.has(name))) {
    await installPeers();
    const { report } = await load();
    console.log(`\n${await report({ seed: options.seed, progress: tell })}`);
  }
}

type BenchOptions = Pick<BenchContext, 'seed' | 'rounds'>;

interface FolderOptions {
  seed: number;
  progress(text: string): void;
}

const tell = (text: string) => process.stderr.write(`${text}\n`);

/** Rows of the table that have tables of their own. */
const folderOfRow: Readonly<Record<string, string>> = { P12: 'economy', P14: 'edits' };

/** Benches with tables of their own, by their folder; read when they run, as some need the peers. */
const ownTables: Readonly<Record<string, () => Promise<{ report(options: FolderOptions): string | Promise<string> }>>> =
  {
    completion: () => import('./completion/run.ts'),
    economy: () => import('./economy/run.ts'),
    edits: () => import('./edits/run.ts'),
    trajectories: () => import('./trajectories/run.ts'),
  };

async function writeDocument(lines: readonly Line[]): Promise<void> {
  const file = path.join(import.meta.dirname, '../../docs/performance.md');
  const day = new Date().toLocaleDateString('en-US', { month: 'short', day: 'numeric' });
  await writeFile(file, withMeasured(await readFile(file, 'utf8'), lines, day));
}

async function printTable({ seed, rounds }: BenchOptions, wanted: ReadonlySet<string>): Promise<Line[]> {
  let browser: Promise<TestBrowser> | undefined;
  const context: BenchContext = {
    seed,
    rounds,
    browser: () => {
      browser ??= openBrowser();
      return browser;
    },
    progress: tell,
  };
  try {
    const lines: Line[] = [];
    for (const part of parts.filter(({ ids }) => ids.some((id) => wanted.has(id)))) {
      try {
        lines.push(...(await part.measure(context, wanted)).flatMap(toLines));
      } catch (error) {
        // Minutes of other measurements are not thrown away for it.
        console.error(`${part.ids.join(', ')} could not be measured:`, error);
        process.exitCode = 1;
      }
    }
    const order = parts.flatMap(({ ids }) => ids);
    lines.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
    const machine = `${os.cpus().length} × ${os.cpus()[0]?.model ?? 'unknown CPU'}`;
    const report = `${markdownTable(lines)}\n\nSeed ${seed}, ${rounds} rounds, ${machine}; ${await versions()}.\n`;
    console.log(`\n${report}`);
    await mkdir(outFolder, { recursive: true });
    await writeFile(path.join(outFolder, 'latest.md'), report);
    return lines;
  } finally {
    await (await browser)?.close();
  }
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`--${name} takes a whole number from 1, not ${text}`);
  return value;
}

exitOnSignal();
await main();
