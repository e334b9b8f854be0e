import { existsSync } from 'node:fs';
import { isWithin } from '../mounts.ts';
import type { SystemFacts } from '../plan.ts';
import { realPathOf } from '../scan/hooks.ts';

const folders = ['/Users', '/Volumes', '/private/var/root', '/private/tmp', '/private/var/tmp', '/private/var/folders'];

/**
 * Sockets need no list, because a profile allows none. Permissions protect files of the system, because root gets no
 * sandbox here.
 */
export const macFacts: SystemFacts = {
  hiddenFolders({ editorData, home, roots }) {
    const data = editorData.flatMap((folder) => realPathOf(folder) ?? []);
    const isApart = (folder: string) => folder !== home && !roots.some((root) => isWithin(root, folder));
    return [...new Set([...folders, ...data.filter(isApart)])].filter(existsSync);
  },
  maskedFiles: () => [],
  switches: () => [],
};
