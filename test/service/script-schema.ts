// The shape of a script: how a test or a `--script FILE` makes the service behave. Parsed with zod, so a typo in a file fails at once.
import { z } from 'zod';

const text = z.string();
const count = z.int().min(0);

/** Conditions on one request; all given ones must hold. Without `path`, a matcher means the chat path. */
const matchSchema = z.strictObject({
  path: text.optional(),
  method: text.optional(),
  model: text.optional(),
  /** 1-based position among the requests that satisfy the other conditions, counted since the script was set. */
  nth: z.int().min(1).optional(),
  /** Text of any message (content of all roles). */
  messageIncludes: text.optional(),
  /** Text of the last message only. */
  lastMessageIncludes: text.optional(),
  hasTools: z.boolean().optional(),
  hasImages: z.boolean().optional(),
  stream: z.boolean().optional(),
});

const bytesSchema = z.union([text, z.strictObject({ base64: text }), z.instanceof(Uint8Array)]);

/** Checks on what the client sends; each refuses with 400 and a sentence as real hosts word it. */
const historyCheckNames = [
  'H01', // tool call arguments must be valid JSON
  'H02', // every tool call has a result, every result a call
  'H03', // no empty assistant message
  'H04', // the key `content` is present on every message
  'H05', // every assistant message carries `reasoning_content`
  'H05-tool-calls', // assistant messages with tool calls carry it
  'H05-unknown-field', // `reasoning_content` is an unknown field
  'H09', // strings are well-formed UTF-16
  'H10', // no temperature (or other sampling field)
  'H11', // no tool_choice
  'H14', // tool call ids match ^[a-zA-Z0-9_-]{1,40}$
  'W67', // no stream_options
] as const;

const effectSchema = z.strictObject({
  // Answers instead of a reply
  respond: z
    .strictObject({
      status: z.int().min(200).max(599),
      body: z.union([text, z.record(text, z.unknown()), z.array(z.unknown())]).optional(),
      headers: z.record(text, text).optional(),
      contentType: text.optional(),
    })
    .optional(),
  /** 429; `retryAfter` is sent verbatim (seconds, date or nonsense). */
  rateLimit: z.strictObject({ retryAfter: text.optional(), message: text.optional() }).optional(),
  /** The prepaid balance is treated as exhausted, answered with this status. */
  exhaustedBalance: z.union([z.literal(402), z.literal(403), z.literal(429)]).optional(),
  /** Any body is refused as malformed: `error` in the error object, `detail` as validation frameworks do (echoes the input). */
  malformedBody: z
    .strictObject({ status: z.union([z.literal(400), z.literal(422)]), format: z.enum(['error', 'detail']).optional() })
    .optional(),
  /** Capacity error; `named: false` leaves the model out; `inStream` sends it as first event of a 200 stream. */
  capacity: z
    .strictObject({
      named: z.boolean().optional(),
      status: z.int().optional(),
      retryAfter: text.optional(),
      inStream: z.boolean().optional(),
    })
    .optional(),
  page522: z.literal(true).optional(),
  redirect: z.strictObject({ status: z.int().min(300).max(399).optional(), location: text }).optional(),
  /** Bytes sent verbatim, one write per piece. `end`: clean end, cut connection, or left open. */
  raw: z
    .strictObject({
      status: z.int().optional(),
      contentType: text.optional(),
      headers: z.record(text, text).optional(),
      pieces: z.array(bytesSchema),
      gapMs: count.optional(),
      end: z.enum(['end', 'cut', 'open']).optional(),
    })
    .optional(),
  /** The connection is closed before any byte of an answer. */
  dropConnection: z.literal(true).optional(),
  // What the model can do
  streaming: z.enum(['refused', 'ignored']).optional(),
  tools: z.enum(['refused', 'ignored']).optional(),
  images: z.enum(['accepted', 'refused']).optional(),
  checks: z.array(z.enum(historyCheckNames)).optional(),
  /** Requests with more prompt tokens are refused with 400. */
  contextTokens: count.optional(),
  /** Requests with more messages are refused with 400. */
  maxMessages: count.optional(),
  // Time
  delayHeadersMs: count.optional(),
  delayFirstChunkMs: count.optional(),
  chunkDelayMs: count.optional(),
  /** Comment lines `: keep-alive` while waiting for the first chunk or stalled. */
  keepAliveEveryMs: z.int().min(1).optional(),
  // Where the reply breaks
  /** This many events are sent, then nothing more; the connection stays open. */
  stallAfterChunks: count.optional(),
  /** The connection is destroyed after this many body bytes. */
  cutAfterBytes: count.optional(),
  /** The body ends cleanly after this many bytes. */
  endAfterBytes: count.optional(),
  /** An error event inside a 200 stream. */
  streamError: z
    .strictObject({ afterChunks: count, body: z.record(text, z.unknown()), event: text.optional() })
    .optional(),
  omitUsage: z.boolean().optional(),
  omitFinish: z.boolean().optional(),
  omitDone: z.boolean().optional(),
  /** The connection stays open after [DONE] (W48). */
  openAfterDone: z.boolean().optional(),
  /** `usage` on every chunk, cumulative (W01). */
  usageOnEveryChunk: z.boolean().optional(),
  /** Another model id in the reply than the one asked for (W75). */
  replyModel: text.optional(),
});

