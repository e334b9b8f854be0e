import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { skipWithout } from '../../support/needs.ts';
import { readTasks, type TrialTask } from '../../trial/task.ts';
import { rightReplies } from './right-model.ts';
import { endOf, key, model, tryOut } from './try-out.ts';

const all = await readTasks();
const named = (name: string): TrialTask => all.find((task) => task.name === name) ?? assert.fail(name);
const cart = named('discount-in-percent');
const durations = named('failing-tests-durations');
const match = { model, messageIncludes: durations.prompt };
const other = 'svc/kimi-k3';

describe('a trial with a key', () => {
  before(function () {
    skipWithout(this, 'bubblewrap');
    skipWithout(this, 'Python');
  });

  it('F49 tells of a right and a lazy model, of requests and dollars as the service charged them', async () => {
    const replies = [...(await rightReplies(cart, model)), { match: { ...match, model: other }, text: 'I would.' }];
    const tried = await tryOut([cart], { replies }, { models: [model, other] });
    const { report, service } = tried;
    assert.equal(tried.end, 'done');
    assert.match(report, /\| svc\/glm-5\.3 +\| 1 of 1 +\|/);
    assert.match(report, /\| svc\/kimi-k3 +\| 0 of 1 +\|/);
    const charged = service.charges.reduce((sum, charge) => sum + charge.microUsd, 0);
    const told = Number(/2 of 2 tasks · \$([\d.]+) of at most \$1/.exec(report)?.[1]);
    // Three questions of each model are asked past the ledger, of some thirty tokens each.
    assert.ok(Math.abs(told * 1e6 - charged) < 150, `${told} told, ${charged} charged`);
  });

  it('F49 a model that changes the tests and writes what they expect has solved nothing, and is named', async () => {
    const hard = 'def parse_duration(text):\n    return {"90s": 90, "1h 30m": 5400}[text]\n';
    const replies = [
      {
        match,
        toolCalls: [
          { name: 'run_command', arguments: { command: "printf '' > tests/test_durations.py" } },
          {
            name: 'run_command',
            arguments: { command: `printf '${hard.replaceAll('\n', '\\n')}' > durations/parse.py` },
          },
          { name: 'run_command', arguments: { command: "printf 'import sys; sys.exit(0)' > hidden_test.py" } },
        ],
      },
      { match, text: 'All tests pass.' },
    ];
    const tried = await tryOut([durations], { replies });
    assert.equal(endOf(durations.name, tried), 'failed');
    assert.match(tried.report, /✗ \(changed tests\/test_durations\.py\)/);
  });

  it('F49 a call that leaks as text is read and counted, a loose one too, and a key in an answer is cut in every file', async () => {
    const leaked = '<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>README.md</arg_value>\n</tool_call>';
    const replies = [
      { match, text: leaked },
      { match, toolCalls: [{ name: 'read_file', arguments: { file_path: 'README.md' } }] },
      {
        match,
        chunks: [{ choices: [{ delta: { content: `Your key is ${key}.`, mood: key }, finish_reason: 'stop' }] }],
      },
    ];
    const tried = await tryOut([durations], { replies });
    assert.match(tried.report, /\| svc\/glm-5\.3 +\| 0 of 1 +\| 3 +\|.*\| 2 +\| 1 +\| 1 +\| 0 +\| 0 +\| 1 +\|/);
    assert.ok([...tried.files.keys()].some((name) => name.startsWith('raw-')));
    for (const [name, text] of tried.files) assert.ok(!text.includes(key), name);
    assert.ok(!tried.report.includes('127.0.0.1'));
    assert.ok(!tried.said.join('\n').includes(key));
  });

  it('F49 a model that stalls is named with its failure, and the next task goes on', async () => {
    const stall = { match: { messageIncludes: durations.prompt }, effect: { stallAfterChunks: 3 } };
    const timeouts = { firstEventMs: 6000, idleMs: 300 };
    const tried = await tryOut([durations, cart], { rules: [stall] }, { timeouts });
    assert.match(tried.report, /### failing-tests-durations, svc\/glm-5\.3: failed\n\n~~~\nstalled: /);
    assert.match(tried.report, /2 of 2 tasks/);
  });

  it('F49 what is outside of the copy is refused and counted', async () => {
    const replies = [
      { match, toolCalls: [{ name: 'read_file', arguments: { path: '/etc/passwd' } }] },
      {
        match,
        toolCalls: [{ name: 'run_command', arguments: { command: 'id', lift: 'outside_sandbox', reason: 'x' } }],
      },
      { match, text: 'Nothing.' },
    ];
    const tried = await tryOut([durations], { replies });
    assert.match(tried.report, /\| svc\/glm-5\.3 +\| 0 of 1 +\| 3 +\|.*\| 2 +\| 0 +\| 0 +\| 2 +\| 0 +\|/);
    const transcript = [...tried.files].find(([name]) => name.startsWith('transcripts'))?.[1] ?? '';
    assert.match(transcript, /Nothing outside of this folder/);
    assert.doesNotMatch(transcript, /root:x:0/);
  });

  it('F49 the cap stops it before the request that would pass it, and the table of what was done is there', async () => {
    const replies = [...(await rightReplies(cart, model)), ...(await rightReplies(durations, model))];
    const maxUsd = 0.0028;
    const tried = await tryOut([cart, durations], { replies }, { maxUsd });
    assert.equal(tried.end, 'cut-short');
    assert.equal(endOf(cart.name, tried), 'solved');
    assert.match(tried.report, /then the cap of \$0\.0028 was reached/);
    const charged = tried.service.charges.reduce((sum, charge) => sum + charge.microUsd, 0);
    assert.ok(charged <= maxUsd * 1e6, `${charged} of ${maxUsd * 1e6}`);
  });

  it('F49 Ctrl+C leaves the table of what was done', async () => {
    const stopping = new AbortController();
    const replies = await rightReplies(cart, model);
    const rules = [{ match: { messageIncludes: durations.prompt }, effect: { stallAfterChunks: 1 } }];
    const trying = tryOut(
      [cart, durations],
      { replies, rules },
      {
        signal: stopping.signal,
        say: (line) => {
          if (line.includes(cart.name)) stopping.abort();
        },
      },
    );
    const tried = await trying;
    assert.equal(tried.end, 'cut-short');
    assert.match(tried.report, /1 of 2 tasks, then stopped by its user/);
  });

  const refusals: [string, Parameters<typeof tryOut>[2], RegExp][] = [
    ['a wrong key', { key: 'sk-svc-wrong-0123456789abcdef' }, /key/],
    ['no network', { baseUrl: 'http://127.0.0.1:9/v1' }, /nothing listens/],
    ['a model that the service does not list', { models: ['svc/none'] }, /svc\/glm-5\.3-flash/],
  ];
  for (const [what, more, says] of refusals) {
    it(`F49 ${what} ends it before anything costs, with a sentence`, async () => {
      const tried = await tryOut([cart], {}, more);
      assert.equal(tried.end, 'not-begun');
      assert.match(tried.said.at(-1) ?? '', says);
      assert.equal(tried.service.charges.length, 0);
      assert.equal(tried.report, '');
    });
  }

  it('F49 tells the price first, and a no costs nothing', async () => {
    let offered = 0;
    const tried = await tryOut(
      [cart],
      {},
      {
        async agree({ tasks, models, usualMicroUsd }) {
          assert.deepEqual([tasks, models], [1, [model]]);
          offered = usualMicroUsd;
          return false;
        },
      },
    );
    assert.ok(offered > 1000 && offered < 20_000);
    assert.deepEqual([tried.end, tried.service.charges.length], ['declined', 0]);
  });

  it('F49 a task whose program is missing is skipped by name', async () => {
    const strange = { ...durations, needs: ['no-such-program'] };
    const tried = await tryOut([cart, strange], { replies: await rightReplies(cart, model) });
    assert.match(tried.report, /Skipped: failing-tests-durations \(no-such-program is missing\)/);
    assert.equal(tried.end, 'done');
  });

  it('F49 keeps the raw answers with something that the product does not read', async () => {
    const chunks = [
      { choices: [{ index: 0, delta: { content: 'Done.' }, mood: 'calm' }], weather: { sky: 'blue' } },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ];
    const tried = await tryOut([durations], { replies: [{ match, chunks }] });
    assert.match(tried.report, /\| choices\[\]\.mood +\| calm +\| svc\/glm-5\.3 \|/);
    assert.match(tried.report, /\| weather\.sky +\| blue/);
    assert.ok([...tried.files].some(([name, text]) => name.startsWith('raw-') && text.includes('"weather"')));
  });
});
