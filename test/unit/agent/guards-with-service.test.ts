import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { createConsent } from '../../../src/agent/consent.ts';
import type { Tool } from '../../../src/agent/tool.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { runCommand } from '../../../src/tools/run-command.ts';
import { type LocalService, startLocalService } from '../../service/local-service.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { createReadTools } from '../../support/window-tools.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';
import { askService } from './ask-service.ts';
import { allowsOnce } from './ask-with.ts';

/** What keeps a turn in hand, from the bytes of the service to what is run: a person who agrees to everything stands by. */
describe('agent/guards with the real client and the local service', () => {
  let temp: TempDir;
  let service: LocalService;
  let tools: readonly Tool[];
  let ran: string[] = [];

  before(async () => {
    temp = await makeTempDir();
    await writeFiles(temp.path, { 'src/a.ts': 'export const answer = 42;\n' });
    service = await startLocalService();
    const open = openFolders({ ws: temp.path });
    const shell = {
      name: () => 'bash',
      run: async ({ commandLine }: { commandLine: string }) => {
        ran.push(commandLine);
        return { exitCode: 0, via: 'process' as const };
      },
    };
    tools = [...createReadTools(open), runCommand.create({ ...open, shell, clock: systemClock })];
  });
  beforeEach(() => {
    ran = [];
  });
  afterEach(() => service.reset());
  after(async () => {
    await service.close();
    await temp.remove();
  });

  const ask = async () => {
    const person = { consent: createConsent(), answers: allowsOnce };
    const { results, events } = await askService({ service, tools, questions: ['Go on.'], person });
    const [result] = results;
    assert.ok(result !== undefined);
    const bodies = service.requests.filter(({ path }) => path.endsWith('/chat/completions'));
    const finished = events.flatMap((event) => (event.type === 'toolFinished' ? [event] : []));
    return { result, events, finished, bodies: bodies.map(({ rawBody }) => rawBody) };
  };
  const command = (line: string) => ({ name: 'run_command', arguments: { command: line } });

  it('H07 the service hears once that a call brings nothing new, and the sixth ends the turn', async () => {
    service.script({ replies: [{ toolCalls: [command('make again')], times: 100 }] });
    const { result, bodies } = await ask();
    assert.equal(result.outcome, 'limit');
    assert.equal(result.failure?.kind, 'no-progress');
    assert.equal(result.cost.totalTokens, service.totalTokens(), 'what was charged is what is shown');
    assert.equal(result.failure?.facts?.microUsd, result.cost.microUsd, 'and what the last word says');
    assert.equal(bodies.length, 6);
    assert.equal(ran.length, 6);
    assert.deepEqual(
      bodies.map((body) => body.split('brought nothing new').length - 1),
      [0, 0, 0, 0, 1, 1],
    );
  });

  it('F19 X38 a model that never ends is ended at the step limit', async () => {
    service.script({ replies: Array.from({ length: 30 }, (_, index) => ({ toolCalls: [command(`step ${index}`)] })) });
    const { result, bodies, events } = await ask();
    assert.equal(result.outcome, 'limit');
    assert.equal(bodies.length, 10);
    assert.deepEqual(
      ran,
      Array.from({ length: 10 }, (_, index) => `step ${index}`),
    );
    const said = events.flatMap((event) => (event.type === 'notice' ? [JSON.stringify(event.notice)] : []));
    assert.match(said.join('\n'), /10 steps/);
  });

  it('H08 of a hundred calls in one reply sixteen are run and every one is answered', async () => {
    const flood = Array.from({ length: 100 }, (_, index) => command(`flood ${index}`));
    service.script({ replies: [{ toolCalls: flood }, { text: 'Enough.' }] });
    const { result, bodies, finished } = await ask();
    assert.equal(result.outcome, 'finished');
    assert.equal(ran.length, 16);
    assert.equal(finished.length, 100);
    assert.equal((bodies[1] ?? '').split('"role":"tool"').length - 1, 100);
  });

  it('W64 a reply that repeats itself is broken off, and the call at its end is never run', async () => {
    const text = 'haha '.repeat(4000);
    service.script({ replies: [{ text, toolCalls: [command('touch repeated')] }] });
    const { result, bodies } = await ask();
    assert.equal(result.outcome, 'failed');
    assert.equal(result.failure?.kind, 'repetition');
    assert.equal(bodies.length, 1);
    assert.ok(result.text.length < text.length / 4, `${result.text.length}`);
    assert.deepEqual(ran, []);
  });

  it('W59 calls that come as text are asked for again once, never run, and the markup is never shown', async () => {
    const markup =
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.run_command:0<|tool_call_argument_begin|>{"command":"touch x"}<|tool_call_end|><|tool_calls_section_end|>';
    service.script({ replies: [{ text: `Let me look. ${markup}`, times: 9 }] });
    const { result, bodies, events } = await ask();
    assert.equal(result.failure?.kind, 'malformed-tool-calls');
    assert.equal(bodies.length, 2);
    assert.deepEqual(ran, []);
    const shown = events.flatMap((event) => (event.type === 'textDelta' ? [event.text] : [])).join('');
    assert.doesNotMatch(shown, /<\||touch/);
  });

  it('H12 W13 malformed arguments are told to the model, and three in a row end the turn', async () => {
    const broken = (index: number) => ({ name: 'run_command', arguments: `{"command": "touch ${index}` });
    service.script({ replies: Array.from({ length: 9 }, (_, index) => ({ toolCalls: [broken(index)] })) });
    const { result, bodies } = await ask();
    assert.equal(result.failure?.kind, 'malformed-tool-calls');
    assert.equal(bodies.length, 3);
    assert.match(bodies[1] ?? '', /not valid JSON/);
    assert.equal(bodies[1]?.match(/touch 0/g)?.length, 1, 'what it wrote is shown, and paid for, once');
    assert.deepEqual(ran, []);
  });

  it('H12 W24b of arguments that are cut anywhere nothing is run, whatever the service says of the end', async () => {
    const whole = JSON.stringify({ command: 'rm -rf build' });
    for (const finish of ['tool_calls', 'stop', 'length'] as const) {
      for (let length = 0; length < whole.length; length++) {
        service.reset();
        const cut = { name: 'run_command', arguments: whole.slice(0, length) };
        service.script({ replies: [{ toolCalls: [cut], finish }, { text: 'Then not.' }] });
        await ask();
        assert.deepEqual(ran, [], `${finish} after ${cut.arguments}`);
      }
    }
    service.reset();
    service.script({ replies: [{ toolCalls: [{ name: 'run_command', arguments: whole }] }, { text: 'Done.' }] });
    await ask();
    assert.deepEqual(ran, ['rm -rf build'], 'the whole one is run: the recorder works');
  });

  it('W24b rule 1 whole arguments in a reply that was cut by its length, its end or its stream are not run', async () => {
    const toolCalls = [command('touch unproven')];
    const streamError = { afterChunks: 2, body: { error: { message: 'internal' } } };
    for (const { finish, effect = {}, outcome } of [
      // The model is told, and after a second one the turn ends and says why.
      { finish: 'length', outcome: 'limit' },
      { effect: { omitFinish: true, omitDone: true }, outcome: 'failed' },
      { effect: { streamError }, outcome: 'failed' },
    ]) {
      service.reset();
      service.script({ replies: [{ toolCalls, times: 9, ...(finish && { finish }) }], rules: [{ effect }] });
      const { result } = await ask();
      assert.equal(result.outcome, outcome, JSON.stringify(effect));
      assert.deepEqual(ran, [], JSON.stringify(effect));
    }
  });
});
