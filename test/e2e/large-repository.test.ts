import { describe, it } from 'mocha';
import { makeRepository, type Repository } from '../support/make-repository.ts';
import { enterKey } from './session.ts';
import { useSession } from './use-session.ts';

describe('a repository of 3,000 files', () => {
  let repository: Repository | undefined;
  const session = useSession({
    fillWorkspace: async (folder) => {
      repository = await makeRepository({ folder, files: 3000, seed: 7 });
    },
  });

  it('is searched, and the answer quotes the one file that holds the fact', async () => {
    const { window } = session();
    await window.runCommand('svc.openChat');
    await enterKey(session());
    const panel = await window.webviewFrame('[role="log"]');
    await panel.getByRole('textbox', { name: 'Message' }).fill('What is courierCutoffSeconds?');
    await panel.getByRole('button', { name: 'Send', exact: true }).click();
    const fact = `courierCutoffSeconds = ${repository?.fact.answer};`;
    await panel.getByRole('article').filter({ hasText: fact }).last().waitFor();
    await window.screenshot('large-repository');
  });
});
