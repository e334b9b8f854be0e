import * as z from 'zod/mini';
import { orElse } from '../base/or-else.ts';
import { approvalScopes, executionTargets, readScopes } from './approval.ts';
import { failureKinds } from './failure/kinds.ts';
import { attachmentKinds, imageTypes } from './messages.ts';

/**
 * The stored form of a conversation, defined once: the types of `events.ts`, `messages.ts`, `approval.ts` and
 * `failure.ts` are read off these schemas. Loose on purpose: fields of later versions are dropped, kinds of later
 * versions fall back, and a record that does not fit is left in the file and skipped. Only types may be imported from
 * here by what draws: it does not carry Zod.
 */
const text = z.string();
const count = z.number();
/** May be absent, and is left out where it does not fit. */
const orNone = <T>(schema: z.ZodMiniType<T>) => z.optional(orElse(z.optional(schema), undefined));

/** Whether an attempt is paid for, as `chargeOf` decides. `maybe`: nobody says. */
export const charge = z.enum(['yes', 'no', 'maybe']);
const knownCharge = orElse(charge, 'maybe');

export const failure = z.object({
  kind: orElse(z.enum(failureKinds), 'internal'),
  /** One English line for the log and the report; the card's sentence comes from `failure-text.ts`. */
  message: orElse(text, ''),
  /** The service's own words, plain text, redacted, at most 4 KB; absent when the body was HTML or empty. */
  serverMessage: z.optional(text),
  /** HTTP status, when a response arrived. */
  status: z.optional(count),
  /** The model id that the failed request asked for. */
  model: z.optional(text),
  /** For capacity errors: the model id that the error names. */
  namedModel: z.optional(text),
  /** `POST /chat/completions` style, relative to the base address. */
  endpoint: z.optional(text),
  /** ISO 8601 with zone offset. */
  at: orElse(text, ''),
  retryAfterMs: z.optional(count),
  /** Whether the failed request is paid for; absent when none was sent. */
  charge: orNone(charge),
  /** Free facts for the card: corrected address, redirect host, page title, learned limit, nearest model id … */
  facts: orNone(z.record(text, z.union([text, count]))),
});

export const usage = z.object({
  promptTokens: count,
  completionTokens: count,
  totalTokens: count,
  /** True when any part is our estimate, or when what the service reported does not add up (shown as ≈). */
  estimated: z.boolean(),
});

export const attempt = z.object({
  /** Local unique id; the ledger ignores a second line with the same one. */
  requestId: text,
  model: text,
  /** Epoch milliseconds. */
  startedAt: count,
  durationMs: count,
  /** Milliseconds to the first parsed event. */
  firstEventMs: z.optional(count),
  status: z.optional(count),
  outcome: orElse(z.enum(['complete', 'incomplete', 'stopped', 'failed', 'empty']), 'incomplete'),
  failure: orNone(failure),
  usage: orNone(usage),
  /** The prompt as the service counted it, where that can be believed; what estimates learn from. */
  countedPrompt: orNone(count),
  charge: knownCharge,
  /** Tokens of the reply that its reasoning took, by its share of the characters; absent without any. */
  reasoningTokens: orNone(count),
  /** How many images it carried; absent without any. */
  images: orNone(count),
});

export const cost = z.object({
  promptTokens: count,
  completionTokens: count,
  totalTokens: count,
  microUsd: count,
  estimated: z.boolean(),
  charge: knownCharge,
  /** Attempts that were sent, charged or not. */
  requests: count,
});

export const imageRef = z.object({
  /** SHA-256 of its data URL, in hex. */
  hash: text.check(z.regex(/^[0-9a-f]{64}$/)),
  mediaType: z.enum(imageTypes),
  /** In pixels, as it is sent. */
  width: count,
  height: count,
  bytes: count,
});

/** A picture that came with the result of a call; `label`: its name for the model and the user. */
const resultImage = z.extend(imageRef, { label: text });

export const attachment = z.object({
  id: text,
  /** `src/a.ts:10-24` */
  label: text,
  /** URI of the source, when there is one. */
  uri: z.optional(text),
  startLine: z.optional(count),
  endLine: z.optional(count),
  languageId: z.optional(text),
  text,
  /** Its source; absent: a file or a range of it, as before kinds were stored. */
  kind: orNone(z.enum(attachmentKinds)),
  /** Only with kind `image`, whose `text` is empty. */
  image: orNone(imageRef),
});

export const toolCall = z.object({
  /** Our own id (`c1`, `c2` … unique within the conversation), never the service's. */
  id: text,
  name: text,
  /** As the model wrote it: it may be invalid JSON. */
  arguments: text,
});

