import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { waitFor } from '../vscode/wait-for.ts';
import { type Chat, openChat } from './chat.ts';
import { enterKey } from './session.ts';
import { useSession } from './use-session.ts';

describe('images in a real window', () => {
  const session = useSession();
  let chat: Chat;

  before(async function () {
    this.timeout(240_000);
    chat = await openChat(session());
    await enterKey(session());
  });

  it('S24 F7 a pasted picture is shown on a chip, sent in the common format and shown with the message', async () => {
    await chat.message.fill('What is this?');
    await chat.message.evaluate(async (box) => {
      const canvas = document.createElement('canvas');
      canvas.width = 40;
      canvas.height = 30;
      canvas.getContext('2d')?.fillRect(5, 5, 20, 10);
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
      if (!blob) throw new Error('no picture');
      const data = new DataTransfer();
      data.items.add(new File([blob], 'image.png', { type: 'image/png' }));
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    });
    const chips = chat.frame.getByRole('list', { name: 'Attached to the next message' });
    await chips.locator('img.thumbnail').waitFor();
    await session().window.screenshot('image-attached');
    await chat.message.press('Enter');
    await chat.frame.locator('.message.user img.thumbnail').waitFor();
    const body = await waitFor(
      'the request',
      () => session().service.requests.find(({ rawBody }) => rawBody?.includes('What is this?'))?.rawBody,
    );
    assert.match(body, /\[image: Pasted image, 40×30\]/);
    assert.match(body, /"image_url":\{"url":"data:image\/png;base64,/);
    await session().window.screenshot('image-sent');
  });
});
