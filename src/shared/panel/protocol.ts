import * as z from 'zod/mini';
import { approvalScopes } from '../approval.ts';
import type { ChatState } from '../chat/chat-state.ts';
import type { ChatEvent } from '../events.ts';
import { failureActions } from '../failure/failure-action.ts';
import { waitSkips } from '../interaction.ts';
import { attachmentKinds, maxNames } from '../messages.ts';
import type { ToolPresentations } from '../tool-presentation.ts';
import { contextPickSchema, id, line, text, uri } from './field-schemas.ts';
import { type PageState, pageStateSchema } from './page-state.ts';
import type { CompletionItem, NextPrice, PanelInfo, WelcomeInfo } from './panel-info.ts';
import { sectionMessage } from './sections.ts';

/** In pixels. */
const side = z.number().check(z.int(), z.minimum(1), z.maximum(10_000));

/**
 * As it stands in the composer; `conversationId`: of the conversation that the page showed when it was typed. When it changed, and
 * when it last became empty, in the page's own time, which only grows.
 */
const draft = z.object({
  text,
  conversationId: z.optional(id),
  atMs: z.number(),
  emptiedAtMs: z.optional(z.number()),
});
export type PostedDraft = z.infer<typeof draft>;

const answer = z.discriminatedUnion('kind', [
  z.object({
    id,
    kind: z.literal('approval'),
    value: z.discriminatedUnion('decision', [
      z.object({ decision: z.literal('allow'), scope: z.enum(approvalScopes) }),
      z.object({ decision: z.literal('skip') }),
      z.object({ decision: z.literal('deny'), reason: z.string().check(z.maxLength(2000)) }),
    ]),
  }),
  z.object({ id, kind: z.literal('question'), value: z.string().check(z.maxLength(20_000)) }),
  z.object({ id, kind: z.literal('cost'), value: z.boolean() }),
  z.object({ id, kind: z.literal('compact'), value: z.boolean() }),
  z.object({ id, kind: z.literal('wait'), value: z.enum(waitSkips) }),
]);

/**
 * Panel → host is parsed here and nowhere else: a message that does not fit is logged and dropped. Host → panel
 * is a type only: the host is trusted. Every panel message is a command; every answer is an event.
 */
