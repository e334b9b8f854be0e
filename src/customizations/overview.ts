import { estimateTokens } from '../service/tokens.ts';
import { withMode } from './agent-text.ts';
import { keyOf } from './choices.ts';
import type { Customization, Fault } from './customization.ts';
import { loadableOf, renderRows, slashCommandsOf } from './named.ts';
import { type InPlay, renderRules, type UsedRule } from './rules-text.ts';

export type Standing =
  | { group: 'sent'; why: 'always' | 'touched' | 'cut'; globs?: string }
  | { group: 'row'; typed: boolean }
  | { group: 'waiting'; why: 'touched' | 'folder' | 'typed'; globs?: string }
  | { group: 'agent'; picked: boolean; mode?: string }
  | { group: 'unused'; why: Fault | 'same-as-another' | 'same-name' };

export interface OverviewRow {
  file: Customization;
  standing: Standing;
  tokens: number;
  tokensUsed: number;
}

export function overviewOf(
  all: readonly Customization[],
  inPlay: InPlay,
  picked: string | undefined,
): readonly OverviewRow[] {
  const rules = new Map(renderRules(all, inPlay).used.map((used) => [used.path, used]));
  const loadable = loadableOf(all);
  const typed = new Set(slashCommandsOf(all).map(({ place, name }) => `${place.root.uri}/${place.path} ${name}`));
  const isTyped = ({ place, name }: Customization) => typed.has(`${place.root.uri}/${place.path} ${name}`);
  const rows = rowTokens(loadable);
  const agent = all.find((file) => file.entry.when === 'picked' && keyOf(file) === picked);
  const inUse = new Set(agent && [agent, ...withMode(all, agent)]);
  return all.map((file): OverviewRow => {
    const standing = standingOf(file, rules.get(file.path), {
      isFirst: loadable.includes(file),
      isTyped: isTyped(file),
    });
    const own = standing.group === 'agent' ? { ...standing, picked: inUse.has(file) } : standing;
    const tokensUsed = estimateTokens(file.text);
    const now =
      own.group === 'sent'
        ? (rules.get(file.path)?.tokens ?? 0)
        : own.group === 'row'
          ? (rows.get(file) ?? 0)
          : own.group === 'agent' && own.picked
            ? tokensUsed
            : 0;
    return { file, standing: own, tokens: now, tokensUsed };
  });
}

/**
 * Counts the tokens of each row in the list of loadable files: what it adds to those before it; the first one includes
 * the sentence above them.
 */
function rowTokens(loadable: readonly Customization[]): Map<Customization, number> {
  const all = estimateTokens(renderRows(loadable));
  const counted = new Map<Customization, number>();
  let sum = 0;
  for (let count = 1; count <= loadable.length && sum < all; count++) {
    const file = loadable[count - 1];
    const tokens = count === loadable.length ? all : estimateTokens(renderRows(loadable.slice(0, count)));
    if (file !== undefined) counted.set(file, Math.max(0, tokens - sum));
    sum = Math.max(sum, tokens);
  }
  return counted;
}

function standingOf(
  { entry, folder }: Customization,
  used: UsedRule | undefined,
  { isFirst, isTyped }: { isFirst: boolean; isTyped: boolean },
): Standing {
  switch (entry.when) {
    case 'never':
      return { group: 'unused', why: entry.fault };
    case 'picked':
      return { group: 'agent', picked: false };
    case 'with':
      return { group: 'agent', picked: false, mode: entry.mode };
    case 'loaded':
      return isFirst ? { group: 'row', typed: entry.typed } : { group: 'unused', why: 'same-name' };
    case 'typed':
      return isTyped ? { group: 'waiting', why: 'typed' } : { group: 'unused', why: 'same-name' };
    default: {
      const globs = entry.when === 'touched' ? { globs: entry.globs } : {};
      if (used === undefined) return { group: 'unused', why: 'empty' };
      if (used.state === 'same-as-another') return { group: 'unused', why: 'same-as-another' };
      if (used.state === 'cut') return { group: 'sent', why: 'cut', ...globs };
      if (used.state === 'sent') {
        return { group: 'sent', why: entry.when === 'touched' || folder !== '' ? 'touched' : 'always', ...globs };
      }
      return { group: 'waiting', why: used.state === 'not-now' ? 'folder' : 'touched', ...globs };
    }
  }
}
