import { createGlobs } from '../files/glob.ts';
import type { HeaderValue } from './front-matter.ts';

/** With `anywhere`, a pattern without a slash holds in every folder, as in a `.gitignore`; else at the top alone. */
export interface PathRuleStyle {
  anywhere: boolean;
  starIsAll: boolean;
}

export function globList(value: HeaderValue | undefined): string {
  const list = typeof value === 'string' ? [value] : (value ?? []);
  return list
    .map((item) => (item.split(' #', 1)[0] ?? '').replace(/["']/g, '').trim())
    .filter((item) => item !== '')
    .join(',');
}

/**
 * Takes patterns from the root of the workspace, separated by commas outside of braces; case does not count. Returns
 * `all` for those that leave nothing out, and undefined for a list that is too long to be matched.
 */
export function createPathRule(
  list: string,
  { anywhere, starIsAll }: PathRuleStyle,
): 'all' | ((path: string) => boolean) | undefined {
  const all = new Set(['**', '**/*', ...(starIsAll ? ['*'] : [])]);
  if (list.split(',').some((pattern) => all.has(pattern.trim()))) return 'all';
  return createGlobs(list, (pattern) => {
    const fromRoot = pattern.replace(/^(?:\.?\/)+/, '');
    const below = fromRoot.endsWith('/') ? `${fromRoot}**` : fromRoot;
    return anywhere && !pattern.includes('/') ? `**/${below}` : below;
  });
}
