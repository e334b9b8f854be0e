import * as l10n from '@vscode/l10n';
import { type Because, fold, warningOf } from '../files/file-class.ts';
import type { ShownDiff } from './edit-diff.ts';
import { lineCountOf, losesMost } from './whole-text.ts';

/** Reasons to look closely at a change. */
export interface EditConcerns {
  /** One short sentence each, for the card. */
  warnings: readonly string[];
  /** Asked about every time, whatever is set or was remembered. */
  mustAsk: boolean;
}

/** Changed lines from which a person is told that the change is long. */
const longChangeLines = 500;

export function concernsOf(change: {
  path: string;
  sensitive?: Because;
  dirty: boolean;
  /** All of the text was written anew. */
  isWhole: boolean;
  before: string;
  after: string;
  shown: ShownDiff;
}): EditConcerns {
  const { path, sensitive, dirty, isWhole, before, after, shown } = change;
  const addresses = newAddresses(path, sensitive, before, after);
  const pressing = [
    ...(sensitive === undefined ? [] : [warningOf(sensitive)]),
    ...(dirty
      ? [l10n.t("You have unsaved changes in this file. They'll be kept and saved together with this edit.")]
      : []),
    ...(addresses.length === 0
      ? []
      : [l10n.t('Adds an address that tools load automatically: {0}', addresses.join(', '))]),
    ...(shown.invisible === 0 ? [] : [l10n.t('Adds {0} invisible characters; the diff shows them.', shown.invisible)]),
    ...(isWhole && losesMost(before, shown.removed)
      ? [l10n.t('Removes {0} of {1} lines.', shown.removed, lineCountOf(before))]
      : []),
  ];
  const changed = shown.added + shown.removed;
  const long = changed > longChangeLines ? [l10n.t('This is a long change: {0} lines.', changed)] : [];
  return { warnings: [...pressing, ...long], mustAsk: pressing.length > 0 };
}

/**
 * Addresses that an editor or a package manager would fetch without being asked: `$schema` of any file, since files can be
 * renamed and editors take many names for JSON; any address in editor settings and in files that steer a build.
 */
function newAddresses(path: string, sensitive: Because | undefined, before: string, after: string): string[] {
  const steers = sensitive === 'editor' || sensitive === 'runs' || sensitive === 'server';
  const isData = /\.(?:json[c5]?|code-[\w-]+|ya?ml|toml|xml)$/.test(fold(path));
  const value = isData ? schemaValue : markedSchemaValue;
  const addressesIn = (text: string): Set<string> => {
    const plain = [text, withoutComments(text)].map(withoutEscapes);
    const values = steers ? plain : plain.flatMap((one) => Array.from(one.matchAll(value), ([, found = '']) => found));
    return new Set(values.flatMap((one) => one.match(/https?:\/\/[^\s"'<>\\]+/gi) ?? []));
  };
  const known = addressesIn(before);
  const found = [...addressesIn(after)].filter((address) => !known.has(address));
  return found.slice(0, 5).map((text) => text.slice(0, 300).toWellFormed());
}

/** Takes each value whole, so that no part of a long line is looked through again. */
const schemaValue = /schema(?:location)?["']?\s*[:=]\s*["']?([^"'\n]*)/gi;
/** For files where a plain `schema` may be a name of the program's own. */
const markedSchemaValue = /(?:\$schema|schemalocation)["']?\s*[:=]\s*["']?([^"'\n]*)/gi;

/** As an editor reads JSON: what is not closed ends with its line or with the text. */
function withoutComments(text: string): string {
  const tokens = /"(?:[^"\\\r\n]+|\\[\s\S])*"?|\/\*[\s\S]*?(?:\*\/|$)|\/\/.*/g;
  return text.replace(tokens, (token) => (token.startsWith('"') ? token : ' '));
}

/** As JSON and YAML read their strings: `https:\/\/` is an address too. */
function withoutEscapes(text: string): string {
  return text
    .replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2}))/gi, (_escape, four?: string, two?: string) =>
      String.fromCharCode(Number.parseInt(four ?? two ?? '', 16)),
    )
    .replaceAll('\\/', '/');
}
