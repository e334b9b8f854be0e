import { readPatch } from '../../../src/edits/apply/patches.ts';
import { applyEdits, type EditBlock } from '../../../src/edits/match/apply-edits.ts';
import { patchCalls } from '../../../src/tools/dialect/edits.ts';

/** The file after a patch of apply_patch; or why nothing of it is applied. */
export function patched(file: string, chunks: string): string {
  const calls = patchCalls(readPatch(`*** Begin Patch\n*** Update File: a.py\n${chunks}\n*** End Patch`));
  if (typeof calls === 'string') return calls;
  const result = applyEdits(file, calls[0]?.arguments.edits as EditBlock[], 'a.py');
  return result.ok ? result.text : result.message;
}
