/** What the context menu of the chat offers for what it was opened on (ux 1.2). */
export type MenuAction = 'copyMessage' | 'copyCode' | 'askAgain' | 'openAsMarkdown';
