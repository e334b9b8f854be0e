export interface Emitter<News extends unknown[] = []> {
  add(listener: (...news: News) => void): () => void;
  tell(...news: News): void;
  clear(): void;
}

/** With `onError`, a listener that throws does not keep the news from the others and does not interrupt the caller. */
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
