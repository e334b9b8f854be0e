import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createHarness, events, finish, json, usage } from './harness.ts';

const message = (more: object) => ({ role: 'assistant', ...more });

describe('client: what was said is never thrown away', () => {
  for (const [what, choice, text] of [
    [
      'beside an empty delta',
      { delta: { role: 'assistant', content: '' }, message: message({ content: 'Yes.' }) },
      'Yes.',
    ],
    ['beside a delta of null', { delta: null, message: message({ content: 'Yes.' }) }, 'Yes.'],
    ['as a refusal', { message: message({ content: null, refusal: 'I cannot help.' }) }, 'I cannot help.'],
    ['as a part that refuses', { message: message({ content: [{ type: 'refusal', refusal: 'No.' }] }) }, 'No.'],
  ] as const)
    it(`W95 W96 a whole reply that says it ${what} is shown`, async () => {
      const harness = createHarness([json(200, { choices: [{ index: 0, ...choice, finish_reason: 'stop' }], usage })]);
      const result = await harness.send();
      assert.deepEqual([result.outcome, result.reply.text, harness.chats().length], ['done', text, 1]);
    });

  it('W95 a stream whose every message is all that was said so far is shown once', async () => {
    const so = (content: string) => ({
      choices: [{ index: 0, delta: { content: '' }, message: message({ content }) }],
    });
    const harness = createHarness([events(so('One'), so('One two'), so('One two three.'), finish(), '[DONE]')]);
    assert.equal((await harness.send()).reply.text, 'One two three.');
  });

  it('W95 the text of a last message is not lost behind reasoning that was streamed', async () => {
    const thought = { choices: [{ index: 0, delta: { reasoning_content: 'Hm.' } }] };
    const last = { choices: [{ index: 0, message: message({ content: 'Yes.' }), finish_reason: 'stop' }] };
    const { reply } = await createHarness([events(thought, last, '[DONE]')]).send();
    assert.deepEqual([reply.text, reply.reasoning], ['Yes.', 'Hm.']);
  });

  it('W96 a refusal that is streamed is the reply, and is not asked for again', async () => {
    const part = (refusal: string) => ({ choices: [{ index: 0, delta: { content: null, refusal } }] });
    const harness = createHarness([events(part('I can'), part('not help.'), finish('stop', usage), '[DONE]')]);
    const result = await harness.send();
    assert.deepEqual([result.outcome, result.reply.text, harness.chats().length], ['done', 'I cannot help.', 1]);
    assert.deepEqual(
      result.attempts.map(({ charge }) => charge),
      ['yes'],
    );
  });
});
