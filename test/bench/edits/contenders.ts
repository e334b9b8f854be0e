import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { applyEdits } from '../../../src/edits/match/apply-edits.ts';
import { peersFolder } from '../bundle.ts';
import type { Block } from './case.ts';

/** Applies all blocks to a text; undefined when it refuses. */
export interface Contender {
  name: string;
  apply(text: string, blocks: readonly Block[]): string | undefined;
}

export async function loadContenders(): Promise<Contender[]> {
  return [ours, await loadPi(), replaceOnce, loadJsdiff(), loadDiffMatchPatch()];
}

const ours: Contender = {
  name: 'ours',
  apply(text, blocks) {
    const result = applyEdits(text, blocks);
    return result.ok ? result.text : undefined;
  },
};

/** What a search/replace tool does that forgives nothing. */
const replaceOnce: Contender = {
  name: 'String replace, if unique',
  apply(text, blocks) {
    let result = text;
    for (const { search, replace } of blocks) {
      const at = result.indexOf(search);
      if (search === '' || at < 0 || result.indexOf(search, at + 1) >= 0) return undefined;
      result = result.slice(0, at) + replace + result.slice(at + search.length);
    }
    return result === text ? undefined : result;
  },
};

interface PiEditDiff {
  stripBom(text: string): { bom: string; text: string };
  detectLineEnding(text: string): string;
  normalizeToLF(text: string): string;
  restoreLineEndings(text: string, ending: string): string;
  applyEditsToNormalizedContent(
    text: string,
    edits: { oldText: string; newText: string }[],
    path: string,
  ): { newContent: string };
}

/** In the order of its edit tool: BOM off, line ends to LF, edits, and back. */
async function loadPi(): Promise<Contender> {
  const file = path.join(peersFolder, 'node_modules/@mariozechner/pi-coding-agent/dist/core/tools/edit-diff.js');
  const pi: PiEditDiff = await import(pathToFileURL(file).href);
  return {
    name: 'pi',
    apply(text, blocks) {
      const stripped = pi.stripBom(text);
      const ending = pi.detectLineEnding(stripped.text);
      const edits = blocks.map(({ search, replace }) => ({ oldText: search, newText: replace }));
      try {
        const { newContent } = pi.applyEditsToNormalizedContent(pi.normalizeToLF(stripped.text), edits, 'file');
        return stripped.bom + pi.restoreLineEndings(newContent, ending);
      } catch (error) {
        // It has no other way to refuse.
        if (error instanceof Error) return undefined;
        throw error;
      }
    },
  };
}

interface Jsdiff {
  structuredPatch(from: string, to: string, old: string, fresh: string): unknown;
  applyPatch(text: string, patch: unknown, options: object): string | false;
}

/** The block as a patch that may be off by two lines. */
function loadJsdiff(): Contender {
  const { structuredPatch, applyPatch }: Jsdiff = fromPeers('diff');
  return {
    name: 'jsdiff',
    apply(text, blocks) {
      let result = text;
      for (const { search, replace } of blocks) {
        const end = (side: string) => (side === '' || side.endsWith('\n') ? side : `${side}\n`);
        const patch = structuredPatch('file', 'file', end(search), end(replace));
        const next = applyPatch(result, patch, { fuzzFactor: 2, autoConvertLineEndings: true });
        if (next === false) return undefined;
        result = next;
      }
      return result === text ? undefined : result;
    },
  };
}

interface DiffMatchPatch {
  Match_Distance: number;
  patch_make(from: string, to: string): unknown[];
  patch_apply(patches: unknown[], text: string): [string, boolean[]];
}

function loadDiffMatchPatch(): Contender {
  const Dmp: new () => DiffMatchPatch = fromPeers('diff-match-patch');
  return {
    name: 'diff-match-patch',
    apply(text, blocks) {
      let result = text;
      for (const { search, replace } of blocks) {
        const dmp = new Dmp();
        // The block may belong anywhere.
        dmp.Match_Distance = text.length * 100;
        const [next, applied] = dmp.patch_apply(dmp.patch_make(search, replace), result);
        if (applied.length === 0 || applied.some((done) => !done)) return undefined;
        result = next;
      }
      return result === text ? undefined : result;
    },
  };
}

function fromPeers<T>(name: string): T {
  return createRequire(path.join(peersFolder, 'package.json'))(name);
}
