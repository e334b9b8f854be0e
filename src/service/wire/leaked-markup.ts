import { taggedTools } from './leaked-calls.ts';

/**
 * Models write calls, thinking and ends of turns in these forms, and some servers do not parse them. A call counts
 * only when the first word behind its marker that is not grammar names an offered tool.
 */
export type LeakedMarkup =
  /**
   * The call is hidden up to the first of `ends`, or to the end of the reply. `tool` is set when the marker itself is
   * the name of the tool.
   */
  | { kind: 'call'; ends: readonly string[]; tool?: string }
  /** Bare JSON is a call only when nothing else remains of the reply. */
  | { kind: 'json' }
  | { kind: 'thinking'; end: string }
  | { kind: 'thought' }
  | { kind: 'end' }
  | { kind: 'opening' }
  | { kind: 'closing' }
  /** A special token of no known form: it begins a call if the quoted name of an offered tool follows. */
  | { kind: 'sign' };

const bars = ['｜', '|', '‖', '｜｜', '||'];
const dsml = ['tool_calls', 'function_calls', 'calls', 'invoke'];

const forms = new Map<string, LeakedMarkup>();

function add(form: LeakedMarkup, ...starts: string[]): void {
  for (const start of starts) forms.set(start, form);
}

for (const bar of bars) {
  for (const name of dsml.flatMap((word) => [word, ` ${word}`])) {
    add({ kind: 'call', ends: [`</${bar}DSML${bar}${name}>`] }, `<${bar}DSML${bar}${name}`);
    add({ kind: 'closing' }, `</${bar}DSML${bar}${name}>`);
  }
}
for (const [bar, gap] of [
  ['｜', '▁'],
  ['｜', '_'],
  ['|', '▁'],
  ['|', '_'],
] as const) {
  const marker = (...words: string[]) => `<${bar}${words.join(gap)}${bar}>`;
  add({ kind: 'call', ends: [marker('tool', 'calls', 'end')] }, marker('tool', 'calls', 'begin'));
  add({ kind: 'call', ends: [marker('tool', 'call', 'end')] }, marker('tool', 'call', 'begin'));
  add({ kind: 'call', ends: [marker('tool', 'calls', 'section', 'end')] }, marker('tool', 'calls', 'section', 'begin'));
  add({ kind: 'closing' }, marker('tool', 'calls', 'end'), marker('tool', 'call', 'end'));
  add({ kind: 'end' }, marker('end', 'of', 'sentence'));
}
add({ kind: 'call', ends: ['<|close|>tools'] }, '<|open|>tools<|sep|>');
add({ kind: 'call', ends: ['<|close|>call'] }, '<|open|>call ');
add({ kind: 'call', ends: ['</tool_call>'] }, '<tool_call>', ']<]minimax[>[<tool_call>');
add({ kind: 'call', ends: ['</function>'] }, '<function=');
add({ kind: 'call', ends: ['</minimax:tool_call>'] }, '<minimax:tool_call>');
add({ kind: 'call', ends: ['</invoke>'] }, '<invoke name=', ']<]minimax[>[<invoke name=');
add({ kind: 'call', ends: ['</function_calls>'] }, '<function_calls>');
add({ kind: 'call', ends: ['</tool_calls>'] }, '<tool_calls>');
add(
  { kind: 'call', ends: ['<|call|>', '<|end|>'] },
  '<|start|>assistant<|channel|>commentary',
  '<|channel|>commentary',
);
add({ kind: 'call', ends: ['</|tool_call|>', '<|/tool_call|>'] }, '<|tool_call|>');
add({ kind: 'call', ends: ['<|eom_id|>'] }, '<|python_tag|>');
add({ kind: 'call', ends: [] }, '[TOOL_CALLS]', '[tool_call:');
for (const tool of taggedTools) add({ kind: 'call', ends: [`</${tool}>`], tool }, `<${tool}>`);
add({ kind: 'json' }, '{', '[{', '```json', '```tool_call');
add(
  { kind: 'closing' },
  ...'<|sep|> </tool_call> </function> </invoke> </minimax:tool_call> </function_calls> </parameter>'.split(' '),
  ...']<]minimax[>[</tool_call> ]<]minimax[>['.split(' '),
);
add({ kind: 'thinking', end: '</think>' }, '<think>');
add({ kind: 'thinking', end: '</thinking>' }, '<thinking>');
add(
  { kind: 'thinking', end: '<|end|>' },
  '<|channel|>analysis<|message|>',
  '<|start|>assistant<|channel|>analysis<|message|>',
);
add({ kind: 'thinking', end: '<|close|>think' }, '<|open|>think<|sep|>');
// Behind tool results, the model leaves out the `<|sep|>` at the end.
add({ kind: 'thought' }, '</think>', '</thinking>', '<|close|>think<|sep|>', '<|close|>think');
add(
  { kind: 'end' },
  ...'<|im_end|> <|endoftext|> <|eot_id|> <|end|> <|return|> <|user|> <|observation|> <|endofprompt|>'.split(' '),
  ...'<|im_start|> <end_of_turn> <eos> </s> [e~[ <|close|>response <|close|>response<|sep|>'.split(' '),
  ...'<|close|>message<|sep|> <|end_of_msg|>'.split(' '),
);
add(
  { kind: 'opening' },
  '<|channel|>final<|message|>',
  '<|start|>assistant<|channel|>final<|message|>',
  '<|open|>response<|sep|>',
);

