import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../../../src/base/clock.ts';
import { createDocument, person, reset, Selection, window } from '../../../support/fake-vscode.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';

const { createCompleteHere } = await importWithVscodeStub<
  typeof import('../../../../src/features/completion/vscode/complete-here.ts')
>(new URL('../../../../src/features/completion/vscode/complete-here.ts', import.meta.url));

describe('completing here', () => {
  beforeEach(reset);
  const { commands } = createCompleteHere({
    metered: () => assert.fail('nothing may be sent'),
    estimator: { prompt: () => assert.fail('nothing may be planned') },
    learned: { learn: () => undefined },
    choose: () => ({ model: 'm', thinks: false }),
    clock: systemClock,
    newId: () => 't',
    extensionId: 'svc.svc-assistant',
    ensureReady: () => assert.fail('the inline edit asks for a key itself'),
    nameOf: (model) => model,
    mayRead: () => assert.fail('the inline edit asks about the file itself'),
  });

  it('F40 leaves a selection to the inline edit and sends nothing itself', async () => {
    window.activeTextEditor = {
      document: createDocument('/ws/a.ts', 'const a = 1;'),
      selection: new Selection(0, 0, 0, 5),
    };
    await commands['svc.completeHere'](undefined);
    assert.deepEqual(person.ran, [['svc.inlineEdit']]);
    assert.deepEqual(person.messages, []);
  });

  it('F40 says what is missing where no file is open', async () => {
    await commands['svc.completeHere'](undefined);
    assert.deepEqual(person.ran, []);
    assert.deepEqual(
      person.messages.map(({ text }) => text),
      ['Open the file you want to complete first.'],
    );
  });
});
