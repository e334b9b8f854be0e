import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import * as z from 'zod/mini';
import type { Tool } from '../../../src/agent/tool.ts';
import { sentTools } from '../../../src/agent/tool-definitions.ts';
import { firstRequest } from '../../../src/agent/turn-request.ts';
import { createTurnContext } from '../../../src/chat/turn-context.ts';
import type { Customization } from '../../../src/customizations/customization.ts';
import { findCustomizations } from '../../../src/customizations/find-customizations.ts';
import { loadableOf, renderRows } from '../../../src/customizations/named.ts';
import { renderRules } from '../../../src/customizations/rules-text.ts';
import { estimateTokens } from '../../../src/service/tokens.ts';
import { buildRequestBody } from '../../../src/service/wire/request.ts';
import type { ChatMode } from '../../../src/shared/approval.ts';
import { toolSpecs } from '../../../src/tools/all-tools.ts';
import { createExternalTools, type ExternalTool } from '../../../src/tools/external-tools.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';

const folder = new URL('../../fixtures/customizations/', import.meta.url);
const recordSchema = z.object({
  path: z.string(),
  text: z.string(),
  expect: z.array(z.object({ when: z.string() })),
});

/** Real files of every tool, but those that are meant for each request. */
const recorded = readdirSync(folder).flatMap((name) => {
  const { path, text, expect } = recordSchema.parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8')));
  return expect.some(({ when }) => when === 'always' || when === 'loaded') ? [] : [[path, text] as const];
});

const installed: Readonly<Record<string, string>> = {
  ...Object.fromEntries(recorded),
  '.roo/rules-test/a.md': 'Test first.',
  '.roorules-test': 'Test last.',
  '.github/prompts/ship.prompt.md': 'Ship it.',
  '.github/chatmodes/plan.chatmode.md': '---\ndescription: Plans\n---\nPlan it.',
  '.clinerules/workflows/release.md': 'Release it.',
  '.agents/skills/by-name/SKILL.md':
    '---\nname: by-name\ndescription: Only when it is typed\ndisable-model-invocation: true\n---\nDo it.',
  '.claude/skills/Wrong/SKILL.md': '---\nname: other\ndescription: Not loaded\n---\nNo.',
};

const external: readonly ExternalTool[] = Array.from({ length: 60 }, (_, at) => ({
  name: `mcp_github_tool_${at}`,
  description: `Does the ${at}th thing.`,
  inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
}));

/** The body of the first request of a conversation in these folders. */
function bodyOf(ws: string, mode: ChatMode, all: readonly Customization[], others: readonly ExternalTool[]): string {
  const specs = toolSpecs as readonly Tool[];
  const folders = openFolders({ ws });
  const offer = createTurnContext({
    workspace: folders.workspace,
    isRepository: () => true,
    settings: { chatMode: () => mode },
    windowTools: specs.filter(({ access }) => access !== 'write'),
    editToolsFor: (_, known) => [...known, ...specs.filter(({ access }) => access === 'write')],
    isSandboxed: () => true,
    external: createExternalTools({
      ...folders,
      external: { list: () => [...others], invoke: async () => [] },
      picked: () => [],
      loadAbove: () => 2000,
      keepImage: async () => '',
    }),
    steering: {
      rules: (paths) => renderRules(all, { paths, severalRoots: false }).text,
      byPath: () => [],
      rows: () => renderRows(loadableOf(all)),
      agentText: () => '',
      narrow: (tools) => tools,
    },
    learned: { get: () => ({ parameters: {} }) },
    machine: () => 'Linux, bash',
    today: () => '2026-11-23',
  });
  const history = [{ role: 'user', text: 'Hello' }] as const;
  const { tools, systemPrompt } = offer.parts(offer.tools('c', history), history);
  const request = firstRequest(
    { tools: sentTools(tools), systemPrompt },
    { history, model: 'svc/glm-5.3', request: { surface: 'chat' } },
  );
  return buildRequestBody(request, { parameters: {} }, { stream: true, strength: 'normal' });
}

describe('files and tools that are installed and idle', () => {
  it('P11 F34 F20 real files of every assistant and sixty tools of others change no byte of a request', () =>
    withTempDir(async (temp) => {
      await writeFiles(temp, installed);
      const all = await findCustomizations({ ...openFolders({ ws: temp }), nested: async () => [] });
      assert.ok(all.length >= 18, `${all.length} files are read`);
      assert.ok(new Set(all.map(({ kind }) => kind)).size >= 13);
      for (const mode of ['ask', 'plan', 'edit', 'agent'] as const) {
        assert.equal(bodyOf(temp, mode, all, external), bodyOf(temp, mode, [], []), mode);
      }
    }));

  it('P11 F34 thirty skills that the model may load cost their rows and the tool that loads them, whatever their texts are', () =>
    withTempDir(async (temp) => {
      const names = Array.from({ length: 30 }, (_, at) => `skill-${at}`);
      const skill = (name: string, text: string) => `---\nname: ${name}\ndescription: Does a thing well\n---\n${text}`;
      const sent = async (text: string) => {
        await writeFiles(
          temp,
          Object.fromEntries(names.map((name) => [`.agents/skills/${name}/SKILL.md`, skill(name, text)])),
        );
        return bodyOf(
          temp,
          'agent',
          await findCustomizations({ ...openFolders({ ws: temp }), nested: async () => [] }),
          [],
        );
      };
      const body = await sent('Do it.');
      assert.equal(await sent('Do it at length. '.repeat(1000)), body);
      const more = estimateTokens(body) - estimateTokens(bodyOf(temp, 'agent', [], []));
      assert.ok(0 < more && more <= 600, `${more} tokens`);
    }));
});
