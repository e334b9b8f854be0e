import { setTimeout } from 'node:timers/promises';

/** The features wait no longer than this for what is seen. */
const maxFirstLookMs = 1000;

/** The assistant as it comes into being. What failed is tried again with the next use: it may have been a disk that was full for a moment. */
export interface LazyAssistant<Assistant, Features> {
  /** Comes with what is seen first. The features follow by themselves. */
  load(): Promise<Assistant>;
  features(): Promise<Features>;
  isAtRest(): boolean;
  /** A page of the chat begins to load. Until `shown` is called the features wait, so that they do not take its time. */
  pageBegins(): { shown(): void };
  onFeatures(listener: (features: Features) => void): void;
}

export interface LazyAssistantDeps<Assistant> {
  create(): Promise<Assistant>;
  /** VS Code says nothing when an extension cannot start. */
  onFailure(error: unknown): void;
}

export function createLazyAssistant<Assistant extends { createFeatures(): Promise<Features> }, Features>({
  create,
  onFailure,
}: LazyAssistantDeps<Assistant>): LazyAssistant<Assistant, Features> {
  let loading: Promise<Assistant> | undefined;
  let loadingFeatures: Promise<Features> | undefined;
  let firstLook: Promise<unknown> | undefined;
  const listeners: ((features: Features) => void)[] = [];
  const fail = (error: unknown): never => {
    onFailure(error);
    throw error;
  };
  const load = () => {
    loading ??= create().catch((error: unknown) => {
      loading = undefined;
      return fail(error);
    });
    return loading;
  };
  const loadFeatures = async () => {
    const assistant = await load();
    await firstLook;
    const features = await assistant.createFeatures().catch(fail);
    for (const listener of listeners) listener(features);
    return features;
  };
  const features = () => {
    loadingFeatures ??= loadFeatures().catch((error: unknown) => {
      loadingFeatures = undefined;
      throw error;
    });
    return loadingFeatures;
  };
  return {
    async load() {
      const assistant = await load();
      features().catch(() => undefined);
      return assistant;
    },
    features,
    isAtRest: () => loading === undefined,
    pageBegins() {
      const { promise, resolve } = Promise.withResolvers<void>();
      firstLook ??= Promise.race([promise, setTimeout(maxFirstLookMs)]);
      return { shown: resolve };
    },
    onFeatures: (listener) => void listeners.push(listener),
  };
}
