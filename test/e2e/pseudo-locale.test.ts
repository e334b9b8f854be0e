import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { pseudoText } from '../l10n/pseudo.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { enterKey } from './session.ts';
import { useSession } from './use-session.ts';

/** Without brackets and padding: how a longer text begins or goes on. */
const inner = (text: string) => pseudoText(text).slice(1, 1 + text.length);

describe('in another language', () => {
  const session = useSession({ pseudo: true, settings: { 'svc.edits.mode': 'review' } });

  before(async function () {
    this.timeout(240_000);
    await session().window.runCommand('svc.openChat');
  });

  it('ux 1.10 the palette lists the commands in it', async () => {
    const { window } = session();
    await waitFor('the command', async () => {
      // The chat that was opened may take the focus only now, and the palette closes.
      await window.quickInput.open('F1', `>svc: ${pseudoText('New Chat')}`);
      return (await window.quickInput.labels()).includes(`svc: ${pseudoText('New Chat')}`);
    });
    await window.screenshot('pseudo-palette');
    await window.quickInput.cancel();
  });

  it('ux 1.10 the panel speaks it before there is a key and after an answer', async () => {
    const { service, window } = session();
    const first = await window.webviewFrame(`[aria-label="${pseudoText('Message')}"]`);
    await first.getByText('⟦').first().waitFor();
    await enterKey(session());
    service.script({ replies: [{ text: 'Here you are.' }] });
    const frame = await window.webviewFrame(`[aria-label="${pseudoText('Message')}"]`);
    await frame.getByRole('textbox', { name: pseudoText('Message') }).fill('Hello?');
    await frame.getByRole('button', { name: pseudoText('Send'), exact: true }).click();
    await frame.getByText('Here you are.').waitFor();
    await frame.getByRole('heading', { name: pseudoText('You') }).waitFor();
    await frame.getByRole('button', { name: pseudoText('Copy Answer') }).waitFor({ state: 'attached' });
    await window.screenshot('pseudo-chat');
  });

  it('ux 1.10 failures, which host and panel word together, come in it', async () => {
    const { service, window } = session();
    service.script({
      rules: [{ match: {}, effect: { respond: { status: 401, body: { error: { message: 'no' } } } } }],
    });
    const frame = await window.webviewFrame(`[aria-label="${pseudoText('Message')}"]`);
    await frame.getByRole('textbox', { name: pseudoText('Message') }).fill('And now?');
    await frame.getByRole('button', { name: pseudoText('Send'), exact: true }).click();
    await frame.locator('.failure').getByText(pseudoText('Enter New Key')).waitFor();
    await waitFor('the status bar', async () => (await window.statusBarText()).includes(inner('Key rejected')));
  });

  it('ux 1.10 trees and messages come in it', async () => {
    const { window } = session();
    await window.runCommand('svc.showSpend');
    const spend = await window.webviewFrame('#translations');
    await spend.getByText('⟦').first().waitFor();
    await window.runCommand(`svc: Focus on ${pseudoText('Usage')} View`);
    await window.page
      .locator('.monaco-list-row', { hasText: pseudoText('Today') })
      .first()
      .waitFor();
    await window.runCommand('svc.showAccessibilityHelp');
    await window.page.locator('.view-lines', { hasText: inner('svc Chat') }).waitFor();
    await window.runCommand('svc.explain');
    await window.notification(pseudoText('Select the code first.'));
    await window.screenshot('pseudo-surfaces');
    assert.doesNotMatch(window.console(), /localization|l10n/i);
  });
});
