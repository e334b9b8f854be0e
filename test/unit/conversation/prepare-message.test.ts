import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { prepareMessage } from '../../../src/conversation/composing/prepare-message.ts';

/** What was done for a text, and what is to be sent. `keys`: what the user answers to a key in it. */
async function prepare(text: string, keys: 'none' | 'removed' | 'not sent' = 'none') {
  const done: string[] = [];
  const note = (what: string) => void done.push(what);
  const written = await prepareMessage(text, {
    prompts: () => [{ name: 'house', description: '', body: 'Follow the house style.' }] as never,
    attachSubject: async (subject) => note(`attach ${subject}`),
    withoutKeys: async (clean) => {
      if (keys === 'not sent') return undefined;
      return keys === 'removed' ? clean.replace('sk-svc-1', 'sk-…') : clean;
    },
    mask: (typed) => typed.replace('sk-svc-1', 'sk-…'),
    refuse: (refused) => note(`refuse ${refused}`),
    run: async (command) => note(`run ${command}`),
    addToDraft: (rest) => note(`draft ${rest}`),
  });
  return { written, done };
}

describe('what is done for a text before it is sent', () => {
  it('F21 a plain text is sent as it stands', async () => {
    assert.deepEqual(await prepare('Why?'), { written: { text: 'Why?' }, done: [] });
  });

  it('F21 a command is sent as its prompt, with what it is about and what was typed', async () => {
    const { written, done } = await prepare('/explain now');
    assert.deepEqual(done, ['attach selection']);
    assert.equal(written?.typed, '/explain now');
    assert.notEqual(written?.text, '/explain now');
    assert.deepEqual((await prepare('/house')).written, { text: 'Follow the house style.', typed: '/house' });
  });

  it('F21 what is done here sends nothing and loses nothing that stands behind it', async () => {
    assert.deepEqual(await prepare('/compact and then this'), {
      written: undefined,
      done: ['run compact', 'draft and then this'],
    });
    assert.deepEqual(await prepare('/new'), { written: undefined, done: ['run new'] });
  });

  it('S21 what is not served is refused with its text kept', async () => {
    assert.deepEqual(await prepare('/image a cat'), { written: undefined, done: ['refuse /image a cat'] });
  });

  it('S17 a key is taken out of what is sent and of what is kept as typed, or nothing is sent', async () => {
    const { written } = await prepare('/explain sk-svc-1', 'removed');
    assert.ok(!JSON.stringify(written).includes('sk-svc-1'));
    assert.equal((await prepare('See sk-svc-1', 'not sent')).written, undefined);
  });
});
