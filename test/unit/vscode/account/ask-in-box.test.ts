import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { BoxQuestion } from '../../../../src/vscode/account/ask-in-box.ts';
import { person, reset } from '../../../support/fake-vscode.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';

const { askInBox } = await importWithVscodeStub<typeof import('../../../../src/vscode/account/ask-in-box.ts')>(
  new URL('../../../../src/vscode/account/ask-in-box.ts', import.meta.url),
);
const turn = () => new Promise(setImmediate);

describe('a box that asks until its answer holds', () => {
  beforeEach(reset);

  function open(question: Partial<BoxQuestion> = {}) {
    const asked: [text: string, again: boolean][] = [];
    let answer = Promise.withResolvers<string | undefined>();
    const result = askInBox({
      ...{ title: 'T', prompt: 'P', placeholder: 'p', working: 'W' },
      look: (text) =>
        text.startsWith('bad') ? { error: 'is bad' } : text.startsWith('odd') ? { note: 'is odd' } : undefined,
      accept(text, again, signal) {
        asked.push([text, again]);
        signal.addEventListener('abort', () => answer.resolve(undefined));
        return answer.promise;
      },
      ...question,
    });
    const box = person.boxes[0] as (typeof person.boxes)[number] & Record<string, unknown>;
    return {
      ...{ asked, box, result },
      async answer(why: string | undefined) {
        const given = answer;
        answer = Promise.withResolvers();
        given.resolve(why);
        await turn();
      },
      fail: (error: unknown) => answer.reject(error),
    };
  }

  it('says what is wrong while it is typed, lets nothing wrong through, and says nothing of an empty text', async () => {
    const { box, asked } = open();
    box.type('bad');
    assert.equal(box.validationMessage, 'is bad');
    box.enter();
    box.type('odd');
    assert.deepEqual(box.validationMessage, { message: 'is odd', severity: 1 });
    box.type('  ');
    assert.equal(box.validationMessage, undefined);
    box.enter();
    await turn();
    assert.deepEqual(asked, []);
    box.type('odd');
    box.enter();
    assert.deepEqual(asked, [['odd', false]]);
  });

  it('shows that it works, and takes no second Enter meanwhile', async () => {
    const { box, asked, answer, result } = open();
    assert.deepEqual([box.ignoreFocusOut, box.password, box.value], [true, false, '']);
    box.type('good');
    box.enter();
    assert.deepEqual([box.enabled, box.busy, box.prompt], [false, true, 'W']);
    box.enter();
    await answer(undefined);
    assert.deepEqual([await result, asked.length, box.isShown, box.isDisposed], [true, 1, false, true]);
  });

  it('stays open with why it was refused, and says when the same text comes again', async () => {
    const { box, asked, answer, result } = open({ password: true });
    box.type('one');
    box.enter();
    await answer('no');
    assert.deepEqual([box.enabled, box.busy, box.prompt, box.validationMessage], [true, false, 'P', 'no']);
    assert.deepEqual(box.valueSelection, [0, 3]);
    box.enter();
    await answer(undefined);
    assert.deepEqual(asked, [
      ['one', false],
      ['one', true],
    ]);
    assert.equal(await result, true);
  });

  it('takes an error as a refusal', async () => {
    const { box, fail } = open();
    box.type('one');
    box.enter();
    fail(new Error('offline'));
    await turn();
    assert.deepEqual([box.validationMessage, box.valueSelection], ['offline', undefined]);
  });

  it('closed while it works, it has taken nothing, whatever comes later', async () => {
    const { box, answer, result } = open({ value: 'kept' });
    assert.equal(box.value, 'kept');
    box.type('one');
    box.enter();
    box.hide();
    await answer(undefined);
    assert.deepEqual([await result, box.busy], [false, true]);
  });
});
