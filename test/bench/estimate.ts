import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { encode as o200k } from 'gpt-tokenizer/encoding/o200k_base';
import { systemPrompt } from '../../src/agent/system-prompt.ts';
import { estimatePromptTokens } from '../../src/service/tokens.ts';
import type { HistoryMessage } from '../../src/shared/messages.ts';
import { createEstimator } from '../../src/spend/estimate.ts';
import { installPeers, peersFolder } from './bundle.ts';
import { estimateTexts } from './estimate-texts.ts';
import type { Figure } from './figure.ts';
import type { Part } from './part.ts';
import { createRandom } from './seeded-random.ts';
import { median, type Round } from './statistics.ts';

/** A model, and what a public vocabulary of its family counts for a text. */
interface Vocabulary {
  model: string;
  count(text: string): number;
}

interface Sample {
  real: number;
  ours: number;
  /** As told beside ours, relative. */
  error: number;
  /** 3.5 characters to a token, corrected by one factor for all text. */
  plain: number;
}

const plainly = 'characters ÷ 3.5';
const conversationsOfClass = 20;
const conversationsInAll = 1000;

/**
 * P21: the price before sending, beside what real vocabularies count. DeepSeek and Qwen are families of the service; o200k
 * stands for the models whose vocabulary nobody has measured.
 */
export const estimate: Part = {
  ids: ['P21'],
  measure: async ({ seed, progress }) => {
    await installPeers();
    const known = [await load('deepseek_v3', 'svc/deepseek-v4-pro'), await load('qwen3', 'svc/qwen-3.8-27b')];
    const other = keepCounts({ model: 'svc/glm-5.3', count: (text) => o200k(text).length });
    const texts = estimateTexts(seed);
    const random = createRandom(seed);
    const figures: Figure[] = [];
    for (const [name, pages] of texts) {
      progress(`P21: ${name}`);
      const first = (vocabulary: Vocabulary) => middleOf(pages.map((page) => firstOf(vocabulary, page)));
      figures.push(figure(`first estimate, ${name}`, known.map(first), 15));
      figures.push(figure(`first estimate, ${name}, vocabulary not measured`, [first(other)]));
      const english = texts.get('Latin')?.filter((_, index) => index % 6 === 0) ?? [];
      const after = (vocabulary: Vocabulary, before: readonly string[]) =>
        worstOf(
          Array.from({ length: conversationsOfClass }, () =>
            converse(vocabulary, [before, pages], random).slice(5, 8),
          ).flat(),
        );
      const all = [...known, other];
      figures.push(
        figure(
          `after ten messages, ${name}`,
          all.map((vocabulary) => after(vocabulary, pages)),
          5,
        ),
      );
      figures.push(
        figure(
          `from English to ${name}`,
          all.map((vocabulary) => after(vocabulary, english)),
          5,
        ),
      );
    }
    progress(`P21: ${conversationsInAll} conversations with each vocabulary`);
    for (const at of [0, 5, 9]) {
      const missed = [...known, other].map((vocabulary) => ({
        ours: missedShare(vocabulary, [...texts.values()], random, at),
      }));
      figures.push(figure(`± missed, request ${at + 1} of any conversation`, missed, 5));
    }
    return figures;
  },
};

function figure(what: string, rounds: readonly Round[], goal?: number): Figure {
  const comparisons = [{ by: 'alone' as const, anchor: plainly, goal }];
  return { id: 'P21', what, unit: '%', rounds, ours: 'ours', comparisons };
}

/** What is used of it; its own types are installed on demand only. */
interface TokenizerModule {
  TokenizerLoader: {
    fromPreTrained(files: { tokenizerJSON: unknown; tokenizerConfig: unknown }): {
      encode(text: string, options: { add_special_tokens: boolean }): readonly number[];
    };
  };
}

