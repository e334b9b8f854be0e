import * as z from 'zod/mini';
import { approvalScopes, commandPlaces, readScopes } from '../../shared/approval.ts';
import type { DurableEvent } from '../../shared/events.ts';
import { failureKinds } from '../../shared/failure/failure.ts';
import { attachmentKinds, imageTypes } from '../../shared/messages.ts';
import { orElse } from '../or-else.ts';

/**
 * What a stored event must have to be folded and sent again. Loose on purpose: fields of later versions are dropped,
 * kinds of later versions fall back, and a record that does not fit is left in the file and skipped.
 */
const text = z.string();
const count = z.number();

const charge = z.enum(['yes', 'no', 'maybe']);

const failure = z.object({
  kind: orElse(z.enum(failureKinds), 'internal'),
  message: orElse(text, ''),
  serverMessage: z.optional(text),
  status: z.optional(count),
  model: z.optional(text),
  namedModel: z.optional(text),
  endpoint: z.optional(text),
  at: orElse(text, ''),
  retryAfterMs: z.optional(count),
  charge: orElse(z.optional(charge), undefined),
  facts: orElse(z.optional(z.record(text, z.union([text, count]))), undefined),
});

const usage = z.object({ promptTokens: count, completionTokens: count, totalTokens: count, estimated: z.boolean() });
const knownCharge = orElse(charge, 'maybe');

const attempt = z.object({
  requestId: text,
  model: text,
  startedAt: count,
  durationMs: count,
  firstEventMs: z.optional(count),
  status: z.optional(count),
  outcome: orElse(z.enum(['complete', 'incomplete', 'stopped', 'failed', 'empty']), 'incomplete'),
  failure: orElse(z.optional(failure), undefined),
  usage: orElse(z.optional(usage), undefined),
  countedPrompt: orElse(z.optional(count), undefined),
  charge: knownCharge,
  images: orElse(z.optional(count), undefined),
});

const cost = z.object({
  promptTokens: count,
  completionTokens: count,
  totalTokens: count,
  microUsd: count,
  estimated: z.boolean(),
  charge: knownCharge,
  requests: count,
});

const image = z.object({
  hash: text.check(z.regex(/^[0-9a-f]{64}$/)),
  mediaType: z.enum(imageTypes),
  width: count,
  height: count,
  bytes: count,
});

const attachment = z.object({
  id: text,
  label: text,
  uri: z.optional(text),
  startLine: z.optional(count),
  endLine: z.optional(count),
  languageId: z.optional(text),
  text,
  kind: orElse(z.optional(z.enum(attachmentKinds)), undefined),
  image: orElse(z.optional(image), undefined),
});

const notice = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('fallback'),
    from: text,
    to: text,
    failure,
    continued: z.boolean(),
    answered: z.optional(z.literal(true)),
  }),
  z.object({
    kind: z.literal('degraded'),
    model: text,
    feature: z.enum(['streaming', 'tools', 'images', 'parameter']),
    parameter: z.optional(text),
  }),
  z.object({ kind: z.literal('over-limit'), limit: z.enum(['daily', 'conversation']), limitMicroUsd: count }),
  z.object({ kind: z.literal('cut-input'), model: text, sentTokens: count, countedTokens: count }),
  z.object({
    kind: z.literal('compacted'),
    tokensBefore: count,
    tokensAfter: count,
    microUsd: count,
    estimated: z.boolean(),
  }),
  z.object({ kind: z.literal('later-changes'), undone: z.array(text), changed: z.array(text) }),
  z.object({ kind: z.literal('note'), text }),
]);

const scope = z.enum(approvalScopes);
const path = text;
const isProtected = z.boolean();
const approvalRequest = z.object({
  callId: text,
  tool: text,
  title: text,
  subject: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('read'),
      path,
      reason: z.enum(['outside', 'ignored', 'secret']),
      scope: z.optional(z.enum(readScopes)),
    }),
    z.object({
      kind: z.literal('edit'),
      path,
      diff: text,
      added: count,
      removed: count,
      isNew: z.boolean(),
      isProtected,
    }),
    z.object({ kind: z.literal('delete'), path, isProtected }),
    z.object({ kind: z.literal('rename'), path, to: text, isProtected }),
    z.object({
      kind: z.literal('command'),
      command: text,
      cwd: text,
      shell: text,
      place: z.optional(z.enum(commandPlaces)),
      reason: z.optional(text),
      background: z.optional(z.boolean()),
      noSandbox: z.optional(text),
    }),
    z.object({ kind: z.literal('foreign'), tool: text, arguments: text }),
  ]),
  warnings: orElse(z.array(text), []),
  scopes: orElse(z.array(scope), ['once']),
});

