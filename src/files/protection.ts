import { createGlob } from './glob.ts';

export type Protection = (relative: string) => boolean;

/**
 * Returns the same function for as long as the list is the same, so that cached results stay valid. A glob that
 * cannot be parsed protects everything, because the user meant some file by it.
 */
export function createProtection(globs: () => readonly string[]): () => Protection {
  let known: { list: string; isProtected: Protection } | undefined;
  return () => {
    const list = JSON.stringify(globs());
    if (known?.list !== list) known = { list, isProtected: protectionOf(globs()) };
    return known.isProtected;
  };
}

function protectionOf(globs: readonly string[]): Protection {
  const all = globs.map((glob) => createGlob(glob.includes('/') ? glob : `**/${glob}`));
  return (relative) => all.some((matches) => matches === undefined || matches(relative));
}
