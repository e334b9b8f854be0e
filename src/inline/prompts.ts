/** What the editor's commands ask the model. One function per command; the code travels as an attachment. */
export function explainPrompt(): string {
  return 'Explain this code: what it does, how it does it, and anything surprising. Be brief.';
}
