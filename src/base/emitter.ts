export interface Disposable {
  dispose(): void;
}

/** Subscribes a listener until the result is disposed of. */
export type Event<Args extends unknown[] = []> = (listener: (...args: Args) => void) => Disposable;

export interface Emitter<Args extends unknown[] = []> {
  event: Event<Args>;
  /** Listeners run at once, in the order of their subscription. */
  fire(...args: Args): void;
  clear(): void;
}

/** With `onError`, a listener that throws stops neither the other listeners nor the caller of `fire`. */
export function createEmitter<Args extends unknown[] = []>(onError?: (error: unknown) => void): Emitter<Args> {
  const listeners = new Set<(...args: Args) => void>();
  return {
    event(listener) {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
    fire(...args) {
      for (const listener of [...listeners]) {
        try {
          listener(...args);
        } catch (error) {
          if (onError === undefined) throw error;
          onError(error);
        }
      }
    },
    clear: () => listeners.clear(),
  };
}

export function disposeAll(parts: readonly Disposable[]): void {
  for (const part of parts) part.dispose();
}
