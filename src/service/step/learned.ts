import * as z from 'zod/mini';
import { dropOldest } from '../../base/drop-oldest.ts';
import { createEmitter, type Event } from '../../base/emitter.ts';
import { orElse } from '../../base/or-else.ts';
import { isObject } from '../../base/parse-json.ts';
import { streamEndKinds } from '../wire/stream-end.ts';

export const maxLearned = 200;
const maxParameters = 40;

const text = (max: number) =>
  orElse(
    z.pipe(
      z.string(),
      z.transform((given: string) => given.slice(0, max).toWellFormed()),
    ),
    '',
  );
const known = <T>(schema: z.ZodMiniType<T>) => z.optional(orElse(z.optional(schema), undefined));
/** The evidence is what the service did or said, as one short line that is already redacted. */
const source = z.object({ at: text(40), evidence: text(160) });
const fact = z.object({ works: z.boolean(), ...source.shape });

/**
 * Facts about a model are found by asking it, because the service publishes none. Each carries when and from what it
 * was learned, so that it can be shown and reset.
 */
const modelFacts = z.object({
  streaming: known(fact),
  streamOptions: known(fact),
  tools: known(fact),
  images: known(fact),
  plainHistory: known(fact),
  answersAsReasoning: known(fact),
  thinksFirst: known(fact),
  streamEnd: known(z.object({ how: z.enum(streamEndKinds), ...source.shape })),
  parameters: z.pipe(
    orElse(z.record(z.string(), known(fact)), {}),
    z.transform((all) => Object.fromEntries(Object.entries(all).filter(isLearned).slice(0, maxParameters))),
  ),
  contextTokens: known(z.int().check(z.positive())),
  contextTokensFrom: known(source),
  reasoningEcho: known(z.enum(['required', 'refused'])),
  reasoningEchoFrom: known(source),
});

function isLearned(entry: [string, Fact | undefined]): entry is [string, Fact] {
  return entry[1] !== undefined;
}

export type Source = z.infer<typeof source>;
export type Fact = z.infer<typeof fact>;
export type ModelFacts = z.infer<typeof modelFacts>;

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
      const next = modelFacts.parse({ ...known, ...change, parameters });
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
  const models = isObject(stored) ? Object.entries(stored).slice(0, maxLearned) : [];
  return new Map(models.flatMap(([model, facts]) => (isObject(facts) ? [[model, modelFacts.parse(facts)]] : [])));
}
