// Command line of the trial: --base-url URL [--models a,b] [--tasks a,b] [--max-usd 1] [--yes]. See docs/trial.md.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../../src/base/clock.ts';
import { normaliseBaseUrl } from '../../src/service/base-url.ts';
import { createDirectFetch } from '../../src/service/wire/direct-fetch.ts';
import { createTransport } from '../../src/service/wire/transport.ts';
import { formatMicroUsd } from '../../src/shared/money.ts';
import { askSecret, askYes } from './ask.ts';
import { readTasks } from './task.ts';
import { runTrial } from './trial.ts';

/** As in the extension (`create-service.ts`). */
const timeouts = { firstEventMs: 180_000, idleMs: 90_000 };
const maxTaskMs = 10 * 60_000;
const keyVariable = 'SVC_API_KEY';

const { values } = parseArgs({
  options: {
    'base-url': { type: 'string', default: '' },
    models: { type: 'string' },
    tasks: { type: 'string' },
    'max-usd': { type: 'string', default: '1' },
    yes: { type: 'boolean', default: false },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
const fail = (line: string): never => {
  say(line);
  process.exit(2);
};
const names = (list: string | undefined) =>
  list
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean);

const address = normaliseBaseUrl(values['base-url']);
const baseUrl = 'url' in address ? address.url : fail(`--base-url: ${address.error}`);
const maxUsd = Number(values['max-usd']);
if (!(maxUsd > 0)) fail('--max-usd needs an amount, such as 0.5.');
const all = await readTasks();
const wanted = names(values.tasks);
const unknown = wanted?.filter((name) => !all.some((task) => task.name === name)) ?? [];
if (unknown.length > 0)
  fail(`No such task: ${unknown.join(', ')}. There are: ${all.map(({ name }) => name).join(', ')}`);
const key = process.env[keyVariable]?.trim() || (await askSecret('API key (not shown, not stored): '));
// No command and no test of a task gets to see it.
delete process.env[keyVariable];
if (key === '') fail(`No key: type it when asked, or set ${keyVariable}.`);

const stopping = new AbortController();
let stoppedAt = Number.NaN;
process.on('SIGINT', () => {
  // One Ctrl+C comes twice: from the terminal, and handed on by npm.
  if (systemClock.now() - stoppedAt < 1000) return;
  if (stopping.signal.aborted) process.exit(130);
  stoppedAt = systemClock.now();
  say('\nStopping. The report of what was done is written. Ctrl+C once more ends at once.');
  stopping.abort();
});
const folder = path.join('out', 'trial', new Date().toISOString().slice(0, 19).replaceAll(':', '-'));
const direct = createDirectFetch();
const end = await runTrial({
  ...{ baseUrl, key, maxUsd, timeouts, maxTaskMs, say },
  models: names(values.models),
  tasks: wanted === undefined ? all : all.filter(({ name }) => wanted.includes(name)),
  reportDir: path.resolve(folder),
  clock: systemClock,
  transport: createTransport({
    loadDirect: async () => direct,
    hasProxySetting: () => false,
    env: process.env,
    log: () => undefined,
  }),
  signal: stopping.signal,
  async agree({ models, tasks, usualMicroUsd, maxUsd }) {
    say(`\n${tasks} tasks × ${models.length} models: ${models.join(', ')}`);
    say(
      `${formatMicroUsd(usualMicroUsd, true)}, if a task takes the 20,000 tokens that are assumed. Stops before passing $${maxUsd}.`,
    );
    return values.yes || askYes('Begin?');
  },
});
await direct.close();
if (end === 'declined') say('Nothing was sent that costs anything. (Without a terminal, add --yes.)');
if (end === 'done' || end === 'cut-short') {
  const report = await readFile(path.join(folder, 'report.md'), 'utf8');
  say(
    `\n${report
      .split(/^## /m)[1]
      ?.replace(/^By model\n\n/, '')
      .trim()}\n\nReport: ${path.join(folder, 'report.md')}`,
  );
}
process.exitCode = end === 'done' ? 0 : 1;
