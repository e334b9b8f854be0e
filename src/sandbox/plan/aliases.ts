import path from 'node:path';
import { isWithin, plainMountPath } from '../paths.ts';

interface Mount {
  device: string;
  source: string;
  target: string;
}

/**
 * Returns the other folders through which the content of these can be reached, because a part of a file system may be
 * mounted more than once. `mountinfo` has lines as in `/proc/self/mountinfo`; the folders are absolute and real.
 */
export function aliasesOf(folders: readonly string[], mountinfo: readonly string[]): string[] {
  const mounts = mountinfo.flatMap((line): Mount[] => {
    const [, , device = '', source, target] = line.split(' ');
    if (source === undefined || target === undefined) return [];
    return [{ device, source: plainMountPath(source), target: plainMountPath(target) }];
  });
  const aliases = folders.flatMap((folder) => {
    // The last of those on the same folder is the one that is seen.
    const around = mounts.filter(({ target }) => isWithin(target, folder));
    const own = around.findLast(({ target }) => around.every((other) => other.target.length <= target.length));
    if (own === undefined) return [];
    const source = path.join(own.source, path.relative(own.target, folder));
    return mounts.flatMap((mount) => {
      if (mount === own || mount.device !== own.device) return [];
      if (isWithin(mount.source, source)) return [path.join(mount.target, path.relative(mount.source, source))];
      return isWithin(source, mount.source) && !isWithin(folder, mount.target) ? [mount.target] : [];
    });
  });
  return [...new Set(aliases)].filter((alias) => !folders.includes(alias));
}
