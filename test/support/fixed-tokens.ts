import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { offeredTools } from '../../src/agent/offered-tools.ts';
import { systemPrompt } from '../../src/agent/system-prompt.ts';
import type { Tool, ToolNeed } from '../../src/agent/tool.ts';
import { firstRequest } from '../../src/agent/turn-request.ts';
import { buildRequestBody } from '../../src/service/wire/request.ts';
import type { ChatMode } from '../../src/shared/approval.ts';
import { toolSpecs } from '../../src/tools/all-tools.ts';

/** Everything is there but what the user has to bring along: a page in a message, a text or tools that the model may load. */
const has = (page: 'page' | undefined) => (need: ToolNeed) =>
  !['skill', 'index', 'comment', 'length'].includes(need) && (need !== 'page' || page !== undefined);

/**
 * Tokens that a request of this mode carries before anybody has said anything: its body as sent, with every tool that is offered then,
 * or, with `page`, once the user has named one.
 */
export function fixedTokens(mode: ChatMode, page?: 'page'): { system: number; tools: number; all: number } {
  // A tool that is of use only later is not sent yet.
  const specs = toolSpecs.filter((spec) => !('isOfUse' in spec));
  const tools = offeredTools(mode, specs as unknown as readonly Tool[], has(page));
  const prompt = systemPrompt({
    folders: [{ name: 'my-project', fsPath: '/home/user/projects/my-project' }],
    tools,
    machine: 'Linux, bash',
    today: '2026-11-20',
  });
  const model = 'svc/glm-5.3';
  const request = firstRequest(
    { tools, systemPrompt: () => prompt },
    { history: [], model, request: { surface: 'chat' } },
  );
  const body = JSON.parse(buildRequestBody(request, { parameters: {} }, { stream: true, strength: 'normal' }));
  const system = countTokens(body.messages[0].content);
  const schemas = countTokens(JSON.stringify(body.tools));
  return { system, tools: schemas, all: system + schemas };
}
