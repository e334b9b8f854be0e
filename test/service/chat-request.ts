// What a chat request may look like. Fields that the interface does not name follow the common chat-completions format.
import { z } from 'zod';

const toolCallSchema = z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});

const partSchema = z.union([
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({
    type: z.literal('image_url'),
    image_url: z.looseObject({ url: z.string().regex(/^(data:image\/[\w.+-]+;base64,|https?:\/\/)/) }),
  }),
]);

const messageSchema = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: z.union([z.string(), z.array(partSchema), z.null()]).optional(),
  tool_calls: z.array(toolCallSchema).nullish(),
  tool_call_id: z.string().optional(),
  reasoning_content: z.string().nullish(),
});

const toolSchema = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: z.string().min(1),
    description: z.string().optional(),
    parameters: z.record(z.string(), z.unknown()).optional(),
  }),
});

const chatRequestSchema = z.looseObject({
  model: z.string(),
  messages: z.array(messageSchema).min(1),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  tools: z.array(toolSchema).nullish(),
  tool_choice: z.unknown().optional(),
  stop: z.union([z.string().min(1), z.array(z.string().min(1)).max(4)]).nullish(),
  n: z.int().min(1).nullish(),
  response_format: z
    .looseObject({
      type: z.enum(['text', 'json_object', 'json_schema']),
      json_schema: z.looseObject({ schema: z.record(z.string(), z.unknown()).optional() }).optional(),
    })
    .nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
});

export type ChatRequest = z.infer<typeof chatRequestSchema>;
export type ChatMessage = z.infer<typeof messageSchema>;
export type ChatTool = z.infer<typeof toolSchema>;

export type ParsedChatRequest = { request: ChatRequest } | { problem: string };

/** Names the place and the rule of the first problem, never the value that was sent. */
export function parseChatRequest(json: unknown): ParsedChatRequest {
  const result = chatRequestSchema.safeParse(json);
  if (result.success) return { request: result.data };
  const issue = result.error.issues[0];
  return { problem: `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'invalid'}` };
}

/** The text of a message: a string as it is, parts joined by newlines, images left out. */
export function messageText(message: ChatMessage): string {
  const { content } = message;
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

export function countImages(request: ChatRequest): number {
  return request.messages
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .filter((part) => part.type === 'image_url').length;
}