export const finishReason = z.enum(['stop', 'length', 'content-filter', 'error', 'none']);

export const notice = z.discriminatedUnion('kind', [
  /**
   * `from` failed and `to` is asked instead; told once more with `answered` when its reply has begun. `continued`: the reply
   * of `from` was cut, and `to` is to go on with it.
   */
  z.object({
    kind: z.literal('fallback'),
    from: text,
    to: text,
    failure,
    continued: z.boolean(),
    answered: z.optional(z.literal(true)),
  }),
  /** The model refused a feature; the request was sent again without it and that is remembered. */
  z.object({
    kind: z.literal('degraded'),
    model: text,
    feature: z.enum(['streaming', 'tools', 'images', 'parameter']),
    parameter: z.optional(text),
  }),
  /** The service counted far fewer tokens than were sent: it seems to have left out part of them. */
  z.object({ kind: z.literal('cut-input'), model: text, sentTokens: count, countedTokens: count }),
  /** The turn came near to the model's limit; what it held before is sent as a summary from here on. */
  z.object({
    kind: z.literal('compacted'),
    tokensBefore: count,
    tokensAfter: count,
    microUsd: count,
    estimated: z.boolean(),
  }),
  /** Continue Once: the limit was reached and this turn goes on all the same. */
  z.object({ kind: z.literal('over-limit'), limit: z.enum(['daily', 'conversation']), limitMicroUsd: count }),
  /**
   * Told to the model before the first step of a turn: paths, as displayed, of files that are no longer as the model left
   * them, because they are as before its changes again, or otherwise.
   */
  z.object({ kind: z.literal('later-changes'), undone: z.array(text), changed: z.array(text) }),
  /** Told to the model before the first step of a turn: folders by name, and background processes that are no longer there. */
  z.object({
    kind: z.literal('world-changes'),
    added: z.array(text),
    removed: z.array(text),
    /** They are open, and not on the disk any more. */
    gone: z.array(text),
    trusted: orNone(z.literal(true)),
    ended: z.array(text),
  }),
  /** The turn ended, and its changes left errors; `told` is a line for each of the first ones. */
  z.object({ kind: z.literal('errors-left'), count, report: text }),
  /** The turn ended, and its answer may leave another picture than what happened. */
  z.object({
    kind: z.literal('ending'),
    /** The last run of tests: it failed, or it passed and files were edited since. */
    test: orNone(z.object({ command: text, exitCode: count, editsSince: count })),
    /** A change is claimed, and no file was changed. */
    unchanged: orNone(z.literal(true)),
    /** Paths as displayed of files that were changed and are not named, where others are. */
    unnamed: orNone(z.array(text)),
  }),
  /** A sentence of the loop's own. */
  z.object({ kind: z.literal('note'), text }),
]);

const isProtected = z.boolean();

/** Both the card and the remembered answer are read from here, so that neither can say less than the other. */
export const approvalSubject = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('read'),
    path: text,
    reason: z.enum(['outside', 'ignored', 'secret']),
    /** Absent in conversations of older versions. */
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
    /** Absent where there is no sandbox to choose. */
    place: z.optional(z.enum(executionTargets)),
    /** Why it needs more than the sandbox gives, in the model's words. */
    reason: z.optional(text),
    /** It goes on until it ends or is stopped, and the turn does not wait for it. */
    background: z.optional(z.boolean()),
    /** Why there is no sandbox here. */
    noSandbox: z.optional(text),
  }),
  /** A tool of another extension or of an MCP server; VS Code asks for its own consent as well. */
  z.object({
    kind: z.literal('foreign'),
    tool: text,
    arguments: text,
    /** A hash of what the tool said of itself: agreed to is the tool as it was then. */
    definition: z.optional(text),
  }),
  /** A page of the web. `domain` is the host in `url`, and both are as they are connected to. */
  z.object({ kind: z.literal('fetch'), url: text, domain: text }),
]);

const approvalScope = z.enum(approvalScopes);

/** Asked before a tool acts. Facts only: nothing in it was put into words by the model except where a field says so. */
export const approvalRequest = z.object({
  callId: text,
  /** The tool's name, `edit_file`. */
  tool: text,
  /** One line: `Edit src/a.ts`. */
  title: text,
  subject: approvalSubject,
  /** Why to look closely, one short sentence each. */
  warnings: orElse(z.array(text), []),
  /** Choices besides "once"; never `always` for protected files or dangerous commands. */
  scopes: orElse(z.array(approvalScope), ['once']),
});

