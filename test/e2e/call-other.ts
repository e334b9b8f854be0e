import { waitFor } from '../vscode/wait-for.ts';
import type { Session } from './session.ts';

/** What a command of the extension in `caller-extension` opens as its result. `meanwhile` answers what it asks. */
export async function callOther(
  { window }: Session,
  title: string,
  argument: object,
  meanwhile?: () => Promise<void>,
): Promise<unknown> {
  await window.runCommand(title);
  await window.answerInputBox(JSON.stringify(argument));
  await meanwhile?.();
  const lines = window.page.locator('.editor-group-container.active .view-lines').first();
  let text = '';
  await waitFor(
    'the result',
    async () => {
      text = (await lines.innerText({ timeout: 180_000 })).replaceAll('\u00a0', ' ').trim();
      return text.startsWith('{"result"') && text.endsWith('}');
    },
    { timeoutMs: 60_000 },
  );
  await window.runCommand('View: Revert and Close Editor');
  return JSON.parse(text).result;
}
