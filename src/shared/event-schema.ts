import * as z from 'zod/mini';
import { orElse } from '../base/or-else.ts';
import { approvalScopes, executionTargets, readScopes } from './approval.ts';
import { failureKinds } from './failure/kinds.ts';
import { attachmentKinds, imageTypes } from './messages.ts';

/**
 * Defines the stored form of a conversation once: the types of `events.ts`, `messages.ts`, `approval.ts` and
 * `failure.ts` are derived from these schemas. They are loose on purpose: fields of later versions are dropped, kinds
 * of later versions fall back, and a record that does not fit is left in the file and skipped. User interface code
 * may import only types from here, so that it does not carry Zod.
 */
const text = z.string();
const count = z.number();
const orNone = <T>(schema: z.ZodMiniType<T>) => z.optional(orElse(z.optional(schema), undefined));

export const charge = z.enum(['yes', 'no', 'maybe']);
const knownCharge = orElse(charge, 'maybe');

export const failure = z.object({
  kind: orElse(z.enum(failureKinds), 'internal'),
  message: orElse(text, ''),
  /**
   * These are the service's own words as redacted plain text of at most 4 KB. They are absent when the body was HTML
   * or empty.
   */
  serverMessage: z.optional(text),
  status: z.optional(count),
  model: z.optional(text),
  namedModel: z.optional(text),
  endpoint: z.optional(text),
  at: orElse(text, ''),
  retryAfterMs: z.optional(count),
  charge: orNone(charge),
  facts: orNone(z.record(text, z.union([text, count]))),
});

export const usage = z.object({
  promptTokens: count,
  completionTokens: count,
  totalTokens: count,
  /** Is true when any part is our estimate, or when what the service reported does not add up. */
  estimated: z.boolean(),
});

export const attempt = z.object({
  /** The id is unique on this machine. The ledger ignores a second line with the same one. */
  requestId: text,
  model: text,
  startedAt: count,
  durationMs: count,
  firstEventMs: z.optional(count),
  status: z.optional(count),
  outcome: orElse(z.enum(['complete', 'incomplete', 'stopped', 'failed', 'empty']), 'incomplete'),
  failure: orNone(failure),
  usage: orNone(usage),
  countedPrompt: orNone(count),
  charge: knownCharge,
  reasoningTokens: orNone(count),
  images: orNone(count),
});

export const cost = z.object({
  promptTokens: count,
  completionTokens: count,
  totalTokens: count,
  microUsd: count,
  estimated: z.boolean(),
  charge: knownCharge,
  requests: count,
});

export const imageRef = z.object({
  hash: text.check(z.regex(/^[0-9a-f]{64}$/)),
  mediaType: z.enum(imageTypes),
  width: count,
  height: count,
  bytes: count,
});

const resultImage = z.extend(imageRef, { label: text });

export const attachment = z.object({
  id: text,
  label: text,
  uri: z.optional(text),
  startLine: z.optional(count),
  endLine: z.optional(count),
  languageId: z.optional(text),
  text,
  kind: orNone(z.enum(attachmentKinds)),
  image: orNone(imageRef),
});

export const toolCall = z.object({
  /** This is our own id (`c1`, `c2`, ...), unique within the conversation, and never the service's. */
  id: text,
  name: text,
  /** These are as the model wrote them, so they may be invalid JSON. */
  arguments: text,
});

export const finishReason = z.enum(['stop', 'length', 'content-filter', 'error', 'none']);

export const notice = z.discriminatedUnion('kind', [
  /**
   * `from` failed and `to` is asked instead. The notice is repeated with `answered` when the reply of `to` has begun.
   * With `continued` the reply of `from` was cut, and `to` is to go on with it.
   */
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
    feature: z.enum(['streaming', 'tools', 'tool', 'images', 'parameter']),
    parameter: z.optional(text),
  }),
  z.object({ kind: z.literal('cut-input'), model: text, sentTokens: count, countedTokens: count }),
  z.object({
    kind: z.literal('compacted'),
    tokensBefore: count,
    tokensAfter: count,
    microUsd: count,
    estimated: z.boolean(),
  }),
  z.object({ kind: z.literal('over-limit'), limit: z.enum(['daily', 'conversation']), limitMicroUsd: count }),
  /**
   * The model gets this notice before the first step of a turn. Paths are as displayed. The files are no longer as
   * the model left them: `undone` ones are as before its changes again, `changed` ones are otherwise different.
   */
  z.object({ kind: z.literal('later-changes'), undone: z.array(text), changed: z.array(text) }),
  z.object({
    kind: z.literal('world-changes'),
    added: z.array(text),
    removed: z.array(text),
    gone: z.array(text),
    trusted: orNone(z.literal(true)),
    ended: z.array(text),
  }),
  z.object({ kind: z.literal('errors-left'), count, report: text }),
  z.object({
    kind: z.literal('ending'),
    commands: count,
    changed: orNone(count),
    test: orNone(z.object({ command: text, exitCode: orNone(count), editsSince: count })),
    untested: orNone(z.literal(true)),
    last: orNone(z.object({ command: text, exitCode: orNone(count) })),
    failedEdit: orNone(text),
    unnamed: orNone(z.array(text)),
  }),
  z.object({ kind: z.literal('note'), text }),
]);

