import { setTimeout } from 'node:timers/promises';

const maxFirstLookMs = 1000;

/**
 * Creates the assistant on demand. A failed attempt is repeated with the next use, because the cause may have been
 * brief, as a full disk.
 */
export function createLazyAssistant<Assistant extends { createFeatures(): Promise<Features> }, Features>({
  create,
  onFailure,
}: {
  create(): Promise<Assistant>;
  onFailure(error: unknown): void;
}) {
  let loading: Promise<Assistant> | undefined;
  let loadingFeatures: Promise<Features> | undefined;
  let firstLook: Promise<unknown> | undefined;
  let isLoaded = false;
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
    isLoaded = true;
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
    async load(): Promise<Assistant> {
      const assistant = await load();
      features().catch(() => undefined);
      return assistant;
    },
    features,
    isAtRest: () => loading === undefined,
    isLoaded: () => isLoaded,
    /**
     * Reports that a chat page begins to load. The features wait until `shown` is called, so that they do not slow
     * the page down.
     */
    pageBegins(): { shown(): void } {
      const { promise, resolve } = Promise.withResolvers<void>();
      firstLook ??= Promise.race([promise, setTimeout(maxFirstLookMs)]);
      return { shown: resolve };
    },
    onFeatures: (listener: (features: Features) => void) => void listeners.push(listener),
  };
}
