import { rmSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { parseJson } from '../base/parse-json.ts';
import { readRegular } from '../base/read-regular.ts';
import { leftBehind, nameOfThis } from '../base/temporary.ts';

/**
 * A placeholder must exist while commands run, because only what exists can be made read-only. Without `text` it is a
 * folder.
 */
export interface Placeholder {
  place: string;
  text?: string;
}

/**
 * Creates whatever is missing. It is removed with the last command that needs it, unless somebody has put something
 * into it meanwhile.
 */
export function createPlaceholders(stateDir: string) {
  const users = new Map<string, number>();
  const list = new Map<string, Placeholder>();
  const file = path.join(stateDir, nameOfThis('made'));
  const note = () => {
    if (list.size === 0) rmSync(file, { force: true });
    else writeFileSync(file, JSON.stringify([...list.values()]), { mode: 0o600 });
  };
  return {
    async take(wanted: readonly Placeholder[]): Promise<() => Promise<void>> {
      const made: Placeholder[] = [];
      for (const each of wanted) {
        const count = users.get(each.place) ?? 0;
        if (count === 0) {
          list.set(each.place, each);
          note();
          if (!(await make(each))) {
            list.delete(each.place);
            note();
            continue;
          }
        }
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
          if (left > 0) continue;
          await remove(each);
          list.delete(each.place);
          note();
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
  const found = await readRegular(place).then(String, () => undefined);
  if (found === text) await rm(place, { force: true });
}

const placeholders = z.array(z.object({ place: z.string(), text: z.optional(z.string()) }));

/** Removes what processes that are gone left: placeholders in the workspace, and folders of trials and copies. */
export async function removeLeftOver(stateDir: string): Promise<void> {
  for (const file of await leftBehind(stateDir)) {
    if (path.basename(file).startsWith('made-')) {
      const { data = [] } = placeholders.safeParse(parseJson(await readFile(file, 'utf8').catch(() => '')));
      for (const each of data)
        await remove(each.text === undefined ? { place: each.place } : { place: each.place, text: each.text });
    }
    await rm(file, { recursive: true, force: true });
  }
}