const isProtected = z.boolean();

/** The card and the remembered answer are both read from here, so that neither can say less than the other. */
export const approvalSubject = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('read'),
    path: text,
    reason: z.enum(['outside', 'ignored', 'secret']),
    scope: z.optional(z.enum(readScopes)),
  }),
  z.object({
    kind: z.literal('edit'),
    path: text,
    diff: text,
    added: count,
    removed: count,
    isNew: z.boolean(),
    isProtected,
  }),
  z.object({ kind: z.literal('delete'), path: text, isProtected }),
  z.object({ kind: z.literal('rename'), path: text, to: text, isProtected }),
  z.object({
    kind: z.literal('command'),
    command: text,
    cwd: text,
    shell: text,
    place: z.optional(z.enum(executionTargets)),
    reason: z.optional(text),
    background: z.optional(z.boolean()),
    noSandbox: z.optional(text),
  }),
  z.object({
    kind: z.literal('external'),
    tool: text,
    arguments: text,
    /** This is a hash of the tool's description: the user agrees to the tool as it was then. */
    definition: z.optional(text),
  }),
  /** `domain` is the host in `url`. Both are exactly as they are connected to. */
  z.object({ kind: z.literal('fetch'), url: text, domain: text }),
]);

const approvalScope = z.enum(approvalScopes);

/**
 * Describes what a tool asks the user before it acts. It holds only facts; the model worded nothing in it except where
 * a field says so.
 */
export const approvalRequest = z.object({
  callId: text,
  tool: text,
  title: text,
  subject: approvalSubject,
  warnings: orElse(z.array(text), []),
  /** These are the choices besides `once`. Protected files and dangerous commands never have `always`. */
  scopes: orElse(z.array(approvalScope), ['once']),
  // What can be allowed with any arguments.
  beginning: orNone(text),
});

/** An answer of a later version is read as one that allowed nothing. */
export const approvalAnswer = orElse(
  z.discriminatedUnion('decision', [
    z.object({ decision: z.literal('allow'), scope: orElse(approvalScope, 'once') }),
    z.object({ decision: z.literal('skip') }),
    z.object({ decision: z.literal('deny'), reason: text }),
    /** The window was reloaded or closed before an answer. The call never runs by itself afterwards. */
    z.object({ decision: z.literal('expired') }),
  ]),
  { decision: 'expired' },
);

export const planItem = z.object({ text, state: orElse(z.enum(['pending', 'active', 'done']), 'pending') });

export const question = z.object({
  callId: text,
  text,
  options: orElse(z.array(text), []),
  command: z.optional(text),
  recommends: orNone(z.literal(true)),
});

const asked = { type: z.literal('asked'), turnId: text, step: count, id: text };
const answered = { type: z.literal('answered'), turnId: text, id: text };

/** Holds the whole result of one request with its retries, and replaces everything streamed for that step. */
export const stepFinished = z.object({
  type: z.literal('stepFinished'),
  turnId: text,
  step: count,
  requestedModel: text,
  model: text,
  reportedModel: z.optional(text),
  text,
  reasoning: orElse(text, ''),
  /** The list is empty unless the reply had evidence of its end and valid calls. Only these calls are ever run. */
  toolCalls: z.array(toolCall),
  finish: orElse(finishReason, 'none'),
  /** Is false when the reply was cut, stopped or failed: its text is kept, its calls are not. */
  complete: z.boolean(),
  usage: orNone(usage),
  savedTokens: orNone(count),
  sent: orNone(
    z.object({
      overhead: count,
      history: count,
      steps: count,
    }),
  ),
  attempts: orElse(z.array(attempt), []),
});

/** Names what the sandbox or the user decided about a call, shortly enough for its row; `what` is empty for `skipped`. */
export const decided = z.object({ word: z.enum(['allowed', 'blocked', 'denied', 'skipped']), what: text });

export const toolFinished = z.object({
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
  end: orNone(z.object({ exitCode: count, pipe: orNone(z.array(count)) })),
  place: orNone(z.enum(executionTargets)),
  appeared: orNone(z.array(text)),
  loaded: orNone(z.array(text)),
  decided: orNone(z.array(decided)),
  /** Images are sent as one message after all results of the step. */
  images: orNone(z.array(resultImage)),
  sub: orNone(
    z.object({
      keptTokens: count,
      aheadTokens: count,
    }),
  ),
});

const steeringMessage = z.object({
  id: text,
  text,
  typed: orNone(text),
  attachments: orElse(z.array(attachment), []),
});

