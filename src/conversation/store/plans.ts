import * as nodeFs from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { createEmitter, type Event } from '../../base/emitter.ts';
import { parseJson } from '../../base/parse-json.ts';
import { createSerial } from '../../base/serial.ts';
import { ignoreMissing, type StorageFs } from '../../storage/storage-fs.ts';
import { writeAtomically } from '../../storage/write-atomically.ts';

const storedPlan = z.object({
  v: z.literal(1),
  text: z.string(),
  seen: z.string(),
  started: z.optional(z.object({ text: z.string(), conversationId: z.string() })),
});
export type StoredPlan = Omit<z.output<typeof storedPlan>, 'v'>;

export interface Plans {
  known(conversationId: string): StoredPlan | undefined;
  read(conversationId: string): Promise<StoredPlan | undefined>;
  /**
   * Writes the model's text. When the user has a text that the model did not see, nothing is written and that text is
   * returned; it counts as seen from then on.
   */
  write(conversationId: string, text: string): Promise<{ users: string } | undefined>;
  edit(conversationId: string, text: string): Promise<boolean>;
  started(conversationId: string, text: string, startedAs: string): Promise<void>;
  onDidChange: Event<[conversationId: string, by: 'model' | 'user']>;
}

export interface PlansDeps {
  dir: string;
  unsaved(conversationId: string): string | undefined;
  fs?: StorageFs;
}

/** The file is below the folder of the conversations, so that erasing all of them erases the plans too. */
export function planFile(conversations: string, conversationId: string): string {
  return path.join(conversations, 'plans', `${encodeURIComponent(conversationId)}.json`);
}

export function createPlans({ dir, unsaved, fs = nodeFs }: PlansDeps): Plans {
  const listeners = createEmitter<[conversationId: string, by: 'model' | 'user']>();
  const known = new Map<string, StoredPlan>();
  const fileOf = (id: string) => planFile(path.join(dir, 'conversations'), id);
  // What a writer has read still holds when it writes.
  const alone = createSerial();
  const read = async (id: string): Promise<StoredPlan | undefined> => {
    const text = await fs.readFile(fileOf(id), 'utf8').catch(ignoreMissing);
    const parsed = storedPlan.safeParse(text === undefined ? undefined : parseJson(text));
    if (parsed.success) known.set(id, parsed.data);
    else known.delete(id);
    // The next plan would be written over it.
    if (text !== undefined && !parsed.success) await fs.rename(fileOf(id), `${fileOf(id)}.damaged`);
    return known.get(id);
  };
  const keep = async (id: string, plan: StoredPlan, by: 'model' | 'user'): Promise<void> => {
    await writeAtomically(fileOf(id), JSON.stringify({ ...plan, v: 1 } satisfies z.input<typeof storedPlan>), fs);
    known.set(id, plan);
    listeners.fire(id, by);
  };
  return {
    known: (id) => known.get(id),
    read: (id) => alone(() => read(id)),
    write: (id, text) =>
      alone(async () => {
        const plan = await read(id);
        const users = unsaved(id) ?? plan?.text;
        if (plan !== undefined && users !== undefined && users !== plan.seen) {
          await keep(id, { ...plan, seen: users }, 'user');
          return { users };
        }
        await keep(id, { ...plan, text, seen: text }, 'model');
        return undefined;
      }),
    edit: (id, text) =>
      alone(async () => {
        const plan = await read(id);
        if (plan === undefined) return false;
        await keep(id, { ...plan, text }, 'user');
        return true;
      }),
    started: (id, text, conversationId) =>
      alone(async () => {
        const plan = await read(id);
        if (plan !== undefined) await keep(id, { ...plan, text, started: { text, conversationId } }, 'user');
      }),
    onDidChange: listeners.event,
  };
}
