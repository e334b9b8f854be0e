import { dropOldest } from '../../base/drop-oldest.ts';
import { createEmitter, type Event } from '../../base/emitter.ts';
import type { StreamEndKind } from '../wire/stream-end.ts';

/**
 * Found out about a model by asking it: the service publishes none of it. Every fact carries when and from what it was
 * learned, so that it can be shown and reset.
 */
export interface Fact extends Source {
  works: boolean;
}

/** When something was learned and from what. */
export interface Source {
  /** ISO 8601. */
  at: string;
  /** The service's act or words, one short line, already redacted. */
  evidence: string;
}

/** `times`: replies that ended so, counted up to the two that it takes to believe it. */
export interface StreamEndFact extends Source {
  how: StreamEndKind;
  times: 1 | 2;
  /** Whole-looking replies in a row that ended without a word instead; absent without any. */
  missed?: number;
}

export interface ModelFacts {
  streaming?: Fact;
  streamOptions?: Fact;
  tools?: Fact;
  images?: Fact;
  /** `works: false`: only a history that was ironed out is taken, so nothing else is tried again. */
  plainHistory?: Fact;
  /** `works: true`: the model's answers come as reasoning. */
  answersAsReasoning?: Fact;
  /** `works: true`: it thinks first, also where a few words are asked for. */
  thinksFirst?: Fact;
  /** How its streams end when all is well. */
  streamEnd?: StreamEndFact;
  /** By wire name: `temperature`, `top_p`, `seed`, `stop`, `max_tokens`. */
  parameters: Record<string, Fact>;
  /** The model's limit in tokens as an error stated it. */
  contextTokens?: number;
  contextTokensFrom?: Source;
  /** Whether `reasoning_content` must or must not be in the history. */
  reasoningEcho?: 'required' | 'refused';
  reasoningEchoFrom?: Source;
}

export interface Learned {
  /** Never undefined: an unknown model has no facts yet. */
  get(model: string): ModelFacts;
  /** Merges; `parameters` are merged by name. A field given as `undefined` is forgotten. Saves and tells listeners. */
  learn(model: string, change: Partial<ModelFacts>): void;
  all(): ReadonlyMap<string, ModelFacts>;
  /** Forgets one model, or everything. */
  reset(model?: string): void;
  /** Returns what ends the subscription. */
  onDidChange: Event;
}

const factNames = [
  'streaming',
  'streamOptions',
  'tools',
  'images',
  'plainHistory',
  'answersAsReasoning',
  'thinksFirst',
] as const;
/** Models; what was learned of others is forgotten. */
export const maxLearned = 200;
const maxParameters = 40;
/** Characters: a service may say a whole page. */
const maxEvidenceLength = 160;

/** `stored` is whatever an earlier `save` or another version left: what does not fit is dropped, nothing throws. */
export function createLearned(stored: unknown, save: (facts: Record<string, ModelFacts>) => void): Learned {
  const byModel = readStored(stored);
  const listeners = createEmitter();
  const changed = () => {
    // `fromEntries` defines own properties, so a model called `__proto__` is a key like any other.
    save(Object.fromEntries(byModel));
    listeners.fire();
  };
  return {
    get: (model) => byModel.get(model) ?? { parameters: {} },
    learn: (model, change) => {
      const known = byModel.get(model);
      const parameters = { ...known?.parameters, ...change.parameters };
      const next = readFacts({ ...known, ...change, parameters });
      byModel.set(model, next);
      dropOldest(byModel, maxLearned);
      changed();
    },
    all: () => byModel,
    reset: (model) => {
      if (model === undefined) byModel.clear();
      else byModel.delete(model);
      changed();
    },
    onDidChange: listeners.event,
  };
}

function readStored(stored: unknown): Map<string, ModelFacts> {
  const byModel = new Map<string, ModelFacts>();
  if (!isRecord(stored)) return byModel;
  for (const [model, facts] of Object.entries(stored).slice(0, maxLearned)) {
    if (isRecord(facts)) byModel.set(model, readFacts(facts));
  }
  return byModel;
}

function readFacts(facts: Record<string, unknown>): ModelFacts {
  const read: ModelFacts = { parameters: {} };
  for (const name of factNames) {
    const fact = readFact(facts[name]);
    if (fact) read[name] = fact;
  }
  const streamEnd = readStreamEnd(facts.streamEnd);
  if (streamEnd) read.streamEnd = streamEnd;
  if (isRecord(facts.parameters)) {
    const parameters = Object.entries(facts.parameters).slice(0, maxParameters);
    read.parameters = Object.fromEntries(
      parameters.flatMap(([name, value]) => {
        const fact = readFact(value);
        return fact ? [[name, fact]] : [];
      }),
    );
  }
  const { contextTokens, reasoningEcho } = facts;
  if (typeof contextTokens === 'number' && Number.isSafeInteger(contextTokens) && contextTokens > 0) {
    read.contextTokens = contextTokens;
    if (isRecord(facts.contextTokensFrom)) read.contextTokensFrom = readSource(facts.contextTokensFrom);
  }
  if (reasoningEcho === 'required' || reasoningEcho === 'refused') {
    read.reasoningEcho = reasoningEcho;
    if (isRecord(facts.reasoningEchoFrom)) read.reasoningEchoFrom = readSource(facts.reasoningEchoFrom);
  }
  return read;
}

function readFact(value: unknown): Fact | undefined {
  if (!isRecord(value) || typeof value.works !== 'boolean') return undefined;
  return { works: value.works, ...readSource(value) };
}

const streamEndKinds: readonly StreamEndKind[] = ['finish', 'marker', 'usage', 'close'];

function readStreamEnd(value: unknown): StreamEndFact | undefined {
  if (!isRecord(value)) return undefined;
  const how = streamEndKinds.find((kind) => kind === value.how);
  if (how === undefined) return undefined;
  const { missed } = value;
  const isCount = typeof missed === 'number' && Number.isSafeInteger(missed) && missed > 0;
  return { how, times: value.times === 2 ? 2 : 1, ...(isCount && { missed }), ...readSource(value) };
}

function readSource({ at, evidence }: Record<string, unknown>): Source {
  return {
    at: typeof at === 'string' ? at.slice(0, 40) : '',
    evidence: typeof evidence === 'string' ? evidence.slice(0, maxEvidenceLength).toWellFormed() : '',
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
