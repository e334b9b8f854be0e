import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createConsent, offeredScopes } from '../../../src/agent/consent.ts';
import type { ToolContext } from '../../../src/agent/tool.ts';
import type { NoSandbox } from '../../../src/sandbox/launch.ts';
import {
  type CommandGrant,
  type CommandRequest,
  chooseTarget,
  commandGrants,
  type PlacedCommand,
  type SandboxMode,
} from '../../../src/tools/command/execution-target.ts';

interface Machine {
  mode?: SandboxMode;
  missing?: NoSandbox;
  answer?: string;
}

async function place(request: Partial<CommandRequest>, { mode = 'on', missing, answer }: Machine = {}) {
  let chosen = mode;
  const asked: Parameters<ToolContext['ask']>[0][] = [];
  const placed = await chooseTarget(
    {
      sandbox: {
        mode: () => chosen,
        choose: async (next) => {
          chosen = next;
        },
        unusable: async () => missing,
      },
      shellName: (where) => `bash ${where}`,
    },
    { command: 'make', cwd: '/ws', background: false, ...request },
    {
      ask: async (question) => {
        asked.push(question);
        return answer;
      },
    },
  );
  return { ...placed, asked, chosen };
}

const grants = [undefined, ...commandGrants] as const;
const lines = fc.constantFrom('make', 'ls -la', 'npm test', 'rm -r x', 'git push', 'curl example.org', 'sudo ls');
const requests = fc.record({
  command: lines,
  cwd: fc.constantFrom('/ws', '/ws/a'),
  grant: fc.constantFrom<CommandGrant | undefined>(...grants),
  background: fc.boolean(),
});

describe('where a command runs', () => {
  it('F31 in the sandbox it is not asked about, unless it deletes', async () => {
    assert.deepEqual(await place({}), { place: 'sandbox', asked: [], chosen: 'on' });
    const { approval, place: where } = await place({ command: 'rm -r x' });
    assert.equal(where, 'sandbox');
    assert.deepEqual(approval && offeredScopes(approval), ['once', 'conversation']);
  });

  it('F31 whatever is more than the sandbox gives is asked about, and so is everything without one', async () => {
    await fc.assert(
      fc.asyncProperty(
        requests,
        fc.constantFrom<Machine>(
          {},
          { mode: 'off' },
          { missing: 'missing' },
          { missing: 'link' },
          { mode: 'off', missing: 'home' },
        ),
        async (request, machine) => {
          const { place: where, approval } = await place(request, machine);
          const isHeld = where === 'sandbox';
          assert.ok(isHeld || approval !== undefined, 'it would run unasked');
          const has = machine.mode !== 'off' && machine.missing === undefined;
          assert.equal(isHeld, has && request.grant === undefined);
          if (approval?.subject.kind !== 'command') return;
          // What is asked is what happens.
          assert.equal(approval.subject.command, request.command);
          assert.equal(approval.subject.cwd, request.cwd);
          assert.equal(approval.subject.place, has ? where : undefined);
          assert.equal(approval.subject.background ?? false, request.background);
        },
      ),
    );
  });

  it('X26 X27 what was allowed is not allowed for another line, folder, lift or length of life', async () => {
    await fc.assert(
      fc.asyncProperty(requests, requests, async (allowed, other) => {
        const always = new Set<string>();
        const consent = createConsent({
          always: { isAllowed: (text) => always.has(text), remember: (text) => void always.add(text) },
        });
        const needOf = async (request: Partial<CommandRequest>): Promise<PlacedCommand> => place(request);
        const first = (await needOf(allowed)).approval;
        const second = (await needOf(other)).approval;
        if (first === undefined || second === undefined) return;
        const scope = offeredScopes(first).at(-1) ?? 'once';
        consent.keep(first, { decision: 'allow', scope });
        const isSame = JSON.stringify(allowed) === JSON.stringify(other);
        assert.equal(consent.covers(second), isSame && scope !== 'once');
      }),
    );
  });

  it('F31 X27 lines that were allowed for good before there was a sandbox stay allowed outside of it alone', async () => {
    const consent = createConsent({
      always: { isAllowed: (text) => text === JSON.stringify(['make', '/ws']), remember: () => undefined },
    });
    const covers = async (request: Partial<CommandRequest>, machine?: Machine) => {
      const { approval } = await place(request, machine);
      return approval !== undefined && consent.covers(approval);
    };
    assert.equal(await covers({}, { mode: 'off' }), true);
    assert.equal(await covers({ grant: 'outside_sandbox' }), true);
    assert.equal(await covers({ grant: 'network' }), false);
    assert.equal(await covers({ grant: 'outside_sandbox', background: true }), false);
  });

  it('F31 says why there is no sandbox, and nothing where the user wants none', async () => {
    const none = (await place({}, { missing: 'missing' })).approval?.subject;
    assert.ok(none?.kind === 'command' && /bubblewrap is not installed/.test(none.noSandbox ?? ''));
    const off = (await place({}, { mode: 'off' })).approval?.subject;
    assert.ok(off?.kind === 'command' && off.noSandbox === undefined);
  });

  it('F31 the first command asks which way it is to be, once', async () => {
    const used = await place({}, { mode: 'ask', answer: 'Use the Sandbox' });
    assert.equal(used.asked.length, 1);
    assert.match(used.asked[0]?.text ?? '', /without asking\?/);
    assert.equal(used.asked[0]?.command, 'make', 'what it is about is shown as it is');
    assert.deepEqual([used.place, used.approval, used.chosen], ['sandbox', undefined, 'on']);
    const each = await place({}, { mode: 'ask', answer: 'Ask Every Time' });
    assert.deepEqual([each.place, each.approval?.subject.kind, each.chosen], [undefined, 'command', 'off']);
    for (const answer of ['Skip', undefined, 'What is a sandbox?']) {
      await assert.rejects(place({}, { mode: 'ask', ...(answer && { answer }) }), /Nothing was run/);
    }
    assert.deepEqual((await place({}, { mode: 'ask', missing: 'missing' })).asked, [], 'there is nothing to choose');
  });
});
