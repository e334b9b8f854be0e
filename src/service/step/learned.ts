import { dropOldest } from '../../base/drop-oldest.ts';
import { createEmitter, type Event } from '../../base/emitter.ts';
import { isObject } from '../../base/parse-json.ts';
import { type StreamEndKind, streamEndKinds } from '../wire/stream-end.ts';

/**
 * Facts about a model are found by asking it, because the service publishes none. Each carries when and from what it
 * was learned, so that it can be shown and reset.
 */
export interface Fact extends Source {
  works: boolean;
}

export interface Source {
  at: string;
  /** Holds what the service did or said, as one short line that is already redacted. */
  evidence: string;
}

export interface StreamEndFact extends Source {
  how: StreamEndKind;
}

export interface ModelFacts {
  streaming?: Fact;
  streamOptions?: Fact;
  tools?: Fact;
  images?: Fact;
  plainHistory?: Fact;
  answersAsReasoning?: Fact;
  thinksFirst?: Fact;
  streamEnd?: StreamEndFact;
  parameters: Record<string, Fact>;
  contextTokens?: number;
  contextTokensFrom?: Source;
  reasoningEcho?: 'required' | 'refused';
  reasoningEchoFrom?: Source;
}

export interface Learned {
  get(model: string): ModelFacts;
  /**
   * Merges the change; `parameters` are merged by name. A field given as `undefined` is forgotten. Saves and notifies
   * the listeners.
   */
  learn(model: string, change: Partial<ModelFacts>): void;
  all(): ReadonlyMap<string, ModelFacts>;
  reset(model?: string): void;
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
export const maxLearned = 200;
const maxParameters = 40;
const maxEvidenceLength = 160;

/** `stored` may come from any version: what does not fit is dropped, and nothing throws. */
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
  if (!isObject(stored)) return byModel;
  for (const [model, facts] of Object.entries(stored).slice(0, maxLearned)) {
    if (isObject(facts)) byModel.set(model, readFacts(facts));
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
  if (isObject(facts.parameters)) {
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
    if (isObject(facts.contextTokensFrom)) read.contextTokensFrom = readSource(facts.contextTokensFrom);
  }
  if (reasoningEcho === 'required' || reasoningEcho === 'refused') {
    read.reasoningEcho = reasoningEcho;
    if (isObject(facts.reasoningEchoFrom)) read.reasoningEchoFrom = readSource(facts.reasoningEchoFrom);
  }
  return read;
}

function readFact(value: unknown): Fact | undefined {
  if (!isObject(value) || typeof value.works !== 'boolean') return undefined;
  return { works: value.works, ...readSource(value) };
}

function readStreamEnd(value: unknown): StreamEndFact | undefined {
  if (!isObject(value)) return undefined;
  const how = streamEndKinds.find((kind) => kind === value.how);
  return how === undefined ? undefined : { how, ...readSource(value) };
}

function readSource({ at, evidence }: Record<string, unknown>): Source {
  return {
    at: typeof at === 'string' ? at.slice(0, 40) : '',
    evidence: typeof evidence === 'string' ? evidence.slice(0, maxEvidenceLength).toWellFormed() : '',
  };
}
