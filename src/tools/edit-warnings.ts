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
  const isData = /\.(?:json[c5]?|code-[\w-]+|ya?ml|toml|xml)$/.test(fold(path));
  const pattern = steers
    ? /https?:\/\/[^\s"'<>\\]+/gi
    : isData
      ? /\$?schema(?:location)?["']?\s*[:=]\s*["']?[^"'\n]*?https?:\/\/[^\s"'<>]+/gi
      : undefined;
  if (pattern === undefined) return [];
  const known = new Set(before.match(pattern) ?? []);
  const found = new Set((after.match(pattern) ?? []).filter((text) => !known.has(text)));
  return [...found].slice(0, 5).map((text) =>
    text
      .slice(text.search(/https?:/i))
      .slice(0, 300)
      .toWellFormed(),
  );
}