export const worktree = z.object({
  folder: text,
  repository: text,
  roots: z.array(z.object({ name: text, path: text })),
  files: orElse(count, 0),
  // No other model takes over.
  compared: orNone(z.literal(true)),
});

export const durableEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('created'), conversationId: text, at: count, workspace: z.optional(text) }),
  z.object({
    type: z.literal('titleChanged'),
    title: text,
    by: orNone(z.literal('user')),
  }),
  z.object({ type: z.literal('modelChanged'), model: text }),
  z.object({ type: z.literal('pinChanged'), pinned: z.boolean() }),
  z.object({
    type: z.literal('budgetSet'),
    microUsd: count,
    run: orNone(z.object({ steps: count, stepTokens: count })),
  }),
  z.object({ type: z.literal('worktreeChanged'), worktree: orNone(worktree), patch: orNone(text) }),
  z.object({ type: z.literal('toolsPicked'), names: z.array(text) }),
  /** Everything before was copied from another conversation, costs included; the money was spent there. */
  z.object({ type: z.literal('forked'), from: text, at: count }),
  /**
   * The user goes on from before the message. It and what followed are neither shown nor sent any more, and stay in
   * the file. The conversation's title, costs and settings are not undone. With `deleted`, nothing is sent in its
   * place.
   */
  z.object({ type: z.literal('rewound'), toMessageId: text, at: count, deleted: orNone(z.literal(true)) }),
  z.object({
    type: z.literal('userMessage'),
    id: text,
    at: count,
    text,
    typed: orNone(text),
    attachments: orElse(z.array(attachment), []),
    limitMicroUsd: orNone(count),
  }),
  z.object({
    type: z.literal('turnStarted'),
    turnId: text,
    at: count,
    model: text,
    continues: z.optional(z.literal(true)),
    limitMicroUsd: orNone(count),
  }),
  /** With `until`, the turn has nothing under way and waits for a model with room; without, it asks again. */
  z.object({ type: z.literal('waits'), turnId: text, until: orNone(count) }),
  /**
   * The running turn gets these messages as one after everything of `step`. The event is stored before the request
   * that carries them.
   */
  z.object({ type: z.literal('steered'), turnId: text, step: count, at: count, messages: z.array(steeringMessage) }),
  z.object({ type: z.literal('stepPartial'), turnId: text, step: count, model: text, text, reasoning: text }),
  stepFinished,
  toolFinished,
  z.object({ type: z.literal('notice'), turnId: text, step: count, notice }),
  z.discriminatedUnion('kind', [
    z.object({ ...asked, kind: z.literal('approval'), about: approvalRequest }),
    z.object({ ...asked, kind: z.literal('question'), about: question }),
  ]),
  z.discriminatedUnion('kind', [
    z.object({ ...answered, kind: z.literal('approval'), value: approvalAnswer }),
    z.object({ ...answered, kind: z.literal('question'), value: text }),
  ]),
  z.object({ type: z.literal('planUpdated'), turnId: text, items: z.array(planItem) }),
  z.object({ type: z.literal('checkpointTaken'), turnId: text, checkpointId: text, paths: orElse(z.array(text), []) }),
  /**
   * From here on, everything before the turn `turnId` is sent as `summary`. When no turn has that id, it is
   * everything before this event. The stored events stay. With `step`, the compaction is within that turn, and its
   * steps from this one on are kept.
   */
  z.object({
    type: z.literal('compacted'),
    turnId: text,
    summary: text,
    tokensBefore: count,
    tokensAfter: count,
    step: z.optional(count),
    attempts: orNone(z.array(attempt)),
  }),
  /**
   * A subagent begins (without attempts), or has paid for requests, each reported as it ends. The outcome of the call
   * does not change what was paid. The bounds are those of the whole call, in micro-dollars.
   */
  z.object({
    type: z.literal('subagentPaid'),
    turnId: text,
    step: count,
    callId: text,
    estimatedMicroUsd: count,
    maxMicroUsd: count,
    attempts: orElse(z.array(attempt), []),
  }),
  z.object({ type: z.literal('summaryDropped'), turnId: text, step: count, attempts: orElse(z.array(attempt), []) }),
  z.object({
    type: z.literal('turnEnded'),
    turnId: text,
    at: count,
    /** `limit` means that the step cap, the repeat guard or a budget ended the turn; the failure says which. */
    outcome: orElse(z.enum(['finished', 'stopped', 'failed', 'limit', 'interrupted']), 'interrupted'),
    cost,
    failure: orNone(failure),
    waitedMs: orNone(count),
  }),
]);

/** Returns undefined for a record that is no event of this version. Never throws. */
export function parseDurableEvent(record: unknown): z.output<typeof durableEvent> | undefined {
  const parsed = durableEvent.safeParse(record);
  return parsed.success ? parsed.data : undefined;
}
