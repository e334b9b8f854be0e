import { isObject, parseJson } from '../../base/parse-json.ts';
import type { ReplyCall } from '../contract.ts';

export interface LeakedCall extends ReplyCall {
  source: string;
}

interface Part {
  call: ReplyCall;
  end: number;
}

const bar = '[｜|]';
const gap = '[▁_]';
const name = '(?:functions\\.)?([\\w.-]{1,80})';
const section = '(?:tool_calls|function_calls|calls|minimax:tool_call)';
const dsml = '(?:[｜|‖]{1,2}DSML[｜|‖]{1,2} ?)?';

/** Servers swallow some of these markers, so none is required. */
const around = sticky(
  `(?:\\s|</?${dsml}${section}>|</(?:tool_call|function)>|<${bar}tool${gap}calls${gap}(?:section${gap})?(?:begin|end)${bar}>|<\\|open\\|>tools<\\|sep\\|>|<\\|close\\|>(?:tools|response|message)?(?:<\\|sep\\|>)?|<\\|(?:eom_id|end_of_msg)\\|>|<${bar}end${gap}of${gap}sentence${bar}>)*`,
);

const jsonForms = [
  [
    `<${bar}tool${gap}call${gap}begin${bar}>\\s*(?:function<${bar}tool${gap}sep${bar}>)?${name}(?::\\d{1,3})?\\s*(?:<${bar}tool${gap}sep${bar}>|<\\|tool_call_argument_begin\\|>)?\\s*(?:\`\`\`json)?\\s*`,
    `\\s{0,9}(?:\`\`\`\\s{0,9})?<${bar}tool${gap}call${gap}end${bar}>`,
  ],
  ['<tool_call>\\s*', '\\s*</tool_call>'],
  [`<tool_call>${name}>\\s*`, '\\s*</tool_call>'],
  [
    `(?:<\\|start\\|>assistant)?<\\|channel\\|>commentary to=${name}\\s*(?:<\\|constrain\\|>json)?<\\|message\\|>\\s*`,
    '\\s*<\\|call\\|>',
  ],
  [`\\[TOOL_CALLS\\]\\s*${name}\\[ARGS\\]\\s*`, ''],
  ['\\[TOOL_CALLS\\]\\s*', ''],
  ['<\\|python_tag\\|>\\s*', ''],
  [`<${dsml}invoke name="${name}">\\s*(?=\\{)`, `\\s*</${dsml}invoke>`],
  [
    `<\\|open\\|>call tool="${name}"[^<>]{0,80}<\\|sep\\|><\\|open\\|>json[^<>]{0,40}<\\|sep\\|>`,
    '<\\|close\\|>json<\\|sep\\|><\\|close\\|>call<\\|sep\\|>',
  ],
].map(([open = '', end = '']) => ({ open: sticky(open), end: sticky(end) }));

interface TagForm {
  open: RegExp;
  argument: RegExp;
  argumentEnd?: string;
  end: string;
  trims?: true;
  isMarked?: true;
}

const tagForms: readonly TagForm[] = [
  {
    open: sticky(`<${dsml}invoke name="${name}"\\s*>`),
    argument: sticky(`\\s*<${dsml}parameter name="([\\w.-]{1,80})"(?: string="(true|false)")?\\s*>`),
    argumentEnd: '</parameter>',
    end: '</invoke>',
    isMarked: true,
  },
  {
    open: sticky(`<tool_call>\\s*${name}\\s*(?=<arg_key>|</tool_call>)`),
    argument: sticky('\\s*<arg_key>([\\w.-]{1,80})</arg_key>\\s*<arg_value>'),
    argumentEnd: '</arg_value>',
    end: '</tool_call>',
  },
  {
    open: sticky(`(?:<tool_call>\\s*)?<function=${name}>`),
    argument: sticky('\\s*<parameter=([\\w.-]{1,80})>'),
    argumentEnd: '</parameter>',
    end: '</function>',
    trims: true,
  },
  {
    open: sticky(`<\\|open\\|>call tool="${name}"[^<>]{0,80}<\\|sep\\|>`),
    argument: sticky('\\s*<\\|open\\|>argument key="([\\w.-]{1,80})"(?: type="(\\w{1,20})")?<\\|sep\\|>'),
    argumentEnd: '<|close|>argument<|sep|>',
    end: '<|close|>call<|sep|>',
  },
];

export const taggedTools = [
  ...['read_file', 'write_to_file', 'replace_in_file', 'apply_diff', 'search_files', 'list_files', 'execute_command'],
  ...['ask_followup_question', 'attempt_completion', 'list_code_definition_names', 'update_todo_list'],
];
const tagged = sticky(`<(${taggedTools.join('|')})>`);
const taggedArgument = sticky('\\s*<(\\w{1,40})>');

/**
 * Returns the calls when the text consists of nothing else. Returns undefined when a call has no end or can be read
 * in two ways, because such a call must not run. The work is linear in the text.
 */
