import { type AnswerItem, asTyped, type ChatState } from '../shared/chat/chat-state.ts';
import type { Written } from '../shared/messages.ts';
import type { PanelMessage } from '../shared/panel/protocol.ts';
import type { IncomingAttachments } from './incoming-attachments.ts';
import type { ChatViewModel } from './view-model.ts';

export interface RerunDeps {
  viewModel: ChatViewModel;
  whenHere: IncomingAttachments['whenHere'];
  ensureReady(): Promise<boolean>;
  prepare(text: string): Promise<Written | undefined>;
  pickModel(current: string): Promise<string | undefined>;
  askAboutFiles(because: 'asked-again' | 'deleted'): Promise<'restore' | 'keep' | undefined>;
  restore(turnId: string): Promise<void>;
}

type Rerun = Extract<PanelMessage, { type: 'rerun' }>;

/**
 * Asks everything first, then sends in place of the earlier message. A user who declines, or leaves the conversation
 * meanwhile, gets the edited text back as a draft.
 */
export function createRerun(deps: RerunDeps): (message: Rerun) => Promise<void> {
  const { viewModel } = deps;
  const begin = async ({ messageId, edited, pickModel }: Rerun): Promise<{ ends: Promise<unknown> } | undefined> => {
    const { id } = viewModel.conversation();
    const backToDraft = () => {
      if (edited) viewModel.draft.append(edited.text, id);
      return undefined;
    };
    if (!(await deps.ensureReady())) return backToDraft();
    const model = pickModel ? await deps.pickModel(viewModel.conversation().model()) : undefined;
    if (pickModel && model === undefined) return backToDraft();
    if (!(await offerFiles(deps, messageId, 'asked-again'))) return backToDraft();
    const written = edited && (await deps.prepare(edited.text));
    if (edited && !written) return undefined;
    // Another conversation was opened while something was asked.
    if (viewModel.conversation().id !== id) return backToDraft();
    const words = wordsSaidAfter(viewModel.state(), messageId);
    const ends = viewModel.rerun(messageId, { edited: edited && written && { keep: edited.keep, ...written }, model });
    bringBack(viewModel, words);
    return { ends };
  };
  return async (message) => {
    const { edited } = message;
    const turn = await (edited ? deps.whenHere(edited.text, () => begin(message)) : begin(message));
    await turn?.ends;
  };
}

type FilesDeps = Pick<RerunDeps, 'viewModel' | 'askAboutFiles' | 'restore'>;

/** Deletes without a question, because nothing is lost; only changed files need a decision. */
export function createDeleteFrom(deps: FilesDeps): (messageId: string) => Promise<void> {
  return async (messageId) => {
    const { viewModel } = deps;
    if (!(await offerFiles(deps, messageId, 'deleted'))) return;
    const words = wordsSaidAfter(viewModel.state(), messageId);
    await viewModel.conversation().deleteFrom(messageId);
    bringBack(viewModel, words);
  };
}

async function offerFiles(
  { viewModel, askAboutFiles, restore }: FilesDeps,
  messageId: string,
  because: 'asked-again' | 'deleted',
): Promise<boolean> {
  const first = changedAfter(viewModel.state(), messageId);
  if (first === undefined) return true;
  const answer = await askAboutFiles(because);
  if (answer === 'restore') {
    await stopTurn(viewModel);
    await restore(first.turnId);
  }
  return answer !== undefined;
}

function changedAfter({ items }: ChatState, messageId: string): AnswerItem | undefined {
  const at = items.findIndex((item) => item.kind === 'user' && item.id === messageId);
  const found = items.slice(at).find((item) => item.kind === 'answer' && item.checkpoint !== undefined);
  return at >= 0 && found?.kind === 'answer' ? found : undefined;
}

async function stopTurn(viewModel: ChatViewModel): Promise<void> {
  const conversation = viewModel.conversation();
  if (!conversation.running) return;
  const ended = Promise.withResolvers<void>();
  const listening = viewModel.onDidEmit(() => {
    if (viewModel.state().running === undefined) ended.resolve();
  });
  conversation.stop();
  await ended.promise;
  listening.dispose();
}

/**
 * Returns what the user said to turns that are removed with everything from this message on. It must be called before
 * they are.
 */
function wordsSaidAfter({ items }: ChatState, messageId: string) {
  const at = items.findIndex((item) => item.kind === 'user' && item.id === messageId);
  if (at < 0) return [];
  return items
    .slice(at)
    .flatMap((item) => (item.kind === 'answer' ? item.parts : []))
    .flatMap((part) => (part.type === 'steered' ? part.messages : []));
}

function bringBack({ draft }: ChatViewModel, words: ReturnType<typeof wordsSaidAfter>): void {
  if (words.length === 0 || draft.text().trim() !== '' || draft.attachments().length > 0) return;
  for (const attachment of words.flatMap(({ attachments }) => attachments)) draft.attach(attachment);
  draft.append(words.map(asTyped).join('\n\n'));
}
