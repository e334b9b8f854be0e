export interface Emitter<News extends unknown[] = []> {
  /** Returns what ends it. */
  add(listener: (...news: News) => void): () => void;
  /** Tells those who listen now, in the order in which they came. */
  tell(...news: News): void;
  clear(): void;
}

/** With `onError` a listener that throws keeps the news from no other one, and not from going on whoever tells it. */
export function createEmitter<News extends unknown[] = []>(onError?: (error: unknown) => void): Emitter<News> {
  const listeners = new Set<(...news: News) => void>();
  const tellOne = (listener: (...news: News) => void, news: News): void => {
    try {
      listener(...news);
    } catch (error) {
      if (onError === undefined) throw error;
      onError(error);
    }
  };
  return {
    add(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell(...news) {
      for (const listener of [...listeners]) tellOne(listener, news);
    },
    clear: () => listeners.clear(),
  };
}
