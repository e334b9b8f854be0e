import { pick, type Random } from './case.ts';
import type { Damage } from './damages.ts';
import { changeText, type Draft, indentOf, isBlank, type Written } from './draft.ts';

/** A unified diff in place of lines, and files whose own lines begin with the signs of one. */
export const diffDamages: readonly Damage[] = [
  { kind: 'diff: each side its own lines', apply: (draft, random) => eachSide(draft, random, true) },
  { kind: 'diff: whole, in the search', apply: (draft, random) => whole(draft, random, { in: 'search' }) },
  { kind: 'diff: whole, in the replacement', apply: (draft, random) => whole(draft, random, { in: 'replace' }) },
  { kind: 'diff: whole, with headers', apply: (draft, random) => whole(draft, random, { headers: true }) },
  { kind: 'diff: context without its blank', context: 1, apply: (draft, random) => eachSide(draft, random, false) },
  {
    kind: 'diff: whole, context without its blank',
    context: 1,
    apply: (draft, random) => whole(draft, random, { bare: true }),
  },
  { kind: 'diff: plus signs only', context: 1, apply: plusOnly },
  { kind: 'diff: minus signs only', context: 1, apply: minusOnly },
  { kind: 'diff: signs with a blank', context: 1, apply: (draft, random) => whole(draft, random, { wide: true }) },
  { kind: 'own signs: lists', context: 1, apply: lists },
  { kind: 'own signs: a list that comes', context: 1, apply: freshList },
  { kind: 'own signs: a file that is a diff', context: 1, apply: diffFile },
];

interface Form {
  in?: 'search' | 'replace';
  headers?: boolean;
  /** Lines that stay have no blank before them. */
  bare?: boolean;
  /** A blank between the sign and the line. */
  wide?: boolean;
}

const signs = { same: ' ', old: '-', new: '+' };

/** The part as a diff; blank lines that stay often lose their blank on the way. */
function toDiff(part: readonly Written[], random: Random, { bare, wide }: Form): string[] {
  const trims = random() < 0.5;
  return part.map(({ role, search, replace }) => {
    const text = role === 'new' ? replace : search;
    if (role === 'same' && (bare || (trims && isBlank(text)))) return text;
    return wide ? `${signs[role]} ${text}` : signs[role] + text;
  });
}

function sideOf(part: readonly Written[], without: 'old' | 'new'): string[] {
  return part.flatMap(({ role, search, replace }) => (role === without ? [] : [without === 'new' ? search : replace]));
}

function send(draft: Draft, search: readonly string[], replace: readonly string[]): boolean {
  const end = draft.endsInNewline ? '\n' : '';
  const side = (lines: readonly string[]) => (lines.length === 0 ? '' : lines.join('\n') + end);
  draft.blockSteps.push(() => ({ search: side(search), replace: side(replace) }));
  return true;
}

function eachSide(draft: Draft, random: Random, hasBlank: boolean): boolean {
  const part = draft.parts[0] ?? [];
  const form = { bare: !hasBlank };
  const search = part.filter(({ role }) => role !== 'new');
  const replace = part.filter(({ role }) => role !== 'old');
  return send(draft, toDiff(search, random, form), toDiff(replace, random, form));
}

function whole(draft: Draft, random: Random, form: Form): boolean {
  const part = draft.parts[0] ?? [];
  if (form.bare && !part.some(({ role }) => role === 'old')) return false;
  const diff = toDiff(part, random, form);
  const [old, fresh] = [sideOf(part, 'new').length, sideOf(part, 'old').length];
  const start = (part[0]?.at ?? 0) + 1;
  const hunk = pick(random, [`@@ -${start},${old} +${start},${fresh} @@`, '@@ ... @@', '@@']);
  const files = random() < 0.5 ? ['--- a/file', '+++ b/file'] : [];
  const text = form.headers ? [...files, hunk, ...diff] : diff;
  const where = form.in ?? pick(random, ['search', 'replace'] as const);
  if (where === 'replace') return send(draft, random() < 0.2 ? text : sideOf(part, 'new'), text);
  return send(draft, text, pick(random, [[], text, sideOf(part, 'old')]));
}

/** The search is as it should be; in the replacement what comes is marked. */
function plusOnly(draft: Draft, random: Random): boolean {
  const part = draft.parts[0] ?? [];
  const fresh = part.filter(({ role }) => role !== 'old');
  const bare = random() < 0.5;
  return (
    part.some(({ role, replace }) => role === 'new' && !isBlank(replace)) &&
    send(draft, sideOf(part, 'new'), toDiff(fresh, random, { bare }))
  );
}

function minusOnly(draft: Draft, random: Random): boolean {
  const part = draft.parts[0] ?? [];
  const shown = part.filter(({ role }) => role !== 'new');
  const bare = random() < 0.5;
  return (
    part.some(({ role, search }) => role === 'old' && !isBlank(search)) &&
    send(draft, toDiff(shown, random, { bare }), sideOf(part, 'old'))
  );
}

/** Lists of Markdown and of YAML, or signs right before the text. */
function lists(draft: Draft, random: Random): boolean {
  const sign = pick(random, ['- ', '- ', '+ ', '-', '+', '  - ']);
  changeText(draft, (line) => (isBlank(line) ? line : `${sign}${line.trimStart()}`));
  return isShownOnce(draft);
}

/** A list of Markdown where there was none. */
function freshList(draft: Draft): boolean {
  if (draft.parts.flat().some(({ role, search }) => role !== 'new' && indentOf(search) !== '')) return false;
  changeText(draft, (line, role) => (role === 'new' && !isBlank(line) ? `- ${line.trimStart()}` : line));
  return draft.parts.flat().some(({ role, replace }) => role === 'new' && !isBlank(replace)) && isShownOnce(draft);
}

function diffFile(draft: Draft): boolean {
  changeText(draft, (line) => ([' ', '-', '+'][line.length % 4] ?? ' ') + line);
  draft.fileStep = (text) => `--- a/file\n+++ b/file\n@@ -1,3 +1,3 @@\n${text}`;
  return isShownOnce(draft);
}

function isShownOnce({ intent, parts }: Draft): boolean {
  const bare = (lines: readonly string[]) => lines.join('\n').replace(/\s+/g, '');
  const hay = bare(intent.lines);
  return parts.every((part) => {
    const needle = bare(sideOf(part, 'new'));
    return needle !== '' && hay.indexOf(needle) === hay.lastIndexOf(needle);
  });
}