const closers = [
  ...[...forms].flatMap(([start, form]) =>
    form.kind === 'call' ? form.ends : form.kind === 'closing' || form.kind === 'end' ? [start] : [],
  ),
  ...['', ...bars.flatMap((bar) => [`${bar}DSML${bar}`, `${bar}DSML${bar} `])].map((mark) => `</${mark}parameter>`),
  '</arg_value>',
  '<|close|>argument<|sep|>',
].toSorted((left, right) => right.length - left.length);
const shortestCut = 6;

/**
 * Returns where closers begin that stand at the end of an argument, whole or cut, without anything in it that they
 * close: the server left them behind when it read the call.
 */
export function closersAt(text: string): number | undefined {
  let end = text.trimEnd().length;
  const last = text.slice(0, end).lastIndexOf('\n') + 1;
  const line = text.slice(last, end);
  const isCut = line.length >= shortestCut && closers.some((closer) => closer !== line && closer.startsWith(line));
  if (isCut) end = last;
  for (;;) {
    const before = text.slice(0, end).trimEnd();
    const closer = closers.find((one) => before.endsWith(one));
    if (closer === undefined || isOpened(text, closer)) break;
    end = before.length - closer.length;
  }
  return end === text.trimEnd().length ? undefined : text.slice(0, end).trimEnd().length;
}

// A sign without an opener, such as the end of a turn, closes nothing that could stand in the text.
function isOpened(text: string, closer: string): boolean {
  const opener = closer
    .replace('</', '<')
    .replace('<|close|>', '<|open|>')
    .replace('end', 'begin')
    .replace(/(?:<\|sep\|>|>)$/, '');
  return !closer.startsWith(opener) && text.includes(opener);
}

const starts: readonly string[] = [...forms.keys()].sort((left, right) => right.length - left.length);

