export interface JsonSpan {
  start: number;
  end: number;
  items?: readonly JsonSpan[];
  /** Holds the values of an object by key; of a repeated key the last one counts, as for `JSON.parse`. */
  members?: ReadonlyMap<string, JsonSpan>;
}

/** Expects a text that `JSON.parse` accepts. */
export function jsonSpans(text: string): JsonSpan {
  return placeAt(text, skip(text, 0));
}

function placeAt(text: string, start: number): JsonSpan {
  switch (text[start]) {
    case '{':
      return objectAt(text, start);
    case '[':
      return arrayAt(text, start);
    case '"':
      return { start, end: stringEnd(text, start) };
    default:
      return { start, end: scalarEnd(text, start) };
  }
}

function objectAt(text: string, start: number): JsonSpan {
  const members = new Map<string, JsonSpan>();
  let at = skip(text, start + 1);
  while (text[at] !== '}') {
    const end = stringEnd(text, at);
    const key: string = JSON.parse(text.slice(at, end));
    const value = placeAt(text, skip(text, skip(text, end) + 1));
    members.set(key, value);
    at = skip(text, value.end);
    if (text[at] === ',') at = skip(text, at + 1);
  }
  return { start, end: at + 1, members };
}

function arrayAt(text: string, start: number): JsonSpan {
  const items: JsonSpan[] = [];
  let at = skip(text, start + 1);
  while (text[at] !== ']') {
    const item = placeAt(text, at);
    items.push(item);
    at = skip(text, item.end);
    if (text[at] === ',') at = skip(text, at + 1);
  }
  return { start, end: at + 1, items };
}

function skip(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at++;
  return at;
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function scalarEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !',]} \t\r\n'.includes(text.charAt(at))) at++;
  return at;
}
