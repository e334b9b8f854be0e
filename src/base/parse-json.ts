/** The value of a JSON text; undefined, which no JSON text means, for what is none. Never throws. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
