import { describe, it } from 'mocha';
import { makeRepository, type Repository } from '../support/make-repository.ts';
import { openChat } from './chat.ts';
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
    const chat = await openChat(session());
    await enterKey(session());
    await chat.ask('What is courierCutoffSeconds?');
    const fact = `courierCutoffSeconds = ${repository?.fact.answer};`;
    await chat.frame.getByRole('article').filter({ hasText: fact }).last().waitFor();
    await window.screenshot('large-repository');
  });
});