/** An answer of a later version is read as one that allowed nothing. */
const approvalAnswer = orElse(
  z.discriminatedUnion('decision', [
    z.object({ decision: z.literal('allow'), scope: orElse(scope, 'once') }),
    z.object({ decision: z.literal('skip') }),
    z.object({ decision: z.literal('deny'), reason: text }),
    z.object({ decision: z.literal('expired') }),
  ]),
  { decision: 'expired' },
);

const planItem = z.object({ text, state: orElse(z.enum(['pending', 'active', 'done']), 'pending') });

const durableEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('created'), conversationId: text, at: count, workspace: z.optional(text) }),
  z.object({
    type: z.literal('titleChanged'),
    title: text,
    by: orElse(z.optional(z.literal('user')), undefined),
  }),
  z.object({ type: z.literal('pinChanged'), pinned: z.boolean() }),
  z.object({ type: z.literal('forked'), from: text, at: count }),
  z.object({
    type: z.literal('rewound'),
    toMessageId: text,
    at: count,
    deleted: orElse(z.optional(z.literal(true)), undefined),
  }),
  z.object({ type: z.literal('modelChanged'), model: text }),
  z.object({
    type: z.literal('userMessage'),
    id: text,
    at: count,
    text,
    typed: orElse(z.optional(text), undefined),
    attachments: orElse(z.array(attachment), []),
  }),
  z.object({
    type: z.literal('turnStarted'),
    turnId: text,
    at: count,
    model: text,
    /** See `turn-chains.ts`. */
    continues: z.optional(z.literal(true)),
  }),
  z.object({ type: z.literal('stepPartial'), turnId: text, step: count, model: text, text, reasoning: text }),
  z.object({
    type: z.literal('stepFinished'),
    turnId: text,
    step: count,
    requestedModel: text,
    model: text,
    reportedModel: z.optional(text),
    text,
    reasoning: orElse(text, ''),
    toolCalls: z.array(z.object({ id: text, name: text, arguments: text })),
    finish: orElse(z.enum(['stop', 'length', 'content-filter', 'error', 'none']), 'none'),
    complete: z.boolean(),
    usage: orElse(z.optional(usage), undefined),
    savedTokens: orElse(z.optional(count), undefined),
    sent: orElse(z.optional(z.object({ overhead: count, history: count, steps: count })), undefined),
    attempts: orElse(z.array(attempt), []),
  }),
  z.object({
    type: z.literal('toolFinished'),
    turnId: text,
    step: count,
    callId: text,
    name: text,
    title: text,
    state: z.enum(['done', 'failed', 'cancelled']),
    forModel: text,
    forUser: z.optional(text),
    durationMs: count,
    place: orElse(z.optional(z.enum(commandPlaces)), undefined),
    appeared: orElse(z.optional(z.array(text)), undefined),
  }),
  z.object({ type: z.literal('notice'), turnId: text, step: count, notice }),
  z.object({ type: z.literal('approvalRequested'), turnId: text, step: count, request: approvalRequest }),
  z.object({ type: z.literal('approvalAnswered'), turnId: text, callId: text, answer: approvalAnswer }),
  z.object({
    type: z.literal('questionAsked'),
    turnId: text,
    step: count,
    question: z.object({ callId: text, text, options: orElse(z.array(text), []), command: z.optional(text) }),
  }),
  z.object({ type: z.literal('questionAnswered'), turnId: text, callId: text, answer: text }),
  z.object({ type: z.literal('planUpdated'), turnId: text, items: z.array(planItem) }),
  z.object({ type: z.literal('checkpointTaken'), turnId: text, checkpointId: text, paths: orElse(z.array(text), []) }),
  z.object({
    type: z.literal('compacted'),
    turnId: text,
    summary: text,
    tokensBefore: count,
    tokensAfter: count,
    step: z.optional(count),
    attempts: orElse(z.optional(z.array(attempt)), undefined),
  }),
  z.object({
    type: z.literal('summaryDropped'),
    turnId: text,
    step: count,
    attempts: orElse(z.array(attempt), []),
  }),
  z.object({
    type: z.literal('turnEnded'),
    turnId: text,
    at: count,
    outcome: orElse(z.enum(['finished', 'stopped', 'failed', 'limit', 'interrupted']), 'interrupted'),
    cost,
    failure: orElse(z.optional(failure), undefined),
  }),
]);

/** Undefined for what is no event of this version. Never throws. */
export function parseDurableEvent(record: unknown): DurableEvent | undefined {
  const parsed = durableEvent.safeParse(record);
  return parsed.success ? parsed.data : undefined;
}