/** An answer of a later version is read as one that allowed nothing. */
export const approvalAnswer = orElse(
  z.discriminatedUnion('decision', [
    z.object({ decision: z.literal('allow'), scope: orElse(approvalScope, 'once') }),
    /** Says only that the user skipped it. */
    z.object({ decision: z.literal('skip') }),
    /** The reason reaches the model. */
    z.object({ decision: z.literal('deny'), reason: text }),
    /** The window was reloaded or closed before an answer; never runs by itself afterwards. */
    z.object({ decision: z.literal('expired') }),
  ]),
  { decision: 'expired' },
);

/** One line of the plan that the model keeps (`update_plan`). */
export const planItem = z.object({ text, state: orElse(z.enum(['pending', 'active', 'done']), 'pending') });

/** A question of `ask_user`. Options are suggestions; a free answer is always possible. */
export const question = z.object({
  callId: text,
  text,
  options: orElse(z.array(text), []),
  /** A command that runs on this answer, shown below the text letter by letter. */
  command: z.optional(text),
  /** Its first option is what the asker recommends. */
  recommends: orNone(z.literal(true)),
});

const asked = { type: z.literal('asked'), turnId: text, step: count, id: text };
const answered = { type: z.literal('answered'), turnId: text, id: text };

/** The whole result of one request (with its retries): replaces everything streamed for that step. */
export const stepFinished = z.object({
  type: z.literal('stepFinished'),
  turnId: text,
  step: count,
  requestedModel: text,
  /** The model that answered; what the reply itself names is `reportedModel` when it differs. */
  model: text,
  reportedModel: z.optional(text),
  text,
  reasoning: orElse(text, ''),
  /** Empty unless the reply had terminal evidence and valid calls; only these are ever run. */
  toolCalls: z.array(toolCall),
  finish: orElse(finishReason, 'none'),
  /** False when the reply was cut, stopped or failed: its text is kept, its calls are not. */
  complete: z.boolean(),
  usage: orNone(usage),
  /** Estimated tokens of the history that were not sent again because they were no longer needed. */
  savedTokens: orNone(count),
  /** Tokens of the prompt by purpose, before calibration. */
  sent: orNone(
    z.object({
      /** System text, rules and tool definitions. */
      overhead: count,
      /** The conversation up to the message that is answered, with what is attached to it. */
      history: count,
      /** Calls and results of the steps before this one in the same turn. */
      steps: count,
    }),
  ),
  attempts: orElse(z.array(attempt), []),
});

export const toolFinished = z.object({
  type: z.literal('toolFinished'),
  turnId: text,
  step: count,
  callId: text,
  name: text,
  /** One line for the card: `Read src/a.ts 1–120`. */
  title: text,
  state: z.enum(['done', 'failed', 'cancelled']),
  /** Sent back to the model, already capped. */
  forModel: text,
  /** Shown in the card when it should differ from `forModel`. */
  forUser: z.optional(text),
  durationMs: count,
  /** How a command line ended; `pipe`: the parts of the pipe that it ended with. Absent where the shell did not say. */
  end: orNone(z.object({ exitCode: count, pipe: orNone(z.array(count)) })),
  /** Where a command ran, when there was a choice. */
  place: orNone(z.enum(executionTargets)),
  /** Paths as displayed of new files that git, the editor or assistants obey. */
  appeared: orNone(z.array(text)),
  /** Paths as displayed of files that changed and that programs of the editor load. */
  loaded: orNone(z.array(text)),
  /** Sent as one message after all results of the step. */
  images: orNone(z.array(resultImage)),
  /** Only of a subagent that answered; tokens, estimated. */
  sub: orNone(
    z.object({
      /** Its looks less its answer: that much is not sent with each later request. */
      keptTokens: count,
      /** By so much its requests were smaller than the same looks in this conversation; below zero: larger. */
      aheadTokens: count,
    }),
  ),
});

const steeringMessage = z.object({
  /** The one it had in the queue. */
  id: text,
  text,
  typed: orNone(text),
  attachments: orElse(z.array(attachment), []),
});

/** A folder of its own in which a conversation's tools work: made from a repository of the user's. Paths are absolute. */
export const worktree = z.object({
  folder: text,
  repository: text,
  /** Folders of the workspace that it stands for, by the names they have there; paths are in the repository, with `/`. */
  roots: z.array(z.object({ name: text, path: text })),
  /** Files that were changed in it and not brought back. */
  files: orElse(count, 0),
});

