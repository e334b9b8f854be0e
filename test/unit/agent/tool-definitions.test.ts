import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as z from 'zod/mini';
import { defineTool, type Tool } from '../../../src/agent/tool.ts';
import { toolDefinitions } from '../../../src/agent/tool-definitions.ts';
import { toolSpecs } from '../../../src/tools/all-tools.ts';

describe('tool definitions', () => {
  it('P10 every tool of ours is told as Zod itself would tell it, without bounds', () => {
    const tools = toolSpecs;
    assert.ok(tools.length > 12, `${tools.length} tools`);
    for (const [index, definition] of toolDefinitions(tools).entries()) {
      const tool = tools[index];
      assert.ok(tool);
      assert.equal(JSON.stringify(definition.parameters), expected(tool.parameters), tool.name);
    }
  });

  it('P10 all that tools are made of is told as Zod itself would tell it, without bounds', () => {
    const parameters = z.object({
      some: z.optional(z.array(z.object({ text: z.string(), end: z.optional(z.int().check(z.maximum(9))) }))),
      kind: z.enum(['first', 'second']),
      ratio: z.number().check(z.minimum(0), z.maximum(1), z.describe('of the whole')),
      names: z.array(z.string().check(z.minLength(2), z.maxLength(3))).check(z.minLength(1), z.maxLength(4)),
      really: z.optional(z.boolean().check(z.describe('be sure'))),
    });
    const [definition] = toolDefinitions([toolWith(parameters)]);
    assert.equal(JSON.stringify(definition?.parameters), expected(parameters));
  });
});

function expected(parameters: Tool['parameters']): string {
  const { properties = {}, required = [] } = z.toJSONSchema(parameters, { io: 'input' });
  const told = JSON.stringify({ type: 'object', properties, ...(required.length > 0 && { required }) });
  return told.replaceAll(/(?<=[{,])"(?:min|max)(?:imum|Length|Items)":-?\d+,?/g, '').replaceAll(',}', '}');
}

function toolWith(parameters: z.ZodMiniType<object>): Tool {
  const run = async () => ({ forModel: '' });
  return defineTool<object>({
    name: 'tool',
    kind: 'other',
    description: '',
    parameters,
    access: 'read',
    title: () => '',
    run,
  });
}
