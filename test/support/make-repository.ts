import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createRandom, type Random } from './random.ts';
import { type Language, writeSource } from './source-text.ts';

export interface RepositoryOptions {
  /** Absolute path of the folder to fill; made when absent. */
  folder: string;
  /** Number of source files. Odd, ignored and root files come on top. */
  files?: number;
  seed?: number;
}

export interface Repository {
  folder: string;
  /** Relative paths of the source files, with `/`. */
  sources: string[];
  /** A statement that stands in one file only, to ask for. */
  fact: { path: string; line: number; question: string; answer: string };
  /** Relative paths of files that a text reader has to cope with. */
  odd: Record<OddFile, string>;
  /** Relative paths that `.gitignore` leaves out; some hold the fact's words with a wrong number, as a trap. */
  ignored: string[];
}

export type OddFile =
  | 'crlf'
  | 'bom'
  | 'utf16'
  | 'latin1'
  | 'binary'
  | 'empty'
  | 'longLine'
  | 'noFinalNewline'
  | 'unicodeName';

const services = [
  'billing',
  'catalog',
  'gateway',
  'identity',
  'inventory',
  'notifications',
  'orders',
  'reports',
  'search',
  'shipping',
];
const layers = ['api', 'domain', 'events', 'jobs', 'storage', 'util'];
const things = [
  'account',
  'address',
  'basket',
  'coupon',
  'customer',
  'invoice',
  'ledger',
  'parcel',
  'payment',
  'product',
  'refund',
  'session',
  'stock',
  'tariff',
  'voucher',
];
const acts = [
  'archive',
  'build',
  'check',
  'collect',
  'compare',
  'find',
  'format',
  'load',
  'merge',
  'parse',
  'plan',
  'resolve',
  'store',
  'validate',
];
const languages: readonly { language: Language; extension: string; share: number }[] = [
  { language: 'typescript', extension: 'ts', share: 0.55 },
  { language: 'python', extension: 'py', share: 0.25 },
  { language: 'go', extension: 'go', share: 0.2 },
];

/**
 * Writes a source tree that looks like a company's: services in three languages that import each other, ignored build
 * folders, files in odd encodings, and one planted fact. The same options give the same bytes.
 */
export async function makeRepository({ folder, files = 3000, seed = 1 }: RepositoryOptions): Promise<Repository> {
  const random = createRandom(seed);
  const written = new Map<string, string | Buffer>();
  const sources: string[] = [];
  const placed = new Map<string, string[]>();
  for (let index = 0; index < files; index++) {
    const { language, extension } = chooseLanguage(random);
    const directory = `services/${random.pick(services)}/${extension === 'ts' ? 'src/' : ''}${random.pick(layers)}`;
    const subject = random.pick(things);
    const name = `${random.pick(acts)}${extension === 'ts' ? '-' : '_'}${subject}`;
    const file = `${directory}/${name}${written.has(`${directory}/${name}.${extension}`) ? index : ''}.${extension}`;
    const group = `${directory}.${extension}`;
    const siblings = placed.get(group) ?? [];
    written.set(file, writeSource({ language, file, subject, siblings: siblings.slice(-4), random }));
    placed.set(group, [...siblings, file]);
    sources.push(file);
  }
  const fact = plantFact(written, random.between(2, 9) * 15);
  const odd = addOddFiles(written);
  const ignored = addIgnoredFiles(written, random, fact.answer);
  addRootFiles(written);
  await writeAll(folder, written);
  return { folder, sources, fact, odd, ignored };
}

function chooseLanguage(random: Random): { language: Language; extension: string } {
  let left = random.next();
  for (const choice of languages) {
    left -= choice.share;
    if (left < 0) return choice;
  }
  return { language: 'typescript', extension: 'ts' };
}

