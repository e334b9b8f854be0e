import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { offeredTools } from '../../../src/agent/offered-tools.ts';
import type { Tool } from '../../../src/agent/tool.ts';
import { type ChatMode, chatModes } from '../../../src/shared/approval.ts';
import { toolSpecs } from '../../../src/tools/all-tools.ts';

const tools = toolSpecs as readonly Tool[];
const offered = (
  mode: ChatMode,
  has: readonly string[] = ['disk', 'repository', 'page', 'skill', 'index', 'comment', 'length'],
) => offeredTools(mode, tools, (need) => has.includes(need));
const accessOf = (list: readonly Tool[]) => [...new Set(list.map(({ access }) => access))].sort();

describe('the tools that a mode offers', () => {
  it('F18 Ask looks and asks, Edit also changes files, Agent does everything', () => {
    assert.deepEqual(accessOf(offered('ask')), ['ask', 'fetch', 'read']);
    assert.deepEqual(accessOf(offered('edit')), ['ask', 'fetch', 'read', 'write']);
    assert.deepEqual(
      offered('agent'),
      tools.filter(({ kind }) => kind !== 'outline'),
    );
  });

  it('F44 Plan looks, asks and writes its plan, and nothing else', () => {
    assert.deepEqual(accessOf(offered('plan')), ['ask', 'fetch', 'read']);
    const own = offered('plan').filter((tool) => !offered('ask').includes(tool));
    assert.deepEqual(
      own.map(({ name }) => name),
      ['write_plan'],
    );
    const written = chatModes.filter((mode) => offered(mode).some(({ name }) => name === 'write_plan'));
    assert.deepEqual(written, ['plan']);
  });

  it('P11 a plan is kept only where something is done', () => {
    const plans = (mode: ChatMode) => offered(mode).some(({ name }) => name === 'update_plan');
    assert.deepEqual(chatModes.map(plans), [false, false, true, true]);
  });

  it('P11 what a tool cannot do without must be there', () => {
    const names = (has: readonly string[]) => new Set(offered('agent', has).map(({ name }) => name));
    assert.ok(!names(['disk']).has('get_changes'));
    assert.ok(names(['disk']).has('run_command'));
    assert.ok(!names(['repository']).has('run_command'));
    assert.ok(names(['repository']).has('get_changes'));
    assert.equal(names([]).size, tools.filter(({ needs }) => needs === undefined).length - 1);
    assert.ok(names(['length']).has('ask_subagent'));
    assert.ok(names(['skill']).has('load_skill') && !names(['disk', 'repository', 'page']).has('load_skill'));
    assert.ok(names(['page']).has('fetch_url') && !names(['disk', 'repository']).has('fetch_url'));
  });
});
