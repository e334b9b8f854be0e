import { registerHooks } from 'node:module';

const fake = new URL('./fake-vscode.ts', import.meta.url).href;

/** Loads a module of ours with `fake-vscode.ts` in the place of `vscode`. The path is resolved by the caller. */
export async function importWithVscodeStub<T>(url: URL): Promise<T> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'vscode' ? { url: fake, shortCircuit: true } : next(specifier, context),
  });
  try {
    return await import(url.href);
  } finally {
    hooks.deregister();
  }
}
