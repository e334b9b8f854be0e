import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createChunkCollector } from '../../src/service/wire/fold-chunks.ts';
import type { Figure } from './figure.ts';
import type { Part } from './part.ts';
import { createRandom } from './seeded-random.ts';
import type { Round } from './statistics.ts';

const recordings = path.join(import.meta.dirname, '../fixtures/provider-streams');
const chunks = 20_000;
/** The last chunk but one of a recording that has this in it is the shape; its words are replaced. */
const shapes: Readonly<Record<string, readonly [file: string, sign: RegExp]>> = {
  text: ['deepseek-chat-text', /"content":"[^"]/],
  'text beside padding': ['openai-gpt-5-text', /"content":"[^"]/],
  reasoning: ['deepseek-reasoner', /"reasoning_content":"[^"]/],
  'reasoning on a channel': ['groq-gpt-oss-text', /"reasoning":"[^"]/],
  arguments: ['deepseek-chat-call', /"function":\{"arguments":"[^"]/],
};
const vocabulary =
  ' the| value| of|const|  |(|);\n|return|\t|"id"|: |{|}|,\n\n| for|Each|ing| über|—| 数据|🙂|`|**|- |=> |0|42'.split(
    '|',
  );

/** P1: what the chunks of several services cost, three words each, beside `JSON.parse` alone. */
export const chunkShapes: Part = {
  ids: ['P1'],
  measure: async ({ seed, rounds, progress }) => {
    const figures: Figure[] = [];
    for (const [name, [file, sign]] of Object.entries(shapes)) {
      progress(`P1: chunks with ${name}`);
      const events = await eventsLike(file, sign, seed);
      const all: Round[] = [];
      // The first two warm the code up.
      for (let round = -2; round < rounds; round++) {
        const found = {
          ours: cpuMs(() => fold(events)),
          'JSON.parse': cpuMs(() => events.map((data) => JSON.parse(data))),
        };
        if (round >= 0) all.push(found);
      }
      figures.push({
        id: 'P1',
        what: `CPU, 20,000 chunks with ${name}, after they were cut from the stream`,
        unit: 'ms',
        rounds: all,
        ours: 'ours',
        comparisons: [{ by: 'ratio', anchor: 'JSON.parse' }],
      });
    }
    return figures;
  },
};

async function eventsLike(file: string, sign: RegExp, seed: number): Promise<string[]> {
  const lines = (await readFile(path.join(recordings, `${file}.sse`), 'utf8')).split('\n');
  const shape = lines.findLast((line) => line.startsWith('data: {') && sign.test(line))?.slice('data: '.length);
  if (shape === undefined) throw new Error(`${file} has no chunk like ${sign}`);
  const random = createRandom(seed);
  const word = () => vocabulary[Math.floor(random() * vocabulary.length)] ?? '';
  const written = /("(?:content|reasoning_content|reasoning|arguments)":)"(?:[^"\\]|\\.)+"/;
  return Array.from({ length: chunks }, () => {
    const said = JSON.stringify(word() + word() + word());
    const padding = 'abcdefghijk'.slice(Math.floor(random() * 11));
    return shape.replace(written, (_, name) => `${name}${said}`).replace(/("obfuscation":")[^"]*/, `$1${padding}`);
  });
}

function fold(events: readonly string[]): void {
  const folder = createChunkCollector({
    requestedModel: 'm',
    model: 'm',
    tools: new Set(['x']),
    onEvent: () => undefined,
  });
  for (const [at, data] of events.entries()) {
    folder.fold(data, undefined);
    if (at % 200 === 0) folder.flush();
  }
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