async function load(name: string, model: string): Promise<Vocabulary> {
  const packages = path.join(peersFolder, 'node_modules/@lenml');
  const entry = pathToFileURL(path.join(packages, 'tokenizers/dist/main.mjs')).href;
  const { TokenizerLoader } = (await import(entry)) as TokenizerModule;
  const read = async (file: string): Promise<unknown> =>
    JSON.parse(await readFile(path.join(packages, `tokenizer-${name}/models/${file}.json`), 'utf8'));
  const tokenizer = TokenizerLoader.fromPreTrained({
    tokenizerJSON: await read('tokenizer'),
    tokenizerConfig: await read('tokenizer_config'),
  });
  return keepCounts({ model, count: (text) => tokenizer.encode(text, { add_special_tokens: false }).length });
}

/** The same texts come again in every conversation. */
function keepCounts({ model, count }: Vocabulary): Vocabulary {
  const counts = new Map<string, number>();
  return {
    model,
    count: (text) => {
      const known = counts.get(text) ?? count(text);
      counts.set(text, known);
      return known;
    },
  };
}

const charactersOf = (messages: readonly HistoryMessage[]): number =>
  messages.reduce((sum, { text }) => sum + text.length, 0);

/** A text alone, before anything was learned. */
function firstOf({ model, count }: Vocabulary, text: string): Sample {
  const messages = [{ role: 'user' as const, text }];
  const { tokens, error } = createEstimator(undefined).prompt({ model, messages });
  // What a message adds besides its text is not what is measured here.
  const frame = estimatePromptTokens({ model, messages: [{ role: 'user', text: '' }] });
  return { real: count(text), ours: tokens - frame, error, plain: text.length / 3.5 };
}

/** The requests of a conversation whose first ten messages are of one class and whose others are of another. */
function converse(
  { model, count }: Vocabulary,
  [before, after]: readonly [readonly string[], readonly string[]],
  random: () => number,
): Sample[] {
  const estimator = createEstimator(undefined);
  const system = systemPrompt({
    folders: [{ name: 'my-project' }],
    tools: [{ kind: 'read' }, { kind: 'edit' }],
    today: '2026-11-20',
  });
  const messages: HistoryMessage[] = [{ role: 'system', text: system }];
  const samples: Sample[] = [];
  let factor: number | undefined;
  for (let index = 0; index < 20; index++) {
    const pages = index < 10 ? before : after;
    const text = pages[Math.floor(random() * pages.length)] ?? '';
    if (index % 2 === 1) {
      messages.push({ role: 'assistant', text, model, toolCalls: [] });
      continue;
    }
    messages.push({ role: 'user', text });
    const real = messages.reduce((sum, message) => sum + count(message.text) + 5, 3);
    const { tokens, error } = estimator.prompt({ model, messages });
    const plain = charactersOf(messages) / 3.5;
    samples.push({ real, ours: tokens, error, plain: plain * (factor ?? 1) });
    estimator.learn({ model, messages }, real);
    factor = factor === undefined ? real / plain : factor + 0.2 * (real / plain - factor);
  }
  return samples;
}

const offBy = (estimated: number, real: number): number => 100 * Math.abs(estimated / real - 1);

function middleOf(samples: readonly Sample[]): Round {
  const off = (of: (sample: Sample) => number) => median(samples.map((sample) => offBy(of(sample), sample.real)));
  return { ours: off(({ ours }) => ours), [plainly]: off(({ plain }) => plain) };
}

/** What nineteen of twenty stay below. */
function worstOf(samples: readonly Sample[]): Round {
  const off = (of: (sample: Sample) => number): number => {
    const sorted = samples.map((sample) => offBy(of(sample), sample.real)).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
  };
  return { ours: off(({ ours }) => ours), [plainly]: off(({ plain }) => plain) };
}

/** In how many of all conversations the real count is outside of what was told at one of the requests. */
function missedShare(
  vocabulary: Vocabulary,
  classes: readonly (readonly string[])[],
  random: () => number,
  at: number,
): number {
  const pick = () => classes[Math.floor(random() * classes.length)] ?? [];
  let missed = 0;
  for (let index = 0; index < conversationsInAll; index++) {
    const sample = converse(vocabulary, [pick(), pick()], random)[at];
    if (sample !== undefined && Math.abs(sample.real - sample.ours) > sample.error * sample.ours + 1) missed += 1;
  }
  return (100 * missed) / conversationsInAll;
}
