import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Tool } from '../../../src/agent/tool.ts';
import { askedAgents } from '../../../src/customizations/asked-agents.ts';
import type { Customization } from '../../../src/customizations/customization.ts';
import { readAgent } from '../../../src/customizations/readers.ts';
import { toolSpecs } from '../../../src/tools/all-tools.ts';

const root = { name: 'w', uri: 'file:///w', fsPath: '/w' };

function agent(name: string, header = ''): Customization {
  const path = `.github/agents/${name}.md`;
  const place = { root, path };
  const [found] = readAgent({ place, path, text: `---\n${header}\n---\nYou are ${name}. </agent>`, isUsers: false });
  assert.ok(found);
  return { kind: 'agents', path, place, isUsers: false, folder: '', ...found };
}

const all = [
  agent('finder', 'tools: [search]\nmodel: [Kimi, GLM]'),
  agent('critic'),
  agent('hidden', 'disable-model-invocation: true'),
  agent('older', 'infer: false'),
];
const anyPath = async () => true;
const names = (picked?: Customization) => askedAgents(all, picked, anyPath).map(({ name }) => name);
const kept = (header: string) => {
  const picked = agent('lead', header);
  const [lead] = askedAgents([picked], undefined, anyPath);
  return (lead?.narrow(toolSpecs as readonly Tool[]) ?? []).some(({ kind }) => kind === 'subagent');
};

describe('agents that a model may ask', () => {
  it('F35 F34 the picked agent says whom it may have asked, and names those that only users pick', () => {
    assert.deepEqual(names(), ['finder', 'critic']);
    assert.deepEqual(names(agent('lead', 'tools: [read]')), ['finder', 'critic']);
    assert.deepEqual(names(agent('lead', "agents: ['*']")), ['finder', 'critic']);
    assert.deepEqual(names(agent('lead', 'agents: [Hidden, critic]')), ['critic', 'hidden']);
    assert.deepEqual(names(agent('lead', 'agents: []')), []);
  });

  it('F35 F34 an agent keeps the tool that asks one by its word or by the agents that it names, and by neither loses it', () => {
    assert.deepEqual(
      ['', 'tools: [read]', 'tools: [read, agent]', "tools: [read]\nagents: ['critic']", 'agents: []'].map(kept),
      [true, false, true, true, false],
    );
  });

  it('F35 F34 brings its words, fenced, its models and its tools', () => {
    const [finder] = askedAgents(all, undefined, anyPath);
    assert.deepEqual(finder?.models, ['Kimi', 'GLM']);
    assert.match(
      finder?.text ?? '',
      /^You are asked as this agent\..*\n<agent name="finder" path="\.github\/agents\/finder\.md">\nYou are finder\./,
    );
    assert.equal(finder?.text.match(/<\/agent>/g)?.length, 1, 'its own text cannot end it');
    const tools = finder?.narrow(toolSpecs as readonly Tool[]) ?? [];
    assert.ok(tools.length > 0 && tools.every(({ access }) => access === 'read' || access === 'ask'));
  });
});
