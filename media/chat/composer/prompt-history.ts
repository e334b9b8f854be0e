/** Steps through earlier prompts with the arrow keys. It forgets its position as soon as the text is anything else. */
export function createPromptHistory() {
  let index = 0;
  let recalled: string | undefined;
  return {
    /** Returns the next older (-1) or newer (1) prompt; undefined when the key should just move the cursor. */
    move(direction: -1 | 1, text: string, prompts: readonly string[]): string | undefined {
      if (text !== '' && text !== recalled) return undefined;
      if (text === '' || recalled === undefined) index = prompts.length;
      const next = index + direction;
      if (next < 0 || next > prompts.length || (text === '' && direction === 1)) return undefined;
      index = next;
      recalled = prompts[index] ?? '';
      return recalled;
    },
  };
}
