import { registerHooks } from 'node:module';

/** The part of the editor that a small adapter needs: an emitter of events. */
const source = `
export class EventEmitter {
  #listeners = new Set();
  event = (listener) => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };
  fire(value) { for (const listener of this.#listeners) listener(value); }
  dispose() { this.#listeners.clear(); }
}
`;

/** Loads a module of ours that imports `vscode` for events only. The path is resolved by the caller. */
export async function importWithVscodeStub<T>(url: URL): Promise<T> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'vscode'
        ? { url: `data:text/javascript,${encodeURIComponent(source)}`, shortCircuit: true }
        : next(specifier, context),
  });
  try {
    return await import(url.href);
  } finally {
    hooks.deregister();
  }
}
