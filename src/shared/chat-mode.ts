/** What a turn may do, from the least to the most: look, also edit files, also run commands and foreign tools. */
export const chatModes = ['ask', 'edit', 'agent'] as const;
export type ChatMode = (typeof chatModes)[number];
