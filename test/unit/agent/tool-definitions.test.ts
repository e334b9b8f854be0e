import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as z from 'zod/mini';
import { defineTool, type Tool } from '../../../src/agent/tool.ts';
import { toolDefinitions } from '../../../src/agent/tool-definitions.ts';
import {
  createChangesTool,
  createCodeTools,
  createCommandTool,
  createEditTools,
  createReadTools,
  createTalkTools,
} from '../../../src/tools/index.ts';
import type { LanguageDeps } from '../../../src/tools/language.ts';
import { openFolders } from '../tools/workspace.ts';

describe('tool definitions', () => {
  it('P10 every tool of ours is told as Zod itself would tell it, to the letter', () => {
    const tools = ownTools();
    assert.ok(tools.length > 12, `${tools.length} tools`);
    for (const [index, definition] of toolDefinitions(tools).entries()) {
      const tool = tools[index];
      assert.ok(tool);
      assert.equal(JSON.stringify(definition.parameters), expected(tool.parameters), tool.name);
    }
  });

  it('P10 all that tools are made of is told as Zod itself would tell it', () => {
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

  it('P10 a kind of value that no tool takes yet is refused, not told wrongly', () => {
    for (const field of [z.date(), z.union([z.string(), z.number()]), z.nullable(z.string()), z.literal('only')]) {
      assert.throws(() => toolDefinitions([toolWith(z.object({ field }))]), /No tool takes this kind of value yet/);
    }
    for (const field of [z.string().check(z.regex(/a/)), z.number().check(z.gt(1)), z.float32(), z.url()]) {
      assert.throws(() => toolDefinitions([toolWith(z.object({ field }))]), /No tool checks this yet/);
    }
  });
});

function expected(parameters: Tool['parameters']): string {
  const { properties = {}, required = [] } = z.toJSONSchema(parameters, { io: 'input' });
  const told = JSON.stringify({ type: 'object', properties, required });
  return told
    .replaceAll(`,"minimum":${Number.MIN_SAFE_INTEGER}`, '')
    .replaceAll(`,"maximum":${Number.MAX_SAFE_INTEGER}`, '');
}

function toolWith(parameters: z.ZodMiniType<object>): Tool {
  const run = async () => ({ forModel: '' });
  return defineTool<object>({ name: 'tool', description: '', parameters, access: 'read', title: () => '', run });
}

/** Whatever they need, they are only looked at. */
function ownTools(): readonly Tool[] {
  const ports = openFolders({});
  return [
    ...createReadTools(ports),
    ...createCodeTools({ ...ports } as unknown as LanguageDeps),
    createChangesTool({ ...ports, git: { isRepository: () => false, changes: () => Promise.reject(new Error()) } }),
    createCommandTool(() => Promise.reject(new Error())),
    ...createTalkTools(),
    ...createEditTools(() => Promise.reject(new Error())),
  ];
}
