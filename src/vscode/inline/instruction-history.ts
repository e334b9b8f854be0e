import type * as vscode from 'vscode';

const key = 'svc.inlineEdit.history';
const most = 30;

/** Instructions of inline edits in this workspace, newest first. A key that was typed by mistake is not kept. */
export function createInstructionHistory(
  memento: Pick<vscode.Memento, 'get' | 'update'>,
  withoutKeys: (text: string) => string,
): { get(): readonly string[]; add(instruction: string): void } {
  const get = (): string[] => {
    const stored: unknown = memento.get(key);
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  };
  return {
    get,
    add(instruction) {
      const kept = withoutKeys(instruction);
      void memento.update(key, [kept, ...get().filter((one) => one !== kept)].slice(0, most));
    },
  };
}
