import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { loosenArguments } from '../../../src/agent/loose-arguments.ts';
import { type CallOutcome, createProgressJudge } from '../../../src/agent/progress.ts';
import { readAgent, readPrompt, readSkill } from '../../../src/customizations/readers.ts';
import { shownSchema } from '../../../src/tools/external-schema.ts';

/** Situations that users of other assistants reported, each with what is right here. */
describe('reports on agents, tools and rules', () => {
  const text = { type: 'string' };
  const schemas: [source: string, given: object, shown: object][] = [
    [
      'smallmain/vscode-unify-chat-provider#162',
      { properties: { path: text, type: 'object' }, required: ['path'] },
      { type: 'object', properties: { path: text, type: {} }, required: ['path'] },
    ],
    [
      'google-gemini/gemini-cli#4415',
      { properties: { kind: { type: 'integer', enum: [0, 1] } } },
      { type: 'object', properties: { kind: { type: 'integer', enum: [0, 1] } } },
    ],
    [
      'TencentCloudBase/CloudBase-AI-Toolkit#626',
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        properties: { name: { anyOf: [{ not: {} }, text] }, more: { type: 'object', additionalProperties: {} } },
      },
      { type: 'object', properties: { name: text, more: { type: 'object' } } },
    ],
    ['vercel/ai#7005', { type: null }, { type: 'object', properties: {} }],
    ['Azure/azure-mcp#197', { type: 'object' }, { type: 'object', properties: {} }],
  ];
  for (const [source, given, shown] of schemas) {
    it(`F20 the schema of ${source} is sent in a form that every service takes`, () => {
      assert.deepEqual(shownSchema(given), shown);
    });
  }

  const foreign = { ownNames: false, forgives: false };

  it('F20 null in words is null where nothing else fits (anthropics/claude-code#95239)', () => {
    const schema = { properties: { limit: { type: ['integer', 'null'] }, title: { type: ['string', 'null'] } } };
    assert.deepEqual(loosenArguments({ limit: 'null', title: 'null' }, schema, foreign).value, {
      limit: null,
      title: 'null',
    });
  });

  it('F20 an argument is known by its name as the eye sees it (reportportal/reportportal-mcp-server#25)', () => {
    const schema = { properties: { 'launch-id': text } };
    assert.deepEqual(loosenArguments({ launch_id: '7' }, schema, foreign).value, { 'launch-id': '7' });
    const both = { properties: { 'launch-id': text, launchId: text } };
    assert.deepEqual(loosenArguments({ launch_id: '7' }, both, foreign).value, { launch_id: '7' });
  });

  const stalls: Record<string, (index: number) => Partial<CallOutcome>> = {
    'openJiuwen-ai/agent-core#766': () => ({
      ...{ call: { name: 'search_text', arguments: '{"query":"x"}' }, text: 'No match.' },
      tool: { kind: 'search', access: 'read' },
    }),
    'earendil-works/pi#6158': (index) => ({
      call: { name: 'run_command', arguments: JSON.stringify({ command: index % 2 === 0 ? 'ls a' : 'ls -la a' }) },
      ...{
        tool: { kind: 'command', access: 'execute' },
        text: `Exit code 0.\n${index % 2 === 0 ? '' : 'drwx '}custom.css`,
      },
    }),
    'agentscope-ai/QwenPaw#6116, an edit': (index) => ({
      call: { name: 'edit_file', arguments: '{"path":"AGENTS.md","edits":[{"search":"a","replace":"b"}]}' },
      ...{ tool: { kind: 'edit', access: 'write' }, state: index === 0 ? 'done' : 'failed', text: 'Not found.' },
    }),
    'agentscope-ai/QwenPaw#6116, a whole file': () => ({
      call: { name: 'create_file', arguments: '{"path":"memory.md","content":"one"}' },
      ...{ tool: { kind: 'edit', access: 'write' }, text: 'Wrote 3 bytes.' },
    }),
    'esengine/DeepSeek-Reasonix#3355': () => ({
      call: { name: 'fetch_url', arguments: '{"url":"https://a.example"}' },
      ...{ tool: { kind: 'other', access: 'fetch' }, text: 'A page.\nWith lines.\nAnd more.' },
    }),
  };
  for (const [source, step] of Object.entries(stalls)) {
    it(`H07 the loop of ${source} ends within eight requests`, () => {
      const judge = createProgressJudge();
      let requests = 0;
      let verdict = '';
      for (; verdict !== 'stop' && requests < 12; requests++) {
        const call: CallOutcome = {
          ...{ call: { name: '', arguments: '{}' }, state: 'done', text: '', durationMs: 5 },
          ...step(requests),
        };
        verdict = judge.judge([call]);
      }
      assert.ok(requests <= 8 && verdict === 'stop', `${requests} ${verdict}`);
    });
  }

  const agent = (header: string) =>
    readAgent({ path: 'agents/a.md', text: `---\n${header}\n---\nYou review.` } as never)[0];

  it('F35 reads an agent whose description goes on without indentation (anthropics/claude-code#91871)', () => {
    const found = agent(
      'name: reviewer\ndescription: Use it to review. Examples:\n<example>\nContext: a change\nuser: "review"\n</example>\nmodel: inherit\ntools: Read, Grep',
    );
    assert.equal(found?.name, 'reviewer');
    assert.match(found?.description ?? '', /^Use it to review/);
    assert.equal(found?.entry.when, 'picked');
    assert.ok(found?.entry.when === 'picked');
    assert.deepEqual(found.entry.agent.tools, ['Read', 'Grep']);
  });

  it('F35 reads a header whose lines are indented by mistake (anomalyco/opencode#45876)', () => {
    const found = agent(' name: test\n  description: test agent');
    assert.deepEqual([found?.name, found?.description], ['test', 'test agent']);
  });

  const skill = (header: string, folder = 'agent-message') =>
    readSkill({ path: `skills/${folder}/SKILL.md`, text: `${header}\nDo it.` } as never)[0];

  it('F34 lists a skill whose header is one line as faulty (PrimeIntellect-ai/prime-agent#1349)', () => {
    const found = skill('---\nname: agent-message description: Sends messages.\n---');
    assert.deepEqual(found?.entry, { when: 'never', fault: 'name' });
  });

  it('F34 reads a skill with a byte order mark (Abhigyan-Shekhar/Waggle-mcp#410)', () => {
    const found = skill('\ufeff---\nname: agent-message\ndescription: Sends.\n---');
    assert.equal(found?.entry.when, 'loaded');
  });

  it('F34 reads a description with a colon in it (dyoshikawa/rulesync#2731)', () => {
    const found = skill('---\nname: agent-message\ndescription: Use when: a message is to be sent\n---');
    assert.equal(found?.description, 'Use when: a message is to be sent');
  });

  it('F34 takes a skill without a header as one that the user types (PacketScope#95)', () => {
    const found = skill('# Tracer', 'tracer');
    assert.equal(found?.entry.when, 'typed');
  });

  it('F34 a README among the commands is a prompt as any other, and no failure (rjmurillo/ai-agents#1152)', () => {
    const [found] = readPrompt({ path: '.claude/commands/README.md', text: '# Commands' } as never);
    assert.equal(found?.entry.when, 'typed');
  });

  it('F35 takes an agent without a header by the name of its file (huggingface/skills#123)', () => {
    const [found] = readAgent({ path: 'agents/helper.md', text: 'You help.' } as never);
    assert.deepEqual([found?.name, found?.entry.when], ['helper', 'picked']);
  });
});
