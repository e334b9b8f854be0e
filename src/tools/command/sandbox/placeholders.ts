import { mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';

/** Something that has to be there while commands run, because only what exists can be made read-only. */
export interface Placeholder {
  place: string;
  /** Content of a file; absent for a folder. */
  text?: string;
}

/** Makes whatever is missing, which goes with the last command that needs it, unless somebody has put something into it meanwhile. */
export function createPlaceholders() {
  const users = new Map<string, number>();
  return {
    async take(wanted: readonly Placeholder[]): Promise<() => Promise<void>> {
      const made: Placeholder[] = [];
      for (const each of wanted) {
        const count = users.get(each.place) ?? 0;
        if (count === 0 && !(await make(each))) continue;
        users.set(each.place, count + 1);
        made.push(each);
      }
      let isBack = false;
      return async () => {
        if (isBack) return;
        isBack = true;
        for (const each of made) {
          const left = (users.get(each.place) ?? 1) - 1;
          users.set(each.place, left);
          if (left === 0) await remove(each);
        }
      };
    },
  };
}

async function make({ place, text }: Placeholder): Promise<boolean> {
  const making = text === undefined ? mkdir(place) : writeFile(place, text, { flag: 'wx' });
  return making.then(
    () => true,
    () => false,
  );
}

async function remove({ place, text }: Placeholder): Promise<void> {
  if (text === undefined) return rmdir(place).catch(() => undefined);
  const found = await readFile(place, 'utf8').catch(() => undefined);
  if (found === text) await rm(place, { force: true });
}
