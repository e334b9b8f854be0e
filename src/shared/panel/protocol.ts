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
import {
  type CompletionItem,
  type NextPrice,
  type PanelInfo,
  type PickerName,
  type PickRow,
  pickerNames,
  type WelcomeInfo,
} from './panel-info.ts';
import { sectionMessage } from './sections.ts';

const modelOrPath = z.string().check(z.minLength(1), z.maxLength(4096));
const side = z.number().check(z.int(), z.minimum(1), z.maximum(10_000));

/**
 * `conversationId` names the conversation that the page showed when the text was typed. `atMs` is when it changed and
 * `emptiedAtMs` when it last became empty, both in the page's own time, which only grows.
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
 * Panel messages are parsed here and nowhere else: one that does not fit is logged and dropped. Messages from the
 * host are a type only, because the host is trusted. Every panel message is a command; every answer is an event.
 */
export const panelMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('send'), text, rest: z.optional(draft) }),
  z.object({ type: z.literal('takeBack'), id }),
  z.object({ type: z.literal('stop') }),
  z.object({ type: z.literal('stopCall'), callId: id }),
  z.object({ type: z.literal('newChat') }),
  z.object({ type: z.literal('openPicker'), picker: z.enum(pickerNames) }),
  z.object({ type: z.literal('selectModel'), id: z.optional(modelOrPath) }),
  z.object({ type: z.literal('selectMode'), id: modelOrPath }),
  z.object({ type: z.literal('setApiKey') }),
  z.object({ type: z.literal('setBaseUrl') }),
  z.object({ type: z.literal('setDailyLimit'), usd: z.optional(z.nullable(z.number().check(z.gt(0), z.lte(1000)))) }),
  z.object({
    type: z.literal('limitMessage'),
    microUsd: z.optional(z.number().check(z.int(), z.gt(0), z.lte(1_000_000_000))),
  }),
  z.object({ type: z.literal('openDashboard') }),
  z.object({ type: z.literal('showCapabilities') }),
  z.object({ type: z.literal('hideVsCodeAi') }),
  z.object({ type: z.literal('removeAttachment'), id }),
  z.object({ type: z.literal('openAttachment'), id }),
  z.object({
    type: z.literal('complete'),
    id: z.number(),
    kind: z.enum(['context', 'command', 'menu']),
    query: z.string().check(z.maxLength(500)),
  }),
  z.object({ type: z.literal('attach'), pick: contextPickSchema }),
  z.object({ type: z.literal('prepareCommand'), name: z.string().check(z.maxLength(200)) }),
  z.object({ type: z.literal('attachDropped'), uris: z.array(uri).check(z.maxLength(50)) }),
  z.object({
    type: z.literal('incoming'),
    id,
    name: z.string().check(z.minLength(1), z.maxLength(500)),
    kind: z.enum(attachmentKinds),
  }),
  z.object({ type: z.literal('notArrived'), id, reason: z.string().check(z.minLength(1), z.maxLength(1000)) }),
  z.object({
    type: z.literal('attachText'),
    id,
    name: z.string().check(z.minLength(1), z.maxLength(500)),
    text,
    pasted: z.optional(z.boolean()),
  }),
  z.object({ type: z.literal('pasted'), id: z.number(), text }),
  z.object({
    type: z.literal('attachImage'),
    id,
    name: z.string().check(z.minLength(1), z.maxLength(500)),
    url: text,
    width: side,
    height: side,
  }),
  z.object({ type: z.literal('showImage'), hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  z.object({ type: z.literal('openConversation'), id }),
  z.object({ type: z.literal('copy'), text }),
  z.object({ type: z.literal('insertAtCursor'), text }),
  z.object({ type: z.literal('showOutput'), callId: id }),
  z.object({ type: z.literal('newFile'), text, language: z.string().check(z.maxLength(100)) }),
  z.object({ type: z.literal('toTerminal'), text }),
  z.object({ type: z.literal('applyCode'), text, path: z.optional(z.string().check(z.maxLength(4096))) }),
  z.object({ type: z.literal('showTerminal'), callId: id }),
  z.object({ type: z.literal('runOutside'), callId: id }),
  /** `restore` puts one of the files back to its state before the message. */
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
  z.object({
    type: z.literal('findNames'),
    turnId: id,
    names: z
      .array(
        z.object({ name: z.string().check(z.maxLength(300)), path: z.optional(z.string().check(z.maxLength(300))) }),
      )
      .check(z.maxLength(maxNames)),
  }),
  z.object({ type: z.literal('action'), turnId: id, action: z.enum(failureActions) }),
  /** Enter in the composer never approves, so answers have their own message. */
  z.object({ type: z.literal('answer'), answer }),
  z.object({ type: z.literal('edits'), action: z.enum(['keepAll', 'undoAll', 'review']) }),
  z.object({
    type: z.literal('editedFile'),
    action: z.enum(['keep', 'undo', 'open']),
    uri,
  }),
  /** Names a part of an edit as its card showed it. When the part has changed since, nothing is decided. */
  z.object({
    type: z.literal('editedPart'),
    action: z.enum(['keep', 'undo']),
    uri,
    line: z.number().check(z.int(), z.minimum(0)),
    diff: z.string().check(z.maxLength(50_000)),
  }),
  z.object({ type: z.literal('restoreCheckpoint'), turnId: id }),
  /**
   * `now` stops the running turn and sends this message next. With `nextStep` the running turn gets it after
   * everything of its step.
   */
  z.object({ type: z.literal('queue'), text, rest: z.optional(draft), when: z.optional(z.enum(['now', 'nextStep'])) }),
  z.object({ type: z.literal('queueEdit'), id, action: z.enum(['remove', 'edit', 'sendNow', 'atNextStep', 'later']) }),
  z.object({ type: z.literal('queueMove'), id, by: z.number().check(z.int(), z.minimum(-10), z.maximum(10)) }),
  z.object({ type: z.literal('queueResume'), action: z.enum(['resume', 'discard']) }),
  /**
   * Sends an earlier message again in its own place. An edited one has the attachments that `keep` names and those
   * attached now.
   */
  z.object({
    type: z.literal('rerun'),
    messageId: id,
    edited: z.optional(z.object({ text, keep: z.array(id).check(z.maxLength(1000)) })),
    pickModel: z.boolean(),
    rest: z.optional(draft),
  }),
  z.object({
    type: z.literal('fork'),
    point: z.union([z.object({ messageId: id }), z.object({ rewind: z.number().check(z.int(), z.minimum(0)) })]),
  }),
  z.object({ type: z.literal('deleteFrom'), messageId: id }),
  z.object({
    type: z.literal('editing'),
    edited: z.optional(z.object({ messageId: id, keep: z.array(id).check(z.maxLength(1000)) })),
  }),
  sectionMessage,
  z.object({ type: z.literal('compact') }),
  z.object({ type: z.literal('compactWhenCheaper'), on: z.boolean() }),
  z.object({ type: z.literal('unsaved'), action: z.enum(['retry', 'export']) }),
  z.object({ type: z.literal('newChatFromSummary') }),
  z.object({ type: z.literal('showNextRequest') }),
  z.object({ type: z.literal('showSpend') }),
  z.object({ type: z.literal('draftChanged'), draft }),
  z.object({ type: z.literal('pageChanged'), page: pageStateSchema }),
  z.object({ type: z.literal('focusChanged'), chat: z.boolean(), input: z.boolean(), used: z.boolean() }),
  z.object({
    type: z.literal('colorCode'),
    block: id,
    language: z.string().check(z.maxLength(40)),
    theme: z.string().check(z.maxLength(300)),
    from: z.number().check(z.int(), z.minimum(0)),
    text: z.string().check(z.maxLength(200_000)),
  }),
  z.object({ type: z.literal('panelError'), message: z.string().check(z.maxLength(10_000)) }),
]);
export type PanelMessage = z.infer<typeof panelMessageSchema>;

