import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';

const root = path.resolve(import.meta.dirname, '../../..');

/** Texts that readers stumbled over, each with a plainer one in its place now. */
const found: readonly string[] = [
  'svc stops once a day has cost this much on this machine, even if a task goes wrong while nobody watches.',
  'At the Next Step',
  'Estimate for one request at',
  'In 19 of 20 cases',
  'works on files that it is for',
  'Change next places',
  'Send Now',
  'loses {0}',
  'Allow All Edits Here',
  'Always Allow This Exact Command in This Folder',
  'Change Order',
  'Reset Learned Facts',
  'Choose Tools from Other Extensions…',
  "Use svc Models in VS Code's Chat…",
  'Complete Here',
  'Change Next Places',
  'Edit with Instruction…',
  'Explain Last Command',
  'Show Service',
  "Also edits files, with your review. Doesn't run commands or other extensions' tools.",
  'The answer holds only some of the lines, so nothing was replaced.',
  'None: this system or container lets no program make namespaces',
  'The command waits.',
  'What listens there can do what you can do.',
  'Anything more still asks.',
  '1 file is brought back, for review.',
  '{0} files are brought back, for review.',
  'Worktree removed; its changes are a patch.',
  'Enter what is to be done.',
  'Select what it begins with. What is not saved stays here.',
  'Nothing to carry over',
  'An agent: the mode stays, with the tools that the agent keeps.',
  'Its text will go to the service with your next message.',
  'It has cost {0} so far. The next request costs {1}, and so does each further step.',
  'You, while it ran',
  'not to be written here',
  'Not Sent Now',
  'neither you nor the model may use it, by its header',
  'Left in the worktree, not written: {0}',
  'Writing and running are never on this list.',
];

describe('texts that were found odd', () => {
  for (const file of ['package.nls.json', 'l10n/bundle.l10n.json']) {
    it(`ux 2.20 none of them stands in ${file}`, () => {
      const texts = Object.values<string>(JSON.parse(readFileSync(path.join(root, file), 'utf8')));
      assert.ok(texts.length > 100);
      assert.deepEqual(
        found.filter((old) => texts.some((text) => text.includes(old))),
        [],
      );
    });
  }
});
