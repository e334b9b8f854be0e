import path from 'node:path';
import { waitFor } from '../vscode/wait-for.ts';
import type { Session } from './session.ts';

/** Answers VS Code's own file dialog. It fills itself in after it has opened; what is typed before is lost. */
export async function answerFileDialog({ window }: Session, file: string): Promise<void> {
  const { quickInput } = window;
  await waitFor(
    'the file dialog',
    async () => (await quickInput.input.inputValue({ timeout: 3000 })).includes(path.dirname(file)),
    { timeoutMs: 60_000 },
  );
  await quickInput.answer(file);
}