export const panelMessageSchema = z.discriminatedUnion('type', [
  /** The panel has (re)started and wants a snapshot. */
  z.object({ type: z.literal('ready') }),
  /** `rest`, here and below: what the composer holds since the text is out of it. */
  z.object({ type: z.literal('send'), text, rest: z.optional(draft) }),
  /** A message that waits for what is attached to it goes back into the composer. */
  z.object({ type: z.literal('takeBack'), id }),
  z.object({ type: z.literal('stop') }),
  /** This call alone: the turn goes on. */
  z.object({ type: z.literal('stopCall'), callId: id }),
  z.object({ type: z.literal('newChat') }),
  z.object({ type: z.literal('selectModel') }),
  z.object({ type: z.literal('selectMode') }),
  z.object({ type: z.literal('setApiKey') }),
  z.object({ type: z.literal('setBaseUrl') }),
  /** `null`: none is wanted; without an amount the user is asked. */
  z.object({ type: z.literal('setDailyLimit'), usd: z.optional(z.nullable(z.number().check(z.gt(0), z.lte(1000)))) }),
  z.object({ type: z.literal('openDashboard') }),
  z.object({ type: z.literal('showCapabilities') }),
  z.object({ type: z.literal('hideVsCodeAi') }),
  z.object({ type: z.literal('addContext') }),
  z.object({ type: z.literal('removeAttachment'), id }),
  /** Shows the source of an attachment, of the next message or of one that was sent. */
  z.object({ type: z.literal('openAttachment'), id }),
  /**
   * Asks for what fits the text after `@` or `#` (`context`) or `/` (`command`), or for everything that can be attached
   * (`menu`). A later one cancels the one before.
   */
  z.object({
    type: z.literal('complete'),
    id: z.number(),
    kind: z.enum(['context', 'command', 'menu']),
    query: z.string().check(z.maxLength(500)),
  }),
  z.object({ type: z.literal('attach'), pick: contextPickSchema }),
  /** A slash command was chosen: what it is about is attached, unless something is. */
  z.object({ type: z.literal('prepareCommand'), name: z.string().check(z.maxLength(200)) }),
  /** Files and folders that were dropped. */
  z.object({ type: z.literal('attachDropped'), uris: z.array(uri).check(z.maxLength(50)) }),
  /**
   * The page begins to read something that was dropped or pasted: a chip shows it until `attachText`, `attachImage` or
   * `notArrived` with the same id.
   */
  z.object({
    type: z.literal('arriving'),
    id,
    name: z.string().check(z.minLength(1), z.maxLength(500)),
    kind: z.enum(attachmentKinds),
  }),
  /** The page could not read what it began under this id; `reason` is for the user. */
  z.object({ type: z.literal('notArrived'), id, reason: z.string().check(z.minLength(1), z.maxLength(1000)) }),
  /** The text of a file that was dropped from outside of the editor, or one that was pasted and is too long for the composer. */
  z.object({
    type: z.literal('attachText'),
    id,
    name: z.string().check(z.minLength(1), z.maxLength(500)),
    text,
    pasted: z.optional(z.boolean()),
  }),
  /** A text was pasted; if it is code of an open editor, it becomes an attachment that names its place. */
  z.object({ type: z.literal('pasted'), id: z.number(), text }),
  /** An image, ready to be sent; `id`: of the `prepareImage` that asked for it, or of its `arriving`. */
  z.object({
    type: z.literal('attachImage'),
    id,
    name: z.string().check(z.minLength(1), z.maxLength(500)),
    url: text,
    width: side,
    height: side,
  }),
  /** Answered by `image`. */
  z.object({ type: z.literal('showImage'), hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  z.object({ type: z.literal('openConversation'), id }),
  z.object({ type: z.literal('copy'), text }),
  z.object({ type: z.literal('insertAtCursor'), text }),
  /** All that a call of a tool gave back, as a document. */
  z.object({ type: z.literal('showOutput'), callId: id }),
  /** An unsaved document with this text; `language` as the model wrote it. */
  z.object({ type: z.literal('newFile'), text, language: z.string().check(z.maxLength(100)) }),
  /** Written into the terminal, not run. */
  z.object({ type: z.literal('toTerminal'), text }),
  /** Puts into the composer that this code is to be applied: to the file that its text names, else to the one that is open. */
  z.object({ type: z.literal('applyCode'), text, path: z.optional(z.string().check(z.maxLength(4096))) }),
  /** The terminal of a command that runs: there it can be answered. */
  z.object({ type: z.literal('showTerminal'), callId: id }),
  /** Puts into the composer that the command of this call is to run outside of the sandbox. */
  z.object({ type: z.literal('runOutside'), callId: id }),
  /** One of the files that a call is said to have made or changed. `restore`: as before the message, with others if the user likes. */
  z.object({
    type: z.literal('appeared'),
    action: z.enum(['show', 'remove', 'restore']),
    callId: id,
    path: z.string().check(z.maxLength(4096)),
  }),
  z.object({ type: z.literal('openLink'), href: z.string().check(z.maxLength(4096)) }),
  z.object({
    type: z.literal('openFile'),
    path: z.string().check(z.maxLength(4096)),
    line: z.optional(line),
  }),
  /** Files and symbols that an answer names, each with its path when it looks like one; answered by `names`. */
  z.object({
    type: z.literal('findNames'),
    turnId: id,
    names: z
      .array(
        z.object({ name: z.string().check(z.maxLength(300)), path: z.optional(z.string().check(z.maxLength(300))) }),
      )
      .check(z.maxLength(maxNames)),
  }),
  /** A button of a failure card; `turnId` names the turn that failed. */
  z.object({ type: z.literal('action'), turnId: id, action: z.enum(failureActions) }),
  /** The answer to what was asked under this id. Enter in the composer never approves, so answers have their own message. */
  z.object({ type: z.literal('answer'), answer }),
  /** The Changes bar and its list. */
  z.object({ type: z.literal('edits'), action: z.enum(['keepAll', 'undoAll', 'review']) }),
  z.object({
    type: z.literal('editedFile'),
    action: z.enum(['keep', 'undo', 'open']),
    uri,
  }),
  /** A part of an edit, as its card showed it: where it is another one by now, nothing is decided. */
  z.object({
    type: z.literal('editedPart'),
    action: z.enum(['keep', 'undo']),
    uri,
    line: z.number().check(z.int(), z.minimum(0)),
    diff: z.string().check(z.maxLength(50_000)),
  }),
  z.object({ type: z.literal('restoreCheckpoint'), turnId: id }),
  /**
   * Messages that wait while a turn runs. `now`: stops the turn and sends this one next. `nextStep`: the running turn has it
   * after everything of its step.
   */
  z.object({ type: z.literal('queue'), text, rest: z.optional(draft), when: z.optional(z.enum(['now', 'nextStep'])) }),
  /** `edit` takes the message out and puts its text into the composer; `sendNow` stops the running turn first. */
  z.object({ type: z.literal('queueEdit'), id, action: z.enum(['remove', 'edit', 'sendNow', 'atNextStep', 'later']) }),
  /** By so many places towards the end, or the beginning when negative. */
  z.object({ type: z.literal('queueMove'), id, by: z.number().check(z.int(), z.minimum(-10), z.maximum(10)) }),
  z.object({ type: z.literal('queueResume'), action: z.enum(['resume', 'discard']) }),
  /**
   * Sends an earlier message again in its own place: edited when there is a `text`, then with those of its attachments
   * that `keep` names and what is attached now; on request with a model that is picked first.
   */
  z.object({
    type: z.literal('rerun'),
    messageId: id,
    edited: z.optional(z.object({ text, keep: z.array(id).check(z.maxLength(1000)) })),
    pickModel: z.boolean(),
    rest: z.optional(draft),
  }),
  /** Copies the conversation into a new one, up to the answers of a message or to before it was rewound. */
  z.object({
    type: z.literal('fork'),
    point: z.union([z.object({ messageId: id }), z.object({ rewind: z.number().check(z.int(), z.minimum(0)) })]),
  }),
  /** The message and what follows goes away; it is kept and can be opened again. */
  z.object({ type: z.literal('deleteFrom'), messageId: id }),
  /** The composer holds an earlier message, with those of its attachments that are named; without `edited` no longer. */
  z.object({
    type: z.literal('editing'),
    edited: z.optional(z.object({ messageId: id, keep: z.array(id).check(z.maxLength(1000)) })),
  }),
  sectionMessage,
  z.object({ type: z.literal('compact') }),
  /** Tries again to save what is in memory only, or takes it elsewhere. */
  z.object({ type: z.literal('unsaved'), action: z.enum(['retry', 'export']) }),
  z.object({ type: z.literal('newChatFromSummary') }),
  z.object({ type: z.literal('showNextRequest') }),
  z.object({ type: z.literal('showSpend') }),
  z.object({ type: z.literal('draftChanged'), draft }),
  z.object({ type: z.literal('pageChanged'), page: pageStateSchema }),
  /** `used`: by pointer or keyboard since the page got the focus. */
  z.object({ type: z.literal('focusChanged'), chat: z.boolean(), input: z.boolean(), used: z.boolean() }),
  /** Complete lines of code that came into view; answered by `codeColors` with the same `block`. */
  z.object({
    type: z.literal('colorCode'),
    block: id,
    language: z.string().check(z.maxLength(40)),
    /** Id of the colour theme that the panel is drawn in. */
    theme: z.string().check(z.maxLength(300)),
    /** Index of the first line in `text`. */
    from: z.number().check(z.int(), z.minimum(0)),
    text: z.string().check(z.maxLength(200_000)),
  }),
  /** Something broke in the panel; goes to the log. */
  z.object({ type: z.literal('panelError'), message: z.string().check(z.maxLength(10_000)) }),
]);
export type PanelMessage = z.infer<typeof panelMessageSchema>;

export type HostMessage =
  /**
   * `draftFrom`: the draft came along from that conversation. `draftReplaced`: something was added to it while the page
   * could not be told. `page`: what the page before told of itself; only for one that has just begun, as `draftTimes`: of what the
   * pages before it told.
   */
  | {
      type: 'snapshot';
      state: ChatState;
      info: PanelInfo;
      presentations: ToolPresentations;
      draft: string;
      draftFrom?: string;
      draftReplaced?: boolean;
      page?: PageState;
      draftTimes?: Omit<PostedDraft, 'text' | 'conversationId'>;
    }
  /** Applied in order with `reduceChat`; at most one message per frame. */
  | { type: 'events'; events: ChatEvent[] }
  | { type: 'info'; info: PanelInfo }
  | { type: 'price'; price: NextPrice }
  /** To be written below what stands in the composer. */
  | { type: 'addToDraft'; text: string }
  /**
   * For the `complete` with this number; several may come, each replaces the one before. `done`: it was the last; `settled`: what
   * still comes stands below the first row.
   */
  | { type: 'completions'; id: number; items: CompletionItem[]; done: boolean; settled?: boolean }
  /** The text of the `pasted` with this number was attached: it need not stand in the message. */
  | { type: 'pasteAttached'; id: number; attachmentId: string }
  /** Something about the composer that the user should know; shown until the next change. Empty takes it away. */
  | { type: 'note'; text: string }
  /** Until then, all that left the composer outlives a crash of this side. */
  | { type: 'heard'; atMs: number }
  /** A file to be made ready for sending: `data` is its bytes in base64. Answered by `attachImage` or `notArrived`. */
  | { type: 'prepareImage'; id: string; name: string; data: string }
  /** Its data URL; absent when it is no longer stored. */
  | { type: 'image'; hash: string; url?: string }
  /** Sent before in this workspace, oldest first. */
  | { type: 'prompts'; prompts: readonly string[] }
  | { type: 'welcome'; welcome: WelcomeInfo }
  /** Sources of sent attachments that are no longer as they were; the others are. By attachment id. */
  | { type: 'sources'; states: Record<string, 'changed' | 'gone'> }
  /** By name, the `findNames` of this turn that exist: the workspace's path, and where in the file. */
  | { type: 'names'; turnId: string; found: Record<string, NamedPlace> }
  /** Without `colored` the code stays as it is. */
  | { type: 'codeColors'; block: string; colored?: CodeColors }
  /** The theme's rules or the grammars changed: ask again for what is in view. */
  | { type: 'colorsChanged' }
  /** It was sent elsewhere: to be taken out of the composer, unless something else stands there by now. */
  | { type: 'draftTaken'; text: string }
  /** Chosen in the context menu that was opened last on the page, which knows what it was opened on. */
  | { type: 'menuAction'; action: MenuAction }
  /** `late`: asked for before the page was there; the user may have gone on to another part of the window since. */
  | { type: 'focusInput'; late?: boolean }
  /** To the oldest call that waits for consent. */
  | { type: 'focusApproval'; late?: boolean };

export interface NamedPlace {
  path: string;
  line?: number;
}

/** Entries of the chat's context menu that depend on what it was opened on. */
export type MenuAction = 'copyMessage' | 'copyCode';

/** Colours of the lines of a block of code, from line `from` on. */
export interface CodeColors {
  /** Another line than asked for: the block must be sent again from there. */
  from: number;
  /**
   * A line is a flat list: length, style, length, style …; style = number of the colour × 16 + font style (1 italic, 2 bold,
   * 4 underlined, 8 struck through). Style 0 is the editor's own foreground; an empty list is a line without colours.
   */
  lines: readonly (readonly number[])[];
  /** CSS colours by number; empty where a number is not used. */
  colors: readonly string[];
}
