const kept =
  /^(?:max_(?:completion_|new_|output_)?tokens|max_(?:model_|seq_)len(?:gth)?|inputs?|prompts?|prompt_tokens|input_tokens|messages)$/i;

/**
 * Matches quoted text: one word, or several that stand within a sentence. Fields of an object do not match, because
 * some services print their whole answer into the message.
 */
const quoted =
  /(?<![\w'])(?:"([^"\n]{1,300})"|`([^`\n]{1,300})`|“([^”\n]{1,300})”|'((?!\s)[^\n]{0,300}?[^\s'])'(?!\w))/g;

const identifier = /(?<![\w.])[a-z]\w{0,40}_\w{1,40}/gi;
const speaksOfFields =
  /\b(?:unknown|unrecogni[sz]ed|unsupported|unexpected|extra|additional|invalid|missing)\b.{0,30}\b(?:parameters?|arguments?|fields?|propert(?:y|ies)|keys?|schema|value for)\b/i;

/**
 * Removes the words that are not the service's own: quotes of the user's text, names of parameters, tools, files and
 * models. "A file called `overloaded.ts`" says nothing about load.
 */
export function proseOf(text: string): string {
  const plain = text.replace(quoted, (whole, ...rest: (string | number | undefined)[]) => {
    const inner = String(rest.slice(0, 4).find((group) => group !== undefined) ?? '');
    const at = Number(rest[4]);
    if (kept.test(inner)) return whole;
    return isQuotation(inner, text.slice(Math.max(0, at - 3), at), text.slice(at + whole.length, at + whole.length + 3))
      ? 'it'
      : whole;
  });
  if (!speaksOfFields.test(text)) return plain;
  return plain.replace(identifier, (name) => (kept.test(name) ? name : 'it'));
}

function isQuotation(inner: string, before: string, after: string): boolean {
  // A field's name, or a value that another field follows.
  if (/^\s*[:}\]]/.test(after) || (/[:{,[]\s*$/.test(before) && /^\s*,/.test(after))) return false;
  if (!/\s/.test(inner)) return true;
  return /^\s\w/.test(after) || /\w\s$/.test(before);
}
