import * as l10n from '@vscode/l10n';
import { fileTable, type SensitiveKind } from './file-table.ts';
import { expandBraces } from './glob.ts';

export type Because = SensitiveKind | 'user';

/**
 * Classifies a file for writing. A `sensitive` file is asked about every time, whatever is configured or was
 * remembered.
 */
export type FileClass = { kind: 'denied' } | { kind: 'sensitive'; because: Because } | { kind: 'ordinary' };

/**
 * Folds names as lenient file systems compare them: case, composition, invisible characters, and dots and spaces at
 * the end of a name do not count.
 */
export function fold(path: string): string {
  // Nearly all names, at a small part of the cost.
  if (/^[!-~]*$/.test(path)) {
    const folded = path.toLowerCase();
    return /\.(?:\/|$)/.test(folded) ? folded.split('/').map(withoutEnd).join('/') : folded;
  }
  return (
    path
      .normalize('NFC')
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      // Both ways: a long s is an s, a Kelvin sign a k to disks that fold case.
      .toUpperCase()
      .toLowerCase()
      .split('/')
      .map(withoutEnd)
      .join('/')
  );
}

function withoutEnd(name: string): string {
  let end = name.length;
  while (end > 0 && (name[end - 1] === '.' || name[end - 1] === ' ')) end--;
  return end === 0 ? name : name.slice(0, end);
}

type Matcher = (name: string) => boolean;

interface Rule {
  order: number;
  parts: readonly Matcher[];
}

function createTable(rows: typeof fileTable): (parts: readonly string[]) => SensitiveKind | undefined {
  const names = new Map<string, number>();
  const folders = new Map<string, number>();
  const paths = new Map<string, Rule[]>();
  const patterns = new Map<string, Rule[]>();
  const add = (map: Map<string, Rule[]>, key: string, rule: Rule) => map.set(key, [...(map.get(key) ?? []), rule]);
  rows.forEach(([, , words], order) => {
    for (const word of words.split(' ').flatMap((each) => expandBraces(each) ?? [])) {
      const isFolder = word.endsWith('/');
      const [first = '', ...more] = (isFolder ? word.slice(0, -1) : word).split('/');
      if (more.length > 0) add(paths, first, { order, parts: more.map(matcherOf) });
      else if (first.includes('*')) add(patterns, keyOf(first), { order, parts: [matcherOf(first)] });
      else if (isFolder) folders.set(first, folders.get(first) ?? order);
      else names.set(first, names.get(first) ?? order);
    }
  });
  return (parts) => {
    const name = parts.at(-1) ?? '';
    let found = names.get(name) ?? rows.length;
    const see = (order = rows.length) => {
      found = Math.min(found, order);
    };
    for (const key of [`${name[0]}*`, `*${name.at(-1)}`, '*']) {
      for (const {
        order,
        parts: [matches],
      } of patterns.get(key) ?? [])
        if (matches?.(name)) see(order);
    }
    parts.forEach((part, at) => {
      see(folders.get(part));
      for (const { order, parts: wanted } of paths.get(part) ?? []) {
        if (wanted.every((matches, index) => matches(parts[at + 1 + index] ?? ''))) see(order);
      }
    });
    return rows[found]?.[0];
  };
}

function keyOf(word: string): string {
  if (!word.startsWith('*')) return `${word[0]}*`;
  return word.endsWith('*') ? '*' : `*${word.at(-1)}`;
}

/** `*` stands for any text. Each piece is searched once, from the end of the one before, so the time is linear. */
function matcherOf(word: string): Matcher {
  const [head = '', ...rest] = word.split('*');
  const tail = rest.pop();
  if (tail === undefined) return (name) => name === head;
  return (name) => {
    const end = name.length - tail.length;
    if (end < head.length || !name.startsWith(head) || !name.endsWith(tail)) return false;
    let at = head.length;
    for (const piece of rest) {
      const found = name.indexOf(piece, at);
      if (found < 0 || found + piece.length > end) return false;
      at = found + piece.length;
    }
    return true;
  };
}

function whenAsked(rows: typeof fileTable): ReturnType<typeof createTable> {
  let look: ReturnType<typeof createTable> | undefined;
  return (parts) => {
    look ??= createTable(rows);
    return look(parts);
  };
}

const classOf = whenAsked(fileTable);
const secretOf = whenAsked(fileTable.filter(([because]) => because === 'secret'));

const harmless =
  /(?:^|[._-])(?:example|sample|template|dist|tpl)(?:\.|$)|\.pub$|^ca(?:certs?|-bundle|-certificates)\.pem$/;

/** Matches files that usually hold secrets, because their content would leave the machine with the next request. */
export function isSecretPath(path: string): boolean {
  const parts = fold(path).split('/');
  // Whatever its name, what lies in a folder of secrets may be one.
  return secretOf(harmless.test(parts.at(-1) ?? '') ? parts.with(-1, '') : parts) !== undefined;
}

export function isGitPath(path: string): boolean {
  return fold(path).split('/').includes('.git');
}

/**
 * Classifies a path, relative to its workspace folder, as a lenient file system would read it. Check both the path
 * that was typed and where it really leads; the stricter answer counts. `isProtected` adds the user's own list.
 */
export function classifyFile(path: string, isProtected: (path: string) => boolean = () => false): FileClass {
  const parts = fold(path).split('/');
  if (parts.includes('.git')) return { kind: 'denied' };
  const because = classOf(parts) ?? (isProtected(path) ? 'user' : undefined);
  return because === undefined ? { kind: 'ordinary' } : { kind: 'sensitive', because };
}

const warnings: Readonly<Record<Because, () => string>> = {
  editor: () => l10n.t('This file configures the editor or its tools and can make them run programs.'),
  secret: () => l10n.t("This file might contain secrets or control where they're sent."),
  runs: () => l10n.t('This file controls what runs when the project is built, tested, or installed.'),
  server: () => l10n.t('This file controls what a server runs once it is pushed.'),
  rules: () => l10n.t('This file contains instructions that AI assistants follow.'),
  git: () => l10n.t('This file controls what Git runs or reads.'),
  user: () => l10n.t('This file is on your list of protected files.'),
};

export function warningOf(because: Because): string {
  return warnings[because]();
}
