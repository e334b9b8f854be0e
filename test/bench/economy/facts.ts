import { type PlainFact, plainFacts } from './plain-facts.ts';
import type { Fact } from './session.ts';

/** Words and numbers that stand in no source of the corpora. */
export interface Secrets {
  number(): string;
  words(): string;
  /** Words, or as likely one that nothing tells from others. */
  name(): string;
  /** In camel case. */
  identifier(): string;
  path(): string;
}

const first = [
  'amber',
  'cobalt',
  'crimson',
  'dusky',
  'fallow',
  'gilded',
  'hollow',
  'ivory',
  'jagged',
  'lunar',
  'mossy',
];
const second = ['otter', 'falcon', 'heron', 'lynx', 'marten', 'newt', 'osprey', 'plover', 'quail', 'raven', 'stoat'];
const capitals = ['Tide', 'Moss', 'Harbour', 'Lantern', 'Quarry', 'Ember', 'Willow', 'Saddle', 'Copper', 'Meadow'];
const syllables = ['ga', 'kel', 'lu', 'mon', 'pa', 'quo', 'ri', 'tav', 'vo', 'zen'];

export function createSecrets(random: () => number): Secrets {
  const used = new Set<string>();
  const fresh = (make: () => string): string => {
    for (;;) {
      const made = make();
      if (used.has(made)) continue;
      used.add(made);
      return made;
    }
  };
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? '';
  const words = () => fresh(() => `${pick(first)}-${pick(second)}`);
  const bare = () => fresh(() => `${pick(syllables)}${pick(syllables)}${pick(syllables)}`);
  return {
    number: () => fresh(() => String(10_000 + Math.floor(random() * 89_999))),
    words,
    name: () => (random() < 0.5 ? words() : bare()),
    identifier: () => fresh(() => `${pick(syllables)}${pick(syllables)}Of${pick(capitals)}`),
    path: () => fresh(() => `${pick(second)}s/${pick(syllables)}${pick(syllables)}.txt`),
  };
}

type Template = (secrets: Secrets) => { line: string; answer: string };

export type FileForm = 'code' | 'json' | 'prose' | 'env';

interface FileFact {
  kind: Fact['kind'];
  form: FileForm;
  make: Template;
  /** Of a line in which nothing stands out. */
  asks?: PlainFact['asks'];
}

/** Facts as files hold them, each with the kind of line that it is. */
const inFiles: readonly FileFact[] = [
  { kind: 'code', form: 'code', make: (s) => withNumber(s, (n) => `const leaseCeilingMs = ${n};`) },
  { kind: 'code', form: 'code', make: (s) => withWords(s, (w) => `export const stagingQueue = '${w}';`) },
  { kind: 'code', form: 'code', make: (s) => withNumber(s, (n) => `  if (attempts > ${n}) return undefined;`) },
  {
    kind: 'code',
    form: 'code',
    make: (s) => withWords(s, (w) => `let fallbackRegion = "${w}"; // set by the operator`),
  },
  {
    kind: 'rule',
    form: 'code',
    make: (s) => withWords(s, (w) => `// Callers must hold the ${w} lock before they come here.`),
  },
  { kind: 'rule', form: 'code', make: (s) => withWords(s, (w) => `   * Never call this while ${w} is draining.`) },
  { kind: 'rule', form: 'code', make: (s) => withWords(s, (w) => `// TODO(${w}): remove the second pass.`) },
  { kind: 'code', form: 'code', make: (s) => withWords(s, (w) => `        label: '${w}',`) },
  { kind: 'code', form: 'code', make: (s) => withWords(s, (w) => `      return "${w}";`) },
  { kind: 'code', form: 'code', make: (s) => withWords(s, (w) => `    case '${w}':`) },
  { kind: 'rule', form: 'code', make: (s) => withWords(s, (w) => `   * The host behind this is called ${w}.`) },
  { kind: 'rule', form: 'prose', make: (s) => withWords(s, (w) => `The staging host is named ${w}.`) },
  { kind: 'rule', form: 'prose', make: (s) => withWords(s, (w) => `Set the profile to \`${w}\` first.`) },
  { kind: 'config', form: 'json', make: (s) => withWords(s, (w) => `      "bucket": "${w}",`) },
  { kind: 'config', form: 'json', make: (s) => withNumber(s, (n) => `    "maxConnections": ${n},`) },
  { kind: 'config', form: 'env', make: (s) => withWords(s, (w) => `RELAY_NAME=${w}`) },
  { kind: 'rule', form: 'prose', make: (s) => withWords(s, (w) => `Releases must be tagged with the ${w} prefix.`) },
  {
    kind: 'rule',
    form: 'prose',
    make: (s) => withNumber(s, (n) => `The mirror answers on port ${n} of the build host.`),
  },
  ...plainFacts.map(
    ({ line, answer, ...fact }): FileFact => ({
      ...fact,
      make(secrets) {
        const secret = secrets[answer]();
        return { line: line.replace('{answer}', secret), answer: secret };
      },
    }),
  ),
];

export function fileFact(
  random: () => number,
  secrets: Secrets,
  form: FileForm,
): { kind: Fact['kind']; line: string; answer: string; ask?: string } {
  const fitting = inFiles.filter((template) => template.form === form);
  const chosen = fitting[Math.floor(random() * fitting.length)];
  if (chosen === undefined) throw new Error(`no facts for ${form}`);
  const { kind, make, asks = [] } = chosen;
  return { kind, ask: asks[Math.floor(random() * asks.length)], ...make(secrets) };
}

/** Facts as a failing or chatty program prints them. */
export function outputFact(random: () => number, secrets: Secrets): { line: string; answer: string } {
  const templates: readonly Template[] = [
    (s) => withNumber(s, (n) => `Error: checksum of block ${n} differs`),
    (s) => withNumber(s, (n) => `server listening on http://127.0.0.1:${n}`),
    (s) => withNumber(s, (n) => `seed: ${n}`),
    (s) => withWords(s, (w) => `    AssertionError: expected '${w}' to equal 'ready'`),
    (s) => withWords(s, (w) => `WARNING fixture ${w} is out of date`),
    (s) => withWords(s, (w) => `  using the ${w} plugin`),
    (s) => withWords(s, (w) => `    at ${w} (src/index.js:10:5)`),
    (s) => withWords(s, (w) => `  ${w} 3 files`),
  ];
  const make = templates[Math.floor(random() * templates.length)];
  if (make === undefined) throw new Error('no facts for outputs');
  return make(secrets);
}

export function userFact(random: () => number, secrets: Secrets): { line: string; answer: string } {
  const templates: readonly Template[] = [
    (s) => withWords(s, (w) => `Whatever you change, the branch is called ${w}.`),
    (s) => withNumber(s, (n) => `Customers have at most ${n} rows, so keep it simple.`),
    (s) => withWords(s, (w) => `Ask ${w} before anything public is renamed.`),
  ];
  const make = templates[Math.floor(random() * templates.length)];
  if (make === undefined) throw new Error('no facts for users');
  return make(secrets);
}

function withNumber(secrets: Secrets, write: (number: string) => string): { line: string; answer: string } {
  const answer = secrets.number();
  return { line: write(answer), answer };
}

function withWords(secrets: Secrets, write: (words: string) => string): { line: string; answer: string } {
  const answer = secrets.words();
  return { line: write(answer), answer };
}
