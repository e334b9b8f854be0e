import { createRandom } from './seeded-random.ts';

/** What the stream server can be asked for; the name is a segment of the base address. */
export interface Scenario {
  name: string;
  /** Server-sent events in order, each with its closing blank line. */
  events: readonly string[];
  /** UTF-16 code units of all text deltas; what a contender must have been handed. */
  textLength: number;
  /** UTF-16 code units of all tool-argument deltas. */
  argumentsLength: number;
  /** Pause between events; 0 writes them as fast as the reader takes them. */
  everyMs: number;
}

export const benchModel = 'svc/deepseek-v4.1-flash';

/** Of the `paced` scenario: a second of a real model. */
export const pacedChunks = 500;

/** Pieces the size of one token: words, code, line ends, characters that JSON must escape, two- to four-byte UTF-8. */
const vocabulary =
  ' the| value| of|const|  |(|);\n|return|\t|"id"|: |{|}|,\n\n| for|Each|ing| über|—| 数据|🙂|\\n|`|**|- |=> |0|42|.ts|/src| null|await '.split(
    '|',
  );

/**
 * The inputs of P1–P4. `burst`: small text chunks; `tools`: one call whose arguments arrive in small chunks; `first`: a
 * reply of two chunks; `paced`: text at the pace of a real model.
 */
export function buildScenarios(seed: number): Scenario[] {
  const random = createRandom(seed);
  return [
    textScenario('burst-20000', 20_000, 0, random),
    toolScenario('tools-1000', 1000, random),
    toolScenario('tools-8000', 8000, random),
    textScenario('first', 2, 0, random),
    textScenario('paced', pacedChunks, 2, random),
  ];
}

function textScenario(name: string, chunks: number, everyMs: number, random: () => number): Scenario {
  const pieces = Array.from({ length: chunks }, () => pick(random));
  const events = pieces.map(deltaEvent);
  return {
    name,
    events: [event({ role: 'assistant', content: '' }, null), ...events, ...closing('stop', chunks)],
    textLength: lengthOf(pieces),
    argumentsLength: 0,
    everyMs,
  };
}

function toolScenario(name: string, chunks: number, random: () => number): Scenario {
  const text = Array.from({ length: chunks }, () => pick(random));
  // Cut on code-unit borders of the JSON text, but not inside a surrogate pair: that is what tokens look like.
  const whole = Array.from(JSON.stringify({ path: 'src/cart.ts', content: text.join('') }));
  const pieces = Array.from({ length: chunks }, (_, index) => {
    const from = Math.floor((index * whole.length) / chunks);
    return whole.slice(from, Math.floor(((index + 1) * whole.length) / chunks)).join('');
  });
  const head = { index: 0, id: 'call_0001', type: 'function', function: { name: 'create_file', arguments: '' } };
  return {
    name,
    events: [
      event({ role: 'assistant', content: null, tool_calls: [head] }, null),
      ...pieces.map((piece) => event({ tool_calls: [{ index: 0, function: { arguments: piece } }] }, null)),
      ...closing('tool_calls', chunks),
    ],
    textLength: 0,
    argumentsLength: lengthOf(pieces),
    everyMs: 0,
  };
}

function pick(random: () => number): string {
  return vocabulary[Math.floor(random() * vocabulary.length)] ?? ' ';
}

function lengthOf(pieces: readonly string[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}

/** One piece of a reply's text as a server-sent event. */
export function deltaEvent(content: string): string {
  return event({ content }, null);
}

/** A whole call of a tool, without arguments. */
export function callEvent(name: string): string {
  return event(
    { tool_calls: [{ index: 0, id: 'call_bench', type: 'function', function: { name, arguments: '{}' } }] },
    null,
  );
}

const envelope = {
  id: 'chatcmpl-8f14e45fceea',
  object: 'chat.completion.chunk',
  created: 1_760_000_000,
  model: benchModel,
};

function event(delta: object, finishReason: string | null): string {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }];
  return `data: ${JSON.stringify({ ...envelope, choices })}\n\n`;
}

/** The last events of a reply. */
export function closing(finishReason: string, completionTokens: number): string[] {
  const usage = { prompt_tokens: 12, completion_tokens: completionTokens, total_tokens: completionTokens + 12 };
  return [
    event({}, finishReason),
    `data: ${JSON.stringify({ ...envelope, choices: [], usage })}\n\n`,
    'data: [DONE]\n\n',
  ];
}
