import type { ChatViewModel } from '../../src/chat/view-model.ts';

/** Takes a text out of the composer for work that may fail. Until `release` is called, a crash brings it back as the draft. */
export async function sendLater(viewModel: Pick<ChatViewModel, 'draft' | 'send'>, text: string, ready: Promise<void>) {
  const release = viewModel.draft.hold(text);
  await ready;
  const sent = viewModel.send({ text });
  release();
  return sent;
}
