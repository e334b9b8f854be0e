import { once } from '../base/once.ts';
import { resultImagesNote } from '../service/step/step-continuation.ts';
import type { ChangesSinceTurn, DurableEvent, Notice, OutsideChanges, Steered } from '../shared/events.ts';
import type { Attachment, HistoryImage, HistoryMessage, ToolCall } from '../shared/messages.ts';
import { inOneLine, stripInvisible } from './invisible.ts';

type ToolFinished = Extract<DurableEvent, { type: 'toolFinished' }>;

/**
 * Returns the conversation for the model without a system message. Every event counts once, and results stand in the
 * order of their calls, whatever order they came in. Calls without a result (after a crash or a reload) stay so, and
 * `service/wire/normalise-history.ts` answers them. A step that never finished has the text of its last partial.
 */
export function toHistory(events: readonly DurableEvent[]): HistoryMessage[] {
  const history: HistoryMessage[] = [];
  let partial: Extract<DurableEvent, { type: 'stepPartial' }> | undefined;
  let unreported: string[] = [];
  let open: OpenStep = { calls: [], at: 0, images: [] };
  const closeStep = () => {
    history.push(...imagesMessage(open.images));
    open = { ...open, images: [] };
  };
  const closePartial = () => {
    closeStep();
    if (partial !== undefined && partial.text !== '') history.push(assistantMessage(partial, []));
    partial = undefined;
  };
  for (const event of events) {
    switch (event.type) {
      case 'userMessage':
        closePartial();
        history.push(userMessage(event.text, event.attachments));
        for (const note of unreported) addToLast(history, note);
        unreported = [];
        break;
      case 'steered':
        closePartial();
        history.push(steeringMessage(event.messages));
        break;
      case 'stepPartial':
        if (partial !== undefined && (partial.turnId !== event.turnId || partial.step !== event.step)) closePartial();
        partial = event;
        break;
      case 'stepFinished':
        if (partial?.turnId === event.turnId && partial.step === event.step) partial = undefined;
        closePartial();
        if (event.text === '' && event.toolCalls.length === 0) break;
        history.push(assistantMessage(event, event.toolCalls));
        open = { calls: event.toolCalls, at: history.length, images: [] };
        break;
      case 'toolFinished':
        insertResult(history, open, event);
        break;
      case 'notice':
        unreported.push(...noteOf(event.notice));
        if (history.at(-1)?.role !== 'user') break;
        for (const note of unreported) addToLast(history, note);
        unreported = [];
        break;
      default:
        break;
    }
  }
  closePartial();
  return history;
}

const maxReported = 20;

/** From here to the end of a message, the text is not its user's. */
const noteStart = '\n\n[Automatic note: ';

export function addToLast(history: HistoryMessage[], note: string): void {
  const last = history.at(-1);
  if (last?.role !== 'user') return;
  history[history.length - 1] = { ...last, text: last.text + note };
}

function noteOf(notice: Notice): string[] {
  if (notice.kind === 'later-changes') return [changesNote(notice)];
  return notice.kind === 'world-changes' ? [outsideChangesNote(notice)] : [];
}

export function outsideChangesNote({ added, removed, gone, trusted, ended }: OutsideChanges): string {
  const named = (names: string[]) => inOneLine(names.slice(0, maxReported).join(', '));
  const sentences = [
    ...(ended.length > 0 ? [`${endedWith}${named(ended)}.`] : []),
    ...(added.length > 0 ? [`Folders added to the workspace: ${named(added)}.`] : []),
    ...(removed.length > 0 ? [`Folders no longer in the workspace: ${named(removed)}.`] : []),
    ...(gone.length > 0
      ? [`Folders that are gone from the disk: ${named(gone)}. What was in them cannot be read.`]
      : []),
    ...(trusted ? ['The user trusts the workspace now: tools are available.'] : []),
  ];
  return `${noteStart}${sentences.join(' ')}]`;
}

const endedWith = 'Background processes that ended with their window: ';