export const durableEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('created'), conversationId: text, at: count, workspace: z.optional(text) }),
  z.object({
    type: z.literal('titleChanged'),
    title: text,
    /** Given by the user, which a derived title never replaces. */
    by: orNone(z.literal('user')),
  }),
  z.object({ type: z.literal('modelChanged'), model: text }),
  z.object({ type: z.literal('pinChanged'), pinned: z.boolean() }),
  /** The conversation stops at so much, whatever limits are set. */
  z.object({ type: z.literal('budgetSet'), microUsd: count }),
  /** Absent: its tools work in the workspace again. `patch`: the file that has all it had changed in the worktree. */
  z.object({ type: z.literal('worktreeChanged'), worktree: orNone(worktree), patch: orNone(text) }),
  /** The tools of other extensions that it may use from now on, by the names that the editor gives them. */
  z.object({ type: z.literal('toolsPicked'), names: z.array(text) }),
  /** Everything before it was copied from another conversation, money included: it was spent there. */
  z.object({ type: z.literal('forked'), from: text, at: count }),
  /**
   * The user goes on from before the message: it and what followed are neither shown nor sent any more, and stay in the
   * file. What the conversation itself is called, costs and uses is not undone. `deleted`: nothing is sent in its place.
   */
  z.object({ type: z.literal('rewound'), toMessageId: text, at: count, deleted: orNone(z.literal(true)) }),
  z.object({
    type: z.literal('userMessage'),
    id: text,
    at: count,
    /** As it is sent. */
    text,
    /** As it was typed, when that is a command that stands for the text. It is what is shown and edited. */
    typed: orNone(text),
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
  /**
   * Words of the user to the running turn, which it gets as one message after everything of `step`. Stored before the
   * request that carries them.
   */
  z.object({ type: z.literal('steered'), turnId: text, step: count, at: count, messages: z.array(steeringMessage) }),
  /** The streamed part of a step, stored about once a second so that a crash loses little. */
  z.object({ type: z.literal('stepPartial'), turnId: text, step: count, model: text, text, reasoning: text }),
  stepFinished,
  toolFinished,
  z.object({ type: z.literal('notice'), turnId: text, step: count, notice }),
  /** A call waits for the user under the call's id; until the answer nothing has happened. */
  z.discriminatedUnion('kind', [
    z.object({ ...asked, kind: z.literal('approval'), about: approvalRequest }),
    z.object({ ...asked, kind: z.literal('question'), about: question }),
  ]),
  z.discriminatedUnion('kind', [
    z.object({ ...answered, kind: z.literal('approval'), value: approvalAnswer }),
    z.object({ ...answered, kind: z.literal('question'), value: text }),
  ]),
  /** The whole plan, replacing an earlier one. */
  z.object({ type: z.literal('planUpdated'), turnId: text, items: z.array(planItem) }),
  /** Before the first write of a turn: what `restoreCheckpoint` puts back. Paths as displayed. */
  z.object({ type: z.literal('checkpointTaken'), turnId: text, checkpointId: text, paths: orElse(z.array(text), []) }),
  /**
   * From here on everything before the turn `turnId` is sent as `summary`, or, when no turn has that id, everything before
   * this event; the stored events stay. `step`: within that turn, and its steps from this one on are kept.
   */
  z.object({
    type: z.literal('compacted'),
    turnId: text,
    summary: text,
    tokensBefore: count,
    tokensAfter: count,
    step: z.optional(count),
    /** Requests for the summary. */
    attempts: orNone(z.array(attempt)),
  }),
  /**
   * A subagent that the call asked begins (without attempts), or has paid for requests, each told as it ends: what becomes of the
   * call changes nothing about them. The bounds are those of the whole call, in micro-dollars.
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
  /** A summary within the turn came to nothing, and everything is sent as before; the turn paid for it. */
  z.object({ type: z.literal('summaryDropped'), turnId: text, step: count, attempts: orElse(z.array(attempt), []) }),
  z.object({
    type: z.literal('turnEnded'),
    turnId: text,
    at: count,
    /** `limit`: the step cap, the repeat guard or a budget ended the turn; the failure says which. */
    outcome: orElse(z.enum(['finished', 'stopped', 'failed', 'limit', 'interrupted']), 'interrupted'),
    cost,
    failure: orNone(failure),
    /** Milliseconds in which it waited for its user. */
    waitedMs: orNone(count),
  }),
]);

/** Undefined for what is no event of this version. Never throws. */
export function parseDurableEvent(record: unknown): z.output<typeof durableEvent> | undefined {
  const parsed = durableEvent.safeParse(record);
  return parsed.success ? parsed.data : undefined;
}
