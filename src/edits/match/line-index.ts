import { isBlank, type LineTolerance, normalizeLine } from './line-tolerance.ts';

/**
 * Indexes the lines of a file that are not blank by any of their forms. Forms are computed when they are first asked
 * for.
 */
export interface LineIndex {
  lines: readonly string[];
  /** Holds line numbers from 0 of the lines that are not blank; a *place* is an index into this list. */
  lineAt: readonly number[];
  forms(form: LineTolerance): readonly string[];
  /** Returns ascending places of the lines of this form, at most `limit` of them. */
  places(form: LineTolerance, key: string, limit?: number): readonly number[];
  count(form: LineTolerance, key: string): number;
}

export function createLineIndex(lines: readonly string[]): LineIndex {
  const lineAt: number[] = [];
  lines.forEach((line, at) => {
    if (!isBlank(line)) lineAt.push(at);
  });
  const byForm = new Map<LineTolerance, Chains>();
  const made = (form: LineTolerance) => {
    const known = byForm.get(form);
    if (known !== undefined) return known;
    const chains = toChains(formsOf(lines, lineAt, form));
    byForm.set(form, chains);
    return chains;
  };
  return {
    lines,
    lineAt,
    forms: (form) => made(form).forms,
    places(form, key, limit = Number.POSITIVE_INFINITY) {
      const { first, next } = made(form);
      const places: number[] = [];
      for (let place = first.get(key)?.place ?? -1; place >= 0 && places.length < limit; place = next[place] ?? -1) {
        places.push(place);
      }
      return places;
    },
    count: (form, key) => made(form).first.get(key)?.count ?? 0,
  };
}

/** Large files repeat many of their lines, and computing a form costs more than a lookup. */
function formsOf(lines: readonly string[], lineAt: readonly number[], form: LineTolerance): string[] {
  const known = new Map<string, string>();
  return lineAt.map((at) => {
    const line = lines[at] ?? '';
    const made = known.get(line) ?? normalizeLine(line, form);
    known.set(line, made);
    return made;
  });
}

/** The places of equal lines are chained, which costs less than a list for each line. */
interface Chains {
  forms: string[];
  first: Map<string, { place: number; count: number }>;
  next: Int32Array;
}

function toChains(forms: string[]): Chains {
  const first: Chains['first'] = new Map();
  const next = new Int32Array(forms.length);
  for (let place = forms.length - 1; place >= 0; place--) {
    const key = forms[place] ?? '';
    const known = first.get(key);
    next[place] = known?.place ?? -1;
    if (known === undefined) first.set(key, { place, count: 1 });
    else {
      known.place = place;
      known.count++;
    }
  }
  return { forms, first, next };
}

export function startsOfRun(index: LineIndex, form: LineTolerance, keys: readonly string[], limit: number): number[] {
  if (keys.length === 0) return [];
  const counts = keys.map((key) => index.count(form, key));
  const rarest = counts.indexOf(counts.reduce((least, count) => Math.min(least, count)));
  const forms = index.forms(form);
  const found: number[] = [];
  for (const place of index.places(form, keys[rarest] ?? '')) {
    const start = place - rarest;
    if (start >= 0 && keys.every((key, at) => forms[start + at] === key)) found.push(start);
    if (found.length >= limit) break;
  }
  return found;
}
