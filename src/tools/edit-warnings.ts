import * as l10n from '@vscode/l10n';
import type { ShownDiff } from './edit-diff.ts';
import { type SensitiveKind, warningOf } from './file-class.ts';
import { fold } from './protected-path.ts';

/** What makes a change one to look at closely. */
export interface EditConcerns {
  /** One short sentence each, for the card. */
  warnings: readonly string[];
  /** Asked about every time, whatever is set or was remembered (X11, X13, X22, X26). */
  mustAsk: boolean;
}

/** X25: changed lines from which a person is told that the change is long. */
const longChangeLines = 500;

export function concernsOf(change: {
  path: string;
  sensitive?: SensitiveKind;
  dirty: boolean;
  before: string;
  after: string;
  shown: ShownDiff;
}): EditConcerns {
  const { path, sensitive, dirty, before, after, shown } = change;
  const addresses = newAddresses(path, sensitive, before, after);
  const pressing = [
    ...(sensitive === undefined ? [] : [warningOf(sensitive)]),
    ...(dirty
      ? [l10n.t('The file has unsaved changes of yours. They stay, and are saved together with this edit.')]
      : []),
    ...(addresses.length === 0
      ? []
      : [l10n.t('Adds an address that tools fetch by themselves: {0}', addresses.join(', '))]),
    ...(shown.invisible === 0
      ? []
      : [l10n.t('Adds {0} characters that cannot be seen; the diff writes them out.', shown.invisible)]),
  ];
  const changed = shown.added + shown.removed;
  const long = changed > longChangeLines ? [l10n.t('This is a long change: {0} lines.', changed)] : [];
  return { warnings: [...pressing, ...long], mustAsk: pressing.length > 0 };
}

/**
 * X13: addresses that an editor or a package manager would fetch without being asked: `$schema` of JSON and YAML anywhere, any
 * address in editor settings and in files that steer a build.
 */
function newAddresses(path: string, sensitive: SensitiveKind | undefined, before: string, after: string): string[] {
  const steers = sensitive === 'editor' || sensitive === 'runs';
  if (!steers && !/\.(?:json[c5]?|code-[\w-]+|ya?ml|toml|xml)$/.test(fold(path))) return [];
  const addressesIn = (text: string): Set<string> => {
    const plain = withoutEscapes(text);
    const values = steers ? [plain] : Array.from(plain.matchAll(schemaValue), ([, value = '']) => value);
    return new Set(values.flatMap((value) => value.match(/https?:\/\/[^\s"'<>\\]+/gi) ?? []));
  };
  const known = addressesIn(before);
  const found = [...addressesIn(after)].filter((address) => !known.has(address));
  return found.slice(0, 5).map((text) => text.slice(0, 300).toWellFormed());
}

/** Takes each value whole, so that no part of a long line is looked through again. */
const schemaValue = /schema(?:location)?["']?\s*[:=]\s*["']?([^"'\n]*)/gi;

/** As JSON and YAML read their strings: `https:\/\/` is an address too. */
function withoutEscapes(text: string): string {
  return text
    .replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2}))/gi, (_escape, four?: string, two?: string) =>
      String.fromCharCode(Number.parseInt(four ?? two ?? '', 16)),
    )
    .replaceAll('\\/', '/');
}