export function readLeakedCalls(text: string): LeakedCall[] | undefined {
  const markup = text.replaceAll(']<]minimax[>[', '');
  const calls: LeakedCall[] = [];
  for (let at = endOf(around, markup, 0); at < markup.length; at = endOf(around, markup, at)) {
    const parts = readAt(markup, at);
    const end = parts?.at(-1)?.end;
    if (parts === undefined || end === undefined) return undefined;
    const source = markup.slice(at, end);
    calls.push(...parts.map(({ call }) => ({ ...call, source })));
    at = end;
  }
  return calls.length === 0 ? undefined : calls;
}

function readAt(text: string, at: number): Part[] | undefined {
  for (const form of jsonForms) {
    const parts = readJsonForm(text, at, form);
    if (parts !== undefined) return parts;
  }
  for (const form of tagForms) {
    const [opened, called = ''] = matchAt(form.open, text, at) ?? [];
    if (opened !== undefined) return readArguments(text, at + opened.length, called, marked(form, opened));
  }
  const [opened, called = ''] = matchAt(tagged, text, at) ?? [];
  if (opened === undefined) return undefined;
  return readArguments(text, at + opened.length, called, {
    open: tagged,
    argument: taggedArgument,
    end: `</${called}>`,
    trims: true,
  });
}

function marked(form: TagForm, opened: string): TagForm {
  const [, mark = ''] = form.isMarked ? (/^<(.*?)invoke/.exec(opened) ?? []) : [];
  const within = (end: string) => end.replace('</', `</${mark}`);
  const { argumentEnd, end } = form;
  return { ...form, end: within(end), ...(argumentEnd !== undefined && { argumentEnd: within(argumentEnd) }) };
}

function readJsonForm(text: string, at: number, { open, end }: Record<'open' | 'end', RegExp>): Part[] | undefined {
  const opened = matchAt(open, text, at);
  if (opened === undefined) return undefined;
  const start = at + opened[0].length;
  const stop = jsonEnd(text, start);
  const closed = stop === undefined ? undefined : matchAt(end, text, stop);
  if (stop === undefined || closed === undefined) return undefined;
  const json = text.slice(start, stop);
  const value = parseJson(json);
  if (hasKeyTwice(json, value)) return undefined;
  const calls =
    opened[1] === undefined ? namedCalls(value) : isObject(value) ? [{ name: opened[1], arguments: json }] : undefined;
  return calls?.map((call) => ({ call, end: stop + closed[0].length }));
}

function namedCalls(value: unknown): ReplyCall[] | undefined {
  const calls = (Array.isArray(value) ? value : [value]).map((one: unknown): ReplyCall | undefined => {
    if (!isObject(one)) return undefined;
    const { name: called, arguments: args, parameters = args, ...rest } = one;
    const isCall = typeof called === 'string' && isObject(parameters) && (args === undefined || args === parameters);
    return isCall && Object.keys(rest).every((key) => key === 'id' || key === 'type')
      ? { name: called, arguments: JSON.stringify(parameters) }
      : undefined;
  });
  const whole = calls.filter((call) => call !== undefined);
  return whole.length === calls.length && whole.length > 0 ? whole : undefined;
}

function readArguments(
  text: string,
  from: number,
  called: string,
  { argument, argumentEnd, end, trims }: TagForm,
): Part[] | undefined {
  const values = new Map<string, unknown>();
  let at = from;
  for (let opened = matchAt(argument, text, at); opened; opened = matchAt(argument, text, at)) {
    const [marker, key = '', told] = opened;
    const close = argumentEnd ?? `</${key}>`;
    const start = at + marker.length;
    const stop = text.indexOf(close, start);
    if (stop < 0 || values.has(key)) return undefined;
    const isText = told === undefined || told === 'true' || told === 'string';
    const written = text.slice(start, stop);
    const value = isText ? (trims ? withoutBreaks(written) : written) : parseJson(written);
    if (value === undefined) return undefined;
    values.set(key, value);
    at = stop + close.length;
  }
  while (/\s/.test(text.charAt(at))) at++;
  if (!text.startsWith(end, at)) return undefined;
  return [{ call: { name: called, arguments: JSON.stringify(Object.fromEntries(values)) }, end: at + end.length }];
}

function withoutBreaks(value: string): string {
  return value.startsWith('\n') && value.endsWith('\n') && value.length > 1 ? value.slice(1, -1) : value;
}

function jsonEnd(text: string, from: number): number | undefined {
  if (!/[[{]/.test(text.charAt(from))) return undefined;
  let depth = 0;
  let isText = false;
  for (let at = from; at < text.length; at++) {
    const sign = text.charAt(at);
    if (isText && sign === '\\') at++;
    else if (sign === '"') isText = !isText;
    else if (!isText && (sign === '{' || sign === '[')) depth++;
    else if (!isText && (sign === '}' || sign === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}

/** The parser takes the last of two values for one key, while the person who reviews the call may see the first. */
function hasKeyTwice(json: string, value: unknown): boolean {
  const written = [...json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined).length;
  return written !== countKeys(value);
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, inner) => sum + countKeys(inner), own);
}

function sticky(source: string): RegExp {
  return new RegExp(source, 'y');
}

function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | undefined {
  expression.lastIndex = at;
  return expression.exec(text) ?? undefined;
}

function endOf(expression: RegExp, text: string, at: number): number {
  return at + (matchAt(expression, text, at)?.[0].length ?? 0);
}
