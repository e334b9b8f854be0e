import { describe, it } from 'mocha';
import { enterKey } from './session.ts';
import { useSession } from './use-session.ts';

describe('the first question', () => {
  const session = useSession();

  it('S18 S13 is answered from a file of the workspace after the key was entered', async () => {
    const { window } = session();
    await window.runCommand('svc.openChat');
    await enterKey(session());
    const panel = await window.webviewFrame('[role="log"]');
    await panel.getByRole('textbox', { name: 'Message' }).fill('Where is the shipping cost decided?');
    await panel.getByRole('button', { name: 'Send', exact: true }).click();
    const answer = panel.getByRole('article').filter({ hasText: 'shipping.ts' }).last();
    await answer.waitFor();
    await answer
      .getByText(/\$0\.00/)
      .first()
      .waitFor();
    await window.screenshot('first-question');
  });
});
