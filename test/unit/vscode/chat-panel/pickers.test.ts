import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Customization } from '../../../../src/customizations/customization.ts';
import type { PickersDeps } from '../../../../src/vscode/chat-panel/pickers.ts';
import { reset } from '../../../support/fake-vscode.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';

const { createPickers } = await importWithVscodeStub<typeof import('../../../../src/vscode/chat-panel/pickers.ts')>(
  new URL('../../../../src/vscode/chat-panel/pickers.ts', import.meta.url),
);
const { selectMode } = await importWithVscodeStub<typeof import('../../../../src/vscode/chat-panel/mode-picker.ts')>(
  new URL('../../../../src/vscode/chat-panel/mode-picker.ts', import.meta.url),
);

describe('the rows of the pickers at their buttons', () => {
  beforeEach(reset);
  const agent = {
    name: 'reviewer',
    path: '.github/agents/reviewer.agent.md',
    text: 'x',
    description: '',
  } as Customization;
  let picked: Customization | undefined;
  let known: Customization[];
  beforeEach(() => {
    picked = undefined;
    known = [];
  });
  const agents = {
    agents: () => known,
    agent: () => picked,
    refresh: async () => {
      known = [agent];
    },
    pickAgent: async (one: Customization | undefined) => {
      picked = one;
    },
  } as PickersDeps['agents'];

  it('U1 are sent at once, and once more with what the service and the disk have since', async () => {
    const posted: Parameters<PickersDeps['post']>[0][] = [];
    let names = ['A', 'B'];
    const models = () => names.map((name) => ({ id: `svc/${name.toLowerCase()}`, name }));
    const service = {
      models: {
        models,
        ids: () => models().map(({ id }) => id),
        refresh: async () => {
          names = ['A', 'B', 'C'];
        },
        nameOf: (id: string) => id,
        fromService: () => true,
      },
      board: { models: () => ['svc/b'], summary: () => undefined },
      record: { words: () => undefined },
      learned: { get: () => ({}) },
      client: {},
      settings: { chatMode: () => 'plan' },
    } as unknown as PickersDeps['service'];
    const open = createPickers({ service, agents, model: () => 'svc/a', post: (message) => posted.push(message) });
    await open('model');
    await open('mode');
    assert.deepEqual(
      posted.map(({ rows }) => rows.map(({ label, current, group }) => `${label}${current ? '*' : ''} ${group ?? ''}`)),
      [
        ['B Recent', 'A* Other Models'],
        ['B Recent', 'A* Other Models', 'C Other Models'],
        ['Ask ', 'Plan* ', 'Edit ', 'Agent '],
        ['Ask ', 'Plan* ', 'Edit ', 'Agent ', 'reviewer Agents'],
      ],
    );
    assert.match(posted[1]?.note ?? '', /0\.33 USD/);
  });

  it('U1 F34 take a mode by its name and an agent by its path, and nothing that is not there', async () => {
    known = [agent];
    assert.equal(await selectMode('ask', agent.path, agents), agent);
    assert.equal(picked, agent);
    assert.equal(await selectMode('ask', 'gone.md', agents), undefined);
    assert.equal(picked, agent);
    await selectMode('ask', 'plan', agents);
    assert.equal(picked, undefined);
  });
});
