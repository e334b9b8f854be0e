import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { plainMountPath, textOf } from '../paths.ts';
import type { Mount } from './mounts.ts';
import { tempFolders } from './system-facts.ts';

const pollMs = 2;
const maxSetupMs = 3000;

export async function whenMounted(
  pid: number,
  mounts: readonly Mount[],
  isOver: () => boolean,
): Promise<string | undefined> {
  const here = sourcesOf('self');
  const wanted = new Map(
    mounts.map((mount) => {
      const source = mount.kind === 'hidden' ? undefined : mount.source;
      return [mount.place, source && sourceAt(source, here)];
    }),
  );
  // Another name may stand for these folders.
  for (const place of tempFolders) wanted.delete(place);
  let wrong: string | undefined;
  const until = performance.now() + maxSetupMs;
  while (performance.now() < until && !isOver()) {
    const found = sourcesOf(pid);
    wrong = [...wanted.keys()].find(
      (place) => !found.has(place) || (wanted.get(place) ?? found.get(place)) !== found.get(place),
    );
    if (wrong === undefined) return undefined;
    await delay(pollMs);
  }
  return `no mount as planned at ${wrong}`;
}

export function mountPoints(): string[] {
  return [...sourcesOf('self').keys()];
}

function sourceAt(place: string, here: ReadonlyMap<string, string>): string | undefined {
  for (let folder = place; ; folder = path.dirname(folder)) {
    const found = here.get(folder);
    if (found !== undefined) return joinSource(found, place.slice(folder === '/' ? 0 : folder.length));
    if (folder === '/') return undefined;
  }
}

function joinSource(source: string, rest: string): string {
  return rest === '' ? source : `${source.replace(/ \/$/, ' ')}${rest}`;
}

function sourcesOf(pid: number | 'self'): Map<string, string> {
  const sources = new Map<string, string>();
  for (const line of textOf(`/proc/${pid}/mountinfo`).split('\n')) {
    const [, , device = '', root = '', target] = line.split(' ');
    if (target !== undefined) sources.set(plainMountPath(target), `${device} ${plainMountPath(root)}`);
  }
  return sources;
}
