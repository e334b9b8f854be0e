import { formOf, isBlank, type LineForm, lineForms } from './line-forms.ts';

/** The lines of a file that are not blank, to be found by any of their forms. Forms are made when they are first asked for. */
export interface LineIndex {
  lines: readonly string[];
  /** Line numbers from 0 of the lines that are not blank; a place is an index into it. */
  lineAt: readonly number[];
  forms(form: LineForm): readonly string[];
  /** Ascending places of the lines of this form. */
  places(form: LineForm, key: string): readonly number[];
}

const none: readonly number[] = [];

export function createLineIndex(lines: readonly string[]): LineIndex {
  const lineAt: number[] = [];
  lines.forEach((line, at) => {
    if (!isBlank(line)) lineAt.push(at);
  });
  const byForm = new Map<LineForm, { forms: string[]; places: Map<string, number[]> }>();
  const made = (form: LineForm) => {
    const known = byForm.get(form);
    if (known !== undefined) return known;
    // Each form is one of the next stricter: lines without anything special keep theirs.
    const forms = lineAt.map((at) => formOf(lines[at] ?? '', form));
    const places = new Map<string, number[]>();
    forms.forEach((key, place) => {
      const list = places.get(key);
      if (list === undefined) places.set(key, [place]);
      else list.push(place);
    });
    const entry = { forms, places };
    byForm.set(form, entry);
    return entry;
  };
  return {
    lines,
    lineAt,
    forms: (form) => made(form).forms,
    places: (form, key) => made(form).places.get(key) ?? none,
  };
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
  for (const place of candidates ?? none) {
    const start = place - rarest;
    if (start >= 0 && keys.every((key, at) => forms[start + at] === key)) found.push(start);
    if (found.length >= limit) break;
  }
  return found;
}

export function isStricter(a: LineForm, b: LineForm): boolean {
  return lineForms.indexOf(a) < lineForms.indexOf(b);
}
