import path from 'node:path';
import { gitSettingsFor, userGitSettings } from '../git-data.ts';
import { keepOnce } from '../pass-settings.ts';
import { scanFor, type WorkspaceScan } from '../scan/scan.ts';
import { type Covered, cover } from './cover.ts';
import { type Exposed, expose } from './expose.ts';
import type { PlanInput } from './plan-input.ts';
import { linuxFacts, type SystemFacts } from './system-facts.ts';

/** All paths were found on the disk and are absolute and real unless stated otherwise. */
export interface SandboxPlan extends Pick<PlanInput, 'roots' | 'home' | 'state'>, Exposed, Covered {
  scan: WorkspaceScan;
}

/** More mounts make bubblewrap slow, and mean that the list of names does not fit this workspace. */
const maxMounts = 800;

/**
 * Decides anew for each command what it sees, from the disk as it is now: scan the workspace, expose the machine around
 * it, and cover what is kept even there. `mountsOf` makes mounts of the plan, and `whenMounted` checks them.
 */
export async function planSandbox(
  input: PlanInput,
  system: SystemFacts = linuxFacts,
): Promise<SandboxPlan | { unfit: NonNullable<WorkspaceScan['unfit']> }> {
  const { roots, home, state } = input;
  const scan = await scanFor(input);
  if (scan.unfit !== undefined) return { unfit: scan.unfit };
  const exposed = await expose(input, scan, system);
  const covered = await cover(input, scan, exposed, system);
  const { guarded, masked, emptied, held } = covered;
  if (guarded.length + masked.length + emptied.length + held.length > maxMounts) return { unfit: 'large' };
  await keepOnce(path.join(state.home, '.gitconfig'), gitSettingsFor(userGitSettings(home)));
  return { roots, home, state, scan, ...exposed, ...covered };
}
