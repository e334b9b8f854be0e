import { parseJson } from '../../base/parse-json.ts';

const maxCallLength = 200_000;
const headLength = 200;

const explains =
  /\b(?:looks? like|examples?|e\.g\.|for instance|such as|format|form|syntax|written|would be|called with|this way)\b/i;

/**
 * Returns the index of a call at the end of `text` that could not be recognized while it was streamed: its opening
 * was swallowed, its arguments precede its name, or it stands in a fence behind prose.
 */
export function endingCall(text: string, tools: ReadonlySet<string>): number | undefined {
  if (tools.size === 0 || text.length > maxCallLength || !/[}>`\])\p{S}]\s*$/u.test(text.slice(-80))) return undefined;
  if (isInCode(text)) return undefined;
  return inFence(text, tools) ?? bareJson(text, tools) ?? inAnyForm(text, tools);
}

const markup = /^(?:[<[]|[^\p{L}\p{N}\s|#*>`"'({-]{1,3}\p{Lu}|[\w.-]{1,64}(?::\d{1,3})?(?:[<[{(]|\n<|: ?```))/u;
const link = /^!?\[[^\]\n]{0,300}\][(:[]/;
const words = /[ \n]\p{L}{1,40} \p{L}{1,40} \p{L}/u;
const quoted = /"(?:[^"\\]|\\.){0,9999}"|>[^<]{0,9999}(?=<)/g;
const argument = /["“'{(=]|<[^<>\n]{0,80}[_|｜:‖]/;

/**
 * Finds a line that begins as markup and soon names a tool between two signs, with arguments behind it and no words
 * outside of them to the end: a call in a form that no list has.
 */
function inAnyForm(text: string, tools: ReadonlySet<string>): number | undefined {
  let isCode = false;
  let above = '';
  let at = 0;
  for (const line of text.split('\n')) {
    if (/^\s{0,3}```/.test(line)) isCode = !isCode;
    else if (!isCode && markup.test(text.slice(at, at + headLength)) && !link.test(line) && !explains.test(above)) {
      const head = text.slice(at, at + headLength);
      const named = [...head.matchAll(/[\w-]{1,80}/g)].find(({ 0: word }) => tools.has(word));
      const rest = named && head.slice(named.index + named[0].length);
      if (rest !== undefined && !/^[ ,.;!?]/.test(rest) && argument.test(rest))
        return words.test(text.slice(at).replace(quoted, '')) ? undefined : at;
    }
    if (line.trim() !== '') above = line;
    at += line.length + 1;
  }
  return undefined;
}

/** Accepts only prose that announces the call, because a text that explains a call is an answer. */
function inFence(text: string, tools: ReadonlySet<string>): number | undefined {
  const fences = [...text.matchAll(/^[ \t]{0,3}```(.*)$/gm)];
  const [open, close] = fences.slice(-2);
  if (open === undefined || close === undefined || fences.length % 2 === 1) return undefined;
  if (!/^(?:json|tool_call)?\s*$/.test(open[1] ?? '') || text.slice(close.index).trim() !== '```') return undefined;
  const before = text.slice(0, open.index).trimEnd();
  if (explains.test(before.slice(before.lastIndexOf('\n') + 1))) return undefined;
  return isCall(text.slice(open.index + open[0].length, close.index), tools) ? open.index : undefined;
}

function bareJson(text: string, tools: ReadonlySet<string>): number | undefined {
  if (!/[}\]]\s*$/.test(text.slice(-20))) return undefined;
  const start = text.search(/^[{[]/m);
  return start >= 0 && isCall(text.slice(start), tools) ? start : undefined;
}

function isInCode(text: string): boolean {
  return (text.match(/^[ \t]{0,3}```/gm) ?? []).length % 2 === 1;
}

function isCall(json: string, tools: ReadonlySet<string>): boolean {
  const value = parseJson(json.trim());
  const calls = Array.isArray(value) ? value : [value];
  return calls.length > 0 && calls.every((call) => callsTool(call, tools));
}

function callsTool(call: unknown, tools: ReadonlySet<string>): boolean {
  if (typeof call !== 'object' || call === null) return false;
  const { function: inner } = call as { function?: unknown };
  const outer = typeof inner === 'object' && inner !== null ? inner : call;
  const { name, tool, arguments: first, parameters, input, args } = outer as Record<string, unknown>;
  const values = [first, parameters, input, args].find((each) => each !== undefined);
  const named = [name, tool, inner].find((each) => typeof each === 'string');
  const isEmpty = typeof values === 'object' && values !== null && Object.keys(values).length === 0;
  return typeof named === 'string' && tools.has(named) && values !== undefined && !isEmpty;
}
