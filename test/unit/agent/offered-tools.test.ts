import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { offeredTools } from '../../../src/agent/offered-tools.ts';
import type { Tool } from '../../../src/agent/tool.ts';
import { toolSpecs } from '../../../src/tools/index.ts';

const tools = toolSpecs as readonly Tool[];
const offered = (mode: 'ask' | 'edit' | 'agent', has: readonly string[] = ['disk', 'repository', 'page']) =>
  offeredTools(mode, tools, (need) => has.includes(need));
const accessOf = (list: readonly Tool[]) => [...new Set(list.map(({ access }) => access))].sort();

describe('the tools that a mode offers', () => {
  it('F18 Ask looks and asks, Edit also changes files, Agent does everything', () => {
    assert.deepEqual(accessOf(offered('ask')), ['ask', 'fetch', 'read']);
    assert.deepEqual(accessOf(offered('edit')), ['ask', 'fetch', 'read', 'write']);
    assert.deepEqual(offered('agent'), tools);
  });

  it('P11 a plan is kept only where something is done', () => {
    const plans = (mode: 'ask' | 'edit' | 'agent') => offered(mode).some(({ name }) => name === 'update_plan');
    assert.deepEqual([plans('ask'), plans('edit'), plans('agent')], [false, true, true]);
  });

  it('P11 what a tool cannot do without must be there', () => {
    const names = (has: readonly string[]) => new Set(offered('agent', has).map(({ name }) => name));
    assert.ok(!names(['disk']).has('get_changes'));
    assert.ok(names(['disk']).has('run_command'));
    assert.ok(!names(['repository']).has('run_command'));
    assert.ok(names(['repository']).has('get_changes'));
    assert.equal(names([]).size, tools.filter(({ needs }) => needs === undefined).length);
    assert.equal(names([]).size, tools.length - 4);
    assert.ok(names(['page']).has('fetch_url') && !names(['disk', 'repository']).has('fetch_url'));
  });
});