export type HostMessage =
  /**
   * `draftFrom` names the conversation that the draft came from. `draftReplaced` says that the host added to the
   * draft while the page could not be notified. `page` and `draftTimes` are for a page that has just begun: what
   * earlier pages reported.
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
  | { type: 'events'; events: ChatEvent[] }
  | { type: 'info'; info: PanelInfo }
  | { type: 'price'; price: NextPrice }
  | { type: 'addToDraft'; text: string }
  /**
   * Several may come for one `complete`, each replacing the one before. `done` marks the last; `settled` means that
   * only rows below the first still change.
   */
  | { type: 'completions'; id: number; items: CompletionItem[]; done: boolean; settled?: boolean }
  | { type: 'picks'; picker: PickerName; rows: readonly PickRow[]; note?: string }
  | { type: 'pasteAttached'; id: number; attachmentId: string }
  | { type: 'note'; text: string }
  /** Everything that left the composer until then outlives a crash of the host. */
  | { type: 'heard'; atMs: number }
  | { type: 'prepareImage'; id: string; name: string; data: string }
  | { type: 'image'; hash: string; url?: string }
  | { type: 'prompts'; prompts: readonly string[] }
  | { type: 'welcome'; welcome: WelcomeInfo }
  | { type: 'sources'; states: Record<string, 'changed' | 'gone'> }
  | { type: 'names'; turnId: string; found: Record<string, FileReference> }
  | { type: 'codeColors'; block: string; colored?: CodeColors }
  | { type: 'colorsChanged' }
  | { type: 'draftTaken'; text: string }
  | { type: 'menuAction'; action: MenuAction }
  /**
   * `late` means that the request came before the page was there, so the user may have moved to another part of the
   * window.
   */
  | { type: 'focusInput'; late?: boolean }
  | { type: 'focusApproval'; late?: boolean }
  | { type: 'addContext'; late?: boolean };

export interface FileReference {
  path: string;
  line?: number;
}

export type MenuAction = 'copyMessage' | 'copyCode';

export interface CodeColors {
  from: number;
  /**
   * Each line is a flat list of length, style, length, style, and so on. A style is the color's number × 16 + the
   * font style (1 italic, 2 bold, 4 underlined, 8 struck through). Style 0 is the editor's own foreground; an empty
   * list is a line without colors.
   */
  lines: readonly (readonly number[])[];
  colors: readonly string[];
}