function plantFact(written: Map<string, string | Buffer>, seconds: number): Repository['fact'] {
  const file = 'services/shipping/src/domain/courier-cutoff.ts';
  const lines = [
    "import { type Parcel } from './parcel-kind.ts';",
    '',
    '/** A parcel handed over later than this before closing time leaves the next day. */',
    `export const courierCutoffSeconds = ${seconds};`,
    '',
    'export function leavesToday(parcel: Parcel, secondsToClosing: number): boolean {',
    '  return !parcel.oversized && secondsToClosing >= courierCutoffSeconds;',
    '}',
    '',
  ];
  written.set(file, lines.join('\n'));
  written.set('services/shipping/src/domain/parcel-kind.ts', 'export interface Parcel {\n  oversized: boolean;\n}\n');
  const question = 'How many seconds is the courier cutoff?';
  return { path: file, line: 4, question, answer: String(seconds) };
}

function addOddFiles(written: Map<string, string | Buffer>): Record<OddFile, string> {
  const odd: Record<OddFile, string> = {
    crlf: 'tools/windows-build.ts',
    bom: 'tools/with-mark.ts',
    utf16: 'tools/exported-report.txt',
    latin1: 'tools/alte-meldungen.properties',
    binary: 'assets/logo.png',
    empty: 'tools/__init__.py',
    longLine: 'assets/vendor.min.js',
    noFinalNewline: 'tools/version.txt',
    unicodeName: 'docs/Übersicht – 概要.md',
  };
  written.set(odd.crlf, "export const target = 'windows';\r\nexport const shell = 'cmd.exe';\r\n");
  written.set(odd.bom, "\ufeffexport const mark = 'first';\n");
  written.set(odd.utf16, Buffer.from('\ufeffTotal;42\r\nGröße;7\r\n', 'utf16le'));
  written.set(odd.latin1, Buffer.from('meldung.gruss=Schöne Grüße\nmeldung.ende=Auf Wiedersehen\n', 'latin1'));
  written.set(
    odd.binary,
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0xff, 0xfe, 0, 1]),
  );
  written.set(odd.empty, '');
  written.set(odd.longLine, `!function(){${'var a=1;'.repeat(25_000)}}();\n`);
  written.set(odd.noFinalNewline, '4.2.0');
  written.set(odd.unicodeName, '# Übersicht\n\nWo was liegt: 概要 🗺️\n');
  return odd;
}

function addIgnoredFiles(written: Map<string, string | Buffer>, random: Random, answer: string): string[] {
  const wrong = `${answer}1`;
  const ignored = [
    'node_modules/courier/index.js',
    'build/shipping/courier-cutoff.js',
    'services/shipping/dist/courier-cutoff.js',
    '.env',
  ];
  for (const file of ignored.slice(0, 3)) written.set(file, `exports.courierCutoffSeconds = ${wrong};\n`);
  written.set('.env', 'COURIER_TOKEN=not-for-anyone\n');
  for (let index = 0; index < 200; index++) {
    const file = `node_modules/${random.pick(things)}-${index}/index.js`;
    written.set(file, `module.exports = ${random.between(1, 1000)};\n`);
    ignored.push(file);
  }
  return ignored;
}

function addRootFiles(written: Map<string, string | Buffer>): void {
  written.set('.gitignore', 'node_modules/\n/build/\ndist/\n__pycache__/\n*.log\n.env\n');
  written.set('README.md', `# Depot\n\nAn order system. Services: ${services.join(', ')}.\n`);
  written.set(
    'package.json',
    `${JSON.stringify({ name: 'depot', private: true, workspaces: ['services/*'] }, null, 2)}\n`,
  );
  written.set('go.mod', 'module example.com/depot\n\ngo 1.24\n');
  written.set('pyproject.toml', '[project]\nname = "depot"\nversion = "4.2.0"\n');
  for (const service of services) {
    written.set(`services/${service}/README.md`, `# ${service}\n\nLayers: ${layers.join(', ')}.\n`);
  }
}

async function writeAll(folder: string, written: Map<string, string | Buffer>): Promise<void> {
  const directories = new Set([...written.keys()].map((file) => path.join(folder, path.dirname(file))));
  for (const directory of directories) await mkdir(directory, { recursive: true });
  const batchSize = 64;
  const entries = [...written];
  for (let at = 0; at < entries.length; at += batchSize) {
    await Promise.all(
      entries.slice(at, at + batchSize).map(([file, data]) => writeFile(path.join(folder, file), data)),
    );
  }
}
