/** What the context menu of the chat offers for what it was opened on. */
export type MenuAction = 'copyMessage' | 'copyCode' | 'askAgain' | 'openAsMarkdown';
