import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { useSession } from './use-session.ts';

describe('opening VS Code', () => {
  const session = useSession();

  it('shows the chat in the secondary side bar after one command', async () => {
    const { window } = session();
    await window.runCommand('svc.openChat');
    const bar = window.page.locator('.part.auxiliarybar');
    await bar.getByRole('tab', { name: 'svc', exact: true }).waitFor();
    await window.webviewFrame('body *');
    await window.screenshot('opening');
  });

  it('keeps the chat where it was after a restart', async () => {
    await session().restart();
    const { window } = session();
    await window.page.locator('.part.auxiliarybar').getByRole('tab', { name: 'svc', exact: true }).waitFor();
    assert.match(await window.page.title(), /workspace/);
  });
});