const ruleSchema = z.strictObject({
  match: matchSchema.optional(),
  /** How many requests the rule applies to; unlimited without it. */
  times: z.int().min(1).optional(),
  effect: effectSchema,
});

const replySchema = z.strictObject({
  match: matchSchema.optional(),
  /** How many matching requests get this reply; 1 without it. */
  times: z.int().min(1).optional(),
  text: text.optional(),
  reasoning: text.optional(),
  /** `arguments`: a string is sent verbatim, an object as its JSON. */
  toolCalls: z
    .array(
      z.strictObject({
        name: text,
        arguments: z.union([text, z.record(text, z.unknown())]),
        id: text.optional(),
      }),
    )
    .optional(),
  finish: text.optional(),
  /** Sent verbatim as the stream's events instead of chunks made from `text`; [DONE] follows. */
  chunks: z.array(z.record(text, z.unknown())).optional(),
  /** Sent instead of the counted usage; the balance is still drawn by the counted tokens. */
  usage: z.record(text, z.unknown()).optional(),
});

const settingsSchema = z.strictObject({
  /** Pause between the events of a stream; 0 in tests. */
  chunkDelayMs: count.optional(),
  malformedBodyStatus: z.union([z.literal(400), z.literal(422)]).optional(),
  unknownModelStatus: z.union([z.literal(400), z.literal(404)]).optional(),
  /** Replies made at the same time; further requests wait before their headers. */
  maxConcurrent: z.int().min(1).optional(),
  /** Requests that may wait; further ones get a capacity error that names the model. */
  maxQueued: count.optional(),
});

export const serviceScriptSchema = z.strictObject({
  rules: z.array(ruleSchema).optional(),
  replies: z.array(replySchema).optional(),
  settings: settingsSchema.optional(),
});

export type ServiceScript = z.infer<typeof serviceScriptSchema>;
export type Rule = z.infer<typeof ruleSchema>;
export type Match = z.infer<typeof matchSchema>;
export type Effect = z.infer<typeof effectSchema>;
export type ScriptedReply = z.infer<typeof replySchema>;
export type ServiceSettings = z.infer<typeof settingsSchema>;
export type HistoryCheck = (typeof historyCheckNames)[number];
export type RawBytes = z.infer<typeof bytesSchema>;

/** Parses the JSON text of a script file. Throws with the place of the first mistakes. */
export function parseScript(json: string): ServiceScript {
  const result = serviceScriptSchema.safeParse(JSON.parse(json));
  if (!result.success) throw new Error(`The script is not valid:\n${z.prettifyError(result.error)}`);
  return result.data;
}
