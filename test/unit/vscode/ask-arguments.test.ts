import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { parseAskArguments } from '../../../src/vscode/commands/ask-arguments.ts';

class Place {}
const parse = (argument: unknown) => parseAskArguments(argument, (value) => value instanceof Place);

describe('the arguments of svc.ask', () => {
  it('X37 a wrong one is named and nothing is taken', () => {
    const wrong: [unknown, RegExp][] = [
      [undefined, /check: argument$/],
      ['Hello', /check: argument$/],
      [{}, /check: prompt$/],
      [{ prompt: 5 }, /check: prompt$/],
      [{ prompt: '' }, /check: prompt$/],
      [{ prompt: 'x'.repeat(2_000_001) }, /check: prompt$/],
      [{ prompt: 'x', send: 'no' }, /check: send$/],
      [{ prompt: 'x', model: 5, newConversation: 1 }, /check: newConversation, model$/],
      [{ prompt: 'x', attachments: ['/etc/passwd'] }, /check: attachments\.0$/],
      [
        { prompt: 'x', attachments: [new Place(), { fsPath: '/etc/passwd', scheme: 'file' }] },
        /check: attachments\.1$/,
      ],
    ];
    for (const [argument, why] of wrong) assert.throws(() => parse(argument), why);
  });

  it('X37 whatever is passed: what comes out is of these names and types, or nothing does', () => {
    const argument = fc.record(
      {
        prompt: fc.oneof(fc.string(), fc.anything()),
        send: fc.oneof(fc.boolean(), fc.anything()),
        attachments: fc.oneof(fc.array(fc.oneof(fc.constant(new Place()), fc.anything())), fc.anything()),
        other: fc.anything(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(argument, fc.anything()), (passed) => {
        let taken: ReturnType<typeof parse>;
        try {
          taken = parse(passed);
        } catch (error) {
          assert.ok(error instanceof Error && error.message.startsWith('svc.ask takes'));
          return;
        }
        const { prompt, send = true, attachments = [], ...rest } = taken;
        assert.ok(typeof prompt === 'string' && prompt !== '' && typeof send === 'boolean');
        assert.ok(attachments.every((one) => one instanceof Place));
        assert.ok(Object.keys(rest).every((name) => name === 'newConversation' || name === 'model'));
      }),
    );
  });
});