const maxStartLength = starts[0]?.length ?? 0;
const byFirst = Map.groupBy(starts, (start) => start.charAt(0));
const anySign = '<[｜|‖]';
const anyStart = new RegExp(
  [...starts.map((start) => start.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')), anySign].join('|'),
);

export function mayHoldMarkup(text: string): boolean {
  return /[<[\]{`]/.test(text);
}

export function findMarkup(text: string): { start: string; index: number } | undefined {
  const match = anyStart.exec(text);
  return match === null ? undefined : { start: match[0], index: match.index };
}

export function isPartOfMarker(text: string): boolean {
  return (byFirst.get(text.charAt(0)) ?? []).some((start) => start.length > text.length && start.startsWith(text));
}

export function startsWithMarker(text: string): boolean {
  return (byFirst.get(text.charAt(0)) ?? []).some((start) => text.startsWith(start));
}

/** Returns the longest end of `text` that may be the beginning of a marker. */
export function unfinishedMarker(text: string, wanted: readonly string[] = starts): string {
  const longest = wanted === starts ? maxStartLength : Math.max(...wanted.map((marker) => marker.length));
  for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++) {
    const some = wanted === starts ? byFirst.get(text.charAt(at)) : wanted;
    if (some === undefined) continue;
    const part = text.slice(at);
    if (some.some((marker) => marker.length > part.length && marker.startsWith(part))) return part;
  }
  return '';
}

export function markupOf(start: string): LeakedMarkup {
  return forms.get(start) ?? { kind: 'sign' };
}

const grammar =
  /^(?:name|type|function|functions|tools?|tool_?calls?|tool_name|recipient_name|invoke|calls|assistant|commentary|to|json|constrain|message|channel|parameters?|arguments|id|open|index|dsml|minimax|sep|tool_call_begin|call|begin|tool_sep|call_[a-z0-9]{1,40}|\d+)$/i;

const headLength = 200;

/**
 * Returns undefined while more text is needed. `isAlone` is true when the word stands between signs, as a name in a
 * form does, and not in a sentence.
 */
export function namesTool(
  rest: string,
  isTool: (name: string, isAlone: boolean) => boolean,
  isLast: boolean,
): boolean | undefined {
  const head = rest.slice(0, headLength);
  for (const { 0: word, index } of head.matchAll(/[\p{L}\d_.-]+/gu)) {
    const end = index + word.length;
    if (end >= rest.length && !isLast && rest.length < headLength) return undefined;
    const bare = word.replaceAll('▁', '_').replace(/^functions\.|[.:]$/g, '');
    const isAlone = /^$|[^\p{L}\d ]/u.test(rest.charAt(index - 1)) && !/[\p{L}\d ,.;!?]/u.test(rest.charAt(end));
    if (isTool(bare, isAlone)) return true;
    if (!grammar.test(bare)) return false;
  }
  return isLast || rest.length >= headLength ? false : undefined;
}

const quotedName = /["'“`]([\w.-]{1,80})["'”`]/g;
const prose = / \p{L}{1,40} \p{L}/u;

export function quotesTool(rest: string, isTool: (name: string) => boolean, isLast: boolean): boolean | undefined {
  const head = rest.slice(0, headLength);
  const quoted = [...head.matchAll(quotedName)].find(({ 1: name = '' }) => isTool(name));
  if (quoted !== undefined) return !prose.test(head.slice(0, quoted.index));
  return isLast || rest.length >= headLength ? false : undefined;
}

/**
 * Returns whether the text holds a call in any form. It needs no list of tools, because no answer to a side request
 * begins so.
 */
export function holdsCall(text: string): boolean {
  const begins = text.split('\n').some((line) => {
    const form = findMarkup(line.trimStart().slice(0, headLength));
    const kind = form?.index === 0 ? markupOf(form.start).kind : undefined;
    return kind === 'call' || kind === 'sign';
  });
  const isGlued =
    /[\p{L}\p{N}>]<\|\w{1,30}\|>/u.test(text) || (/\w\[?\{"/.test(text) && /[\]}]\s*$/.test(text.slice(-20)));
  return begins || isGlued || (/^(?:[[{]|```)/.test(text.trimStart()) && isCallJson(text));
}

export function isCallJson(text: string): boolean {
  const body = text
    .replace(/^\s*```\w*/, '')
    .trim()
    .replace(/(?:```|<[|｜]?\w[^<>]{0,30}>)\s*$/, '')
    .trim();
  if (!/"(?:arguments|parameters|input|args|tool_input)"\s*:/.test(body)) return false;
  return /[}\]]$/.test(body) || body.split('{').length > body.split('}').length;
}