export function endedIn(message: string): string[] {
  const at = message.lastIndexOf(noteStart + endedWith);
  if (at < 0) return [];
  const [list = ''] = message.slice(at + noteStart.length + endedWith.length).split('.', 1);
  return list.split(', ');
}

export function changesNote({ undone, changed }: ChangesSinceTurn): string {
  const list = (paths: string[]) => {
    const more = paths.length > maxReported ? ` and ${paths.length - maxReported} more` : '';
    return `${inOneLine(paths.slice(0, maxReported).join(', '))}${more}`;
  };
  const sentences = [
    ...(undone.length > 0 ? [`${takenBack}${list(undone)}.`] : []),
    ...(changed.length > 0 ? [`Changed again since you changed them: ${list(changed)}.`] : []),
  ];
  return `${noteStart}${sentences.join(' ')} Read these files again before you rely on them.]`;
}

const takenBack = 'Your changes were taken back in ';

export function takenBackIn(message: string): string[] {
  const at = message.lastIndexOf(noteStart + takenBack);
  if (at < 0) return [];
  const [list = ''] = message.slice(at + noteStart.length + takenBack.length).split(/\.(?: |$)/);
  return list.replace(/ and \d+ more$/, '').split(', ');
}

function assistantMessage(
  step: { text: string; reasoning: string; model: string },
  toolCalls: ToolCall[],
): Extract<HistoryMessage, { role: 'assistant' }> {
  const reasoning = step.reasoning === '' ? {} : { reasoning: step.reasoning };
  return { role: 'assistant', text: step.text, ...reasoning, model: step.model, toolCalls };
}

interface OpenStep {
  calls: readonly ToolCall[];
  at: number;
  images: readonly HistoryImage[];
}

export function imagesMessage(images: readonly HistoryImage[]): HistoryMessage[] {
  return images.length === 0 ? [] : [{ role: 'user', text: resultImagesNote, images }];
}

function insertResult(history: HistoryMessage[], open: OpenStep, event: ToolFinished): void {
  const order = (callId: string) => open.calls.findIndex((call) => call.id === callId);
  const own = order(event.callId);
  if (own < 0) return;
  let index = open.at;
  for (
    let message = history[index];
    message?.role === 'tool' && order(message.callId) < own;
    message = history[index]
  ) {
    index++;
  }
  const there = history[index];
  if (there?.role === 'tool' && there.callId === event.callId) return;
  history.splice(index, 0, resultMessage(event));
  // Only tools that run alone and in order bring images.
  open.images = [...open.images, ...(event.images ?? [])];
}

/** Returns one message object per event, because the economy caches its findings by object. */
const resultMessage = once(({ callId, name, forModel }: ToolFinished): HistoryMessage => {
  return { role: 'tool', callId, name, text: forModel };
});

/** Attachments come first and the question last, which is the order that models follow best. */
function userMessage(text: string, attachments: readonly Attachment[]): Extract<HistoryMessage, { role: 'user' }> {
  const images = attachments.flatMap(({ image, label }) => (image === undefined ? [] : [{ ...image, label }]));
  const blocks = attachments.filter(({ image }) => image === undefined).map(attachmentBlock);
  return { role: 'user', text: [...blocks, text].join('\n\n'), ...(images.length > 0 && { images }) };
}

export function steeringMessage(messages: Steered['messages']): HistoryMessage {
  const each = messages.map(({ text, attachments }) => userMessage(text, attachments));
  const images = each.flatMap((message) => message.images ?? []);
  return { role: 'user', text: each.map(({ text }) => text).join('\n\n'), ...(images.length > 0 && { images }) };
}

function attachmentBlock(attachment: Attachment): string {
  const visible = stripInvisible(attachment.text);
  const removed = visible.removed > 0 ? ` (${visible.removed} invisible characters removed)` : '';
  const longestRun = Math.max(0, ...(visible.text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(Math.max(3, longestRun + 1));
  const end = visible.text.endsWith('\n') ? '' : '\n';
  return `Attached: ${inOneLine(attachment.label)}${removed}\n${fence}${attachment.languageId ?? ''}\n${visible.text}${end}${fence}`;
}
