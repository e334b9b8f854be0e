import { formOf, isBlank, type LineForm } from './line-forms.ts';

/** The lines of a file that are not blank, to be found by any of their forms. Forms are made when they are first asked for. */
export interface LineIndex {
  lines: readonly string[];
  /** Line numbers from 0 of the lines that are not blank; a place is an index into it. */
  lineAt: readonly number[];
  forms(form: LineForm): readonly string[];
  /** Ascending places of the lines of this form. */
  places(form: LineForm, key: string): readonly number[];
}

export function createLineIndex(lines: readonly string[]): LineIndex {
  const lineAt: number[] = [];
  lines.forEach((line, at) => {
    if (!isBlank(line)) lineAt.push(at);
  });
  const byForm = new Map<LineForm, Chains>();
  const made = (form: LineForm) => {
    const known = byForm.get(form);
    if (known !== undefined) return known;
    const chains = toChains(lineAt.map((at) => formOf(lines[at] ?? '', form)));
    byForm.set(form, chains);
    return chains;
  };
  return {
    lines,
    lineAt,
    forms: (form) => made(form).forms,
    places(form, key) {
      const { first, next } = made(form);
      const places: number[] = [];
      for (let place = first.get(key) ?? -1; place >= 0; place = next[place] ?? -1) places.push(place);
      return places;
    },
  };
}

/** The places of equal lines as chains, which cost less to make than a list for each line. */
interface Chains {
  forms: string[];
  first: Map<string, number>;
  /** -1 at the end. */
  next: Int32Array;
}

function toChains(forms: string[]): Chains {
  const first = new Map<string, number>();
  const next = new Int32Array(forms.length);
  for (let place = forms.length - 1; place >= 0; place--) {
    const key = forms[place] ?? '';
    next[place] = first.get(key) ?? -1;
    first.set(key, place);
  }
  return { forms, first, next };
}

/** Places at which all keys stand one after another, at most `limit` of them. */
export function placesOfRun(index: LineIndex, form: LineForm, keys: readonly string[], limit: number): number[] {
  let rarest = 0;
  let candidates: readonly number[] | undefined;
  keys.forEach((key, at) => {
    const places = index.places(form, key);
    if (candidates === undefined || places.length < candidates.length) {
      rarest = at;
      candidates = places;
    }
  });
  const forms = index.forms(form);
  const found: number[] = [];
  for (const place of candidates ?? []) {
    const start = place - rarest;
    if (start >= 0 && keys.every((key, at) => forms[start + at] === key)) found.push(start);
    if (found.length >= limit) break;
  }
  return found;
}
