import type { CheckpointFile, Checkpoints } from '../../src/edits/checkpoints/checkpoints.ts';

/** What the question before a restore shows, which is then cancelled. */
export async function restorable(
  checkpoints: Checkpoints,
  turnIds: readonly string[],
  told?: readonly string[],
): Promise<readonly CheckpointFile[]> {
  let shown: readonly CheckpointFile[] = [];
  const ask = async (files: readonly CheckpointFile[]) => {
    shown = files;
    return 'cancel' as const;
  };
  await checkpoints.restore(turnIds, ask, told);
  return shown;
}
