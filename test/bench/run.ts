import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openBrowser, type TestBrowser } from '../vscode/browser.ts';
import { exitOnSignal } from '../vscode/exit-on-signal.ts';
import { activation } from './activation.ts';
import { outFolder } from './bundle.ts';
import { toLines } from './figure.ts';
import { requestTokens } from './request-tokens.ts';
import { sizes } from './sizes.ts';
import { streams } from './streams.ts';
import { markdownTable } from './table.ts';
import { versions } from './versions.ts';

const parts = [streams, activation, sizes, requestTokens];

/** `npm run bench [-- P1 P8 …] [--seed N] [--rounds N]`: prints figures beside those of others; fails only when it cannot measure. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { seed: { type: 'string', default: '1' }, rounds: { type: 'string', default: '5' } },
    allowPositionals: true,
  });
  const known = parts.flatMap(({ ids }) => ids);
  const wanted = new Set(positionals.length === 0 ? known : positionals.map((name) => name.toUpperCase()));
  const unknown = [...wanted].filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`no row ${unknown.join(', ')}; there are ${known.join(', ')}`);
  const seed = wholeNumber('seed', values.seed);
  const rounds = wholeNumber('rounds', values.rounds);
  let browser: Promise<TestBrowser> | undefined;
  const context = {
    seed,
    rounds,
    browser: () => {
      browser ??= openBrowser();
      return browser;
    },
    progress: (text: string) => process.stderr.write(`${text}\n`),
  };
  try {
    const lines = [];
    for (const part of parts) {
      if (part.ids.some((id) => wanted.has(id))) lines.push(...(await part.measure(context, wanted)).flatMap(toLines));
    }
    const about = `Seed ${seed}, ${rounds} rounds, ${os.cpus().length} × ${os.cpus()[0]?.model ?? 'unknown CPU'}; ${await versions()}.`;
    const report = `${markdownTable(lines)}\n\n${about}\n`;
    console.log(`\n${report}`);
    await mkdir(outFolder, { recursive: true });
    await writeFile(path.join(outFolder, 'latest.md'), report);
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
