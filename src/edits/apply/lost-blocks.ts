import type { Match } from '../match/find-block.ts';
import { indentOf } from '../match/line-tolerance.ts';
import { counterpartsOf, pairRows } from '../match/pair-rows.ts';
import type { Sides } from './sides.ts';

const python = /^(?:async )?(?:def|class|if|elif|else|for|while|with|try|except|finally|match|case)\b.*:$/;

const languages: readonly [name: RegExp, opens: RegExp][] = [
  [/\.(?:pyi?|pyx|bzl|star|gd)$/, python],
  [/\.ya?ml$/, /:(?:\s+[|>][-+\d]*)?$/],
  [
    /\.(?:coffee|litcoffee|cson|ls)$/,
    /[-=]>$|[=:]$|^(?:if|unless|else|for|while|until|loop|switch|when|class|try|catch|finally)\b(?!.*\bthen\b)/,
  ],
  [/\.(?:hs|lhs|elm|purs|idr|fsx?|nim)$/, /(?:=|->|<-|:|\b(?:where|do|of|let|in|then|else|with))$/],
  [/\.(?:pug|jade|haml|slim|sass|styl)$/, /:$/],
];

/**
 * Returns whether the replacement lost all indentation in a language where indentation gives the structure, so that
 * new lines cannot be placed. Without a `path` only Python is recognized, by its keywords.
 */
export function hasLostBlocks(
  { search, replace }: Sides,
  match: Match,
  lines: readonly string[],
  path?: string,
): boolean {
  const { rows } = replace;
  if (rows.length < 2 || rows.some(({ indent, isElision }) => indent !== '' || isElision)) return false;
  const shown = new Set(search.rows.map(({ body }) => body));
  if (rows.every(({ body }) => shown.has(body))) return false;
  const opens = languages.find(([name]) => name.test(path ?? ''))?.[1];
  if (rows.slice(0, -1).some(({ body }) => (opens ?? python).test(body))) return true;
  if (opens === undefined) return false;
  const bodies = (side: Sides['search']) => side.rows.map(({ body }) => body);
  const pairs = pairRows(bodies(search), bodies(replace));
  // Lines that stay were deeper in the search.
  if (pairs.some((at) => at >= 0 && search.rows[at]?.indent !== '')) return true;
  const counterparts = counterpartsOf(search.rows, rows, pairs);
  const columnAt = (row: number) => indentOf(lines[match.lineOf[pairs[row] ?? -1] ?? -1] ?? '');
  // A line that comes between lines of different depths may belong to either.
  let above = -1;
  let isBetween = false;
  for (const at of rows.keys()) {
    if ((pairs[at] ?? -1) >= 0) {
      if (isBetween && above >= 0 && columnAt(above) !== columnAt(at)) return true;
      above = at;
      isBetween = false;
    } else if ((counterparts[at] ?? -1) < 0) isBetween = true;
  }
  return false;
}
