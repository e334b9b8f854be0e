import type { ChatRequest, ToolDefinition } from '../contract.ts';
import type { ModelFacts } from '../step/learned.ts';
import { normaliseHistory, type WireOptions, wellFormed } from './normalise-history.ts';

export interface BodyOptions extends WireOptions {
  stream: boolean;
}

/** Sends an unconfirmed parameter only if it is set and this model has not refused it. `tool_choice` is never sent. */
export function buildRequestBody(request: ChatRequest, facts: ModelFacts, options: BodyOptions): string {
  const { model, tools = [] } = request;
  const body: Record<string, unknown> = {
    model,
    messages: normaliseHistory(request.messages, model, facts, options),
  };
  if (tools.length > 0 && facts.tools?.works !== false) body.tools = tools.map(toWireTool);
  for (const [name, value] of parameters(request)) {
    if (value !== undefined && !isRefused(facts, name)) body[name] = value;
  }
  if (options.stream) {
    body.stream = true;
    // Without it most servers report no usage in a stream; those that refuse it are remembered.
    if (facts.streamOptions?.works !== false) body.stream_options = { include_usage: true };
  }
  return JSON.stringify(body);
}

export function isRefused({ parameters: known }: ModelFacts, name: string): boolean {
  return Object.hasOwn(known, name) && known[name]?.works === false;
}

function parameters(request: ChatRequest): [string, unknown][] {
  const { maxTokens, temperature, topP, seed } = request;
  const stop = (request.stop ?? []).filter((text) => text !== '').map((text) => text.toWellFormed());
  return [
    ['max_tokens', Number.isSafeInteger(maxTokens) && Number(maxTokens) > 0 ? maxTokens : undefined],
    ['temperature', finite(temperature)],
    ['top_p', finite(topP)],
    ['seed', Number.isSafeInteger(seed) ? seed : undefined],
    ['stop', stop.length > 0 ? stop : undefined],
  ];
}

function finite(value: number | undefined): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

function toWireTool({ name, description, parameters: schema }: ToolDefinition): unknown {
  return wellFormed({ type: 'function', function: { name, description, parameters: schema } });
}
