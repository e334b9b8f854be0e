import type { StoredValues } from '../../storage/stored-values.ts';

/**
 * Keeps prompts sent in this workspace for the arrow keys of the composer: oldest first, at most 100, none twice in a
 * row.
 */
export interface PromptStore {
  all(): readonly string[];
  add(prompt: string): void;
}

export const promptsName = 'prompts';
const max = 100;
const maxLength = 8000;

export function createPromptStore(values: Pick<StoredValues, 'get' | 'update'>): PromptStore {
  const all = (): readonly string[] => {
    const stored = values.get<unknown>(promptsName);
    return Array.isArray(stored) ? stored.filter((item) => typeof item === 'string') : [];
  };
  return {
    all,
    add(prompt) {
      const text = prompt.trim();
      const prompts = all();
      if (text === '' || text.length > maxLength || prompts.at(-1) === text) return;
      void values.update(promptsName, [...prompts, text].slice(-max));
    },
  };
}
