import assert from 'node:assert/strict';
import { type AttachmentRead, createIncomingAttachments } from '../../src/chat/incoming-attachments.ts';
import type { Attachment } from '../../src/shared/messages.ts';
import type { AttachmentChip } from '../../src/shared/panel/panel-info.ts';
import type { PanelMessage } from '../../src/shared/panel/protocol.ts';
import { someOf } from '../support/effort.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { axeProblems } from './axe.ts';
import { panelInfo, snapshot } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';
import { themeNames } from './themes.ts';

const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const kinds = ['small', 'large', 'binary', 'missing', 'image'] as const;

const loading: AttachmentChip = { id: 'l', kind: 'file', label: 'src/routes/shipping.ts', incoming: 'loading' };
const refused: AttachmentChip = {
  ...{ id: 'f', kind: 'file', label: 'logs/server.log' },
  incoming: {
    failed:
      "Can't attach logs/server.log: 36 MB is too large. Attach the lines that matter, or name the file in your message.",
  },
};
const sending = [{ id: 'm', text: 'Why does the total of an order with free shipping come out negative?' }];

describe('what is attached while one types', () => {
  let panel: PanelPage;
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });

  it('F7 U1 no message goes without what was attached before it: 200 files, small, large, binary, missing, and each sent in the same moment', async () => {
    panel = await openPanel();
    await panel.send(snapshot());
    await panel.input.evaluate(attachAndSend, { kinds, onePixel, count: 200 });
    const answered = ({ type }: PanelMessage) => ['attachText', 'attachImage', 'notArrived'].includes(type);
    const posted = await waitFor('an answer for each file', async () => {
      const all = await panel.posted();
      return all.filter(answered).length === 200 ? all : undefined;
    });
    const { sent, drafts } = await playHost(posted);
    for (let nth = 0; nth < 200; nth++) {
      const text = `About ${kinds[nth % kinds.length]} ${nth}`;
      const message = sent.find((one) => one.text === text);
      if (['binary', 'missing'].includes(kinds[nth % kinds.length] ?? '')) assert.ok(drafts.includes(text), text);
      else assert.deepEqual(message?.with, [`file ${nth}`], text);
    }
    assert.equal(sent.length, 120);
  });

  it('F7 U1 what is read is seen as that, the price says that it is not in it, and Escape takes a waiting message back', async () => {
    panel = await openPanel();
    await panel.send(snapshot([], { attachments: [loading], sending }));
    await panel.page.getByText('Reading src/routes/shipping.ts').waitFor({ state: 'attached' });
    await panel.page.getByText('Waiting for src/routes/shipping.ts', { exact: true }).waitFor();
    await panel.send({
      type: 'price',
      price: {
        ...{ tokens: 900, microUsd: 297, historyMicroUsd: 0, error: 0.1 },
        parts: { draft: 0, attachments: 0, history: 0, rules: 0, tools: 900 },
      },
    });
    await panel.page.getByRole('button', { name: '1 attachment is not counted yet' }).waitFor();
    await panel.input.press('Escape');
    assert.deepEqual((await panel.posted()).at(-1), { type: 'takeBack', id: 'm' });
    await panel.page.getByRole('button', { name: "Don't send yet" }).click();
    assert.equal((await panel.posted()).filter(({ type }) => type === 'takeBack').length, 2);
    await panel.send({ type: 'info', info: panelInfo({ sending }) });
    await panel.page.getByText('Waiting for the message before', { exact: true }).waitFor();
    await panel.send({ type: 'info', info: panelInfo({ attachments: [refused] }) });
    await panel.page.getByText('36 MB is too large').first().waitFor();
    await panel.page.getByRole('button', { name: 'Remove logs/server.log' }).click();
    assert.deepEqual((await panel.posted()).at(-1), { type: 'removeAttachment', id: 'f' });
  });

  for (const theme of someOf(themeNames, themeNames.length)) {
    it(`F7 chips that are read, that failed, and a message that waits have no accessibility problem in ${theme}`, async () => {
      panel = await openPanel({ theme, width: 220 });
      await panel.send(snapshot([], { attachments: [loading, refused], sending }));
      await panel.page.getByText('36 MB is too large').first().waitFor();
      assert.deepEqual(await axeProblems(panel.page), []);
    });
  }
});

/** Pastes a file, writes a message and presses Enter, so many times without a pause. */
function attachAndSend(
  element: HTMLElement | SVGElement,
  { kinds, onePixel, count }: { kinds: readonly string[]; onePixel: string; count: number },
): void {
  const box = element as HTMLTextAreaElement;
  const fileOf = (kind: string, name: string) => {
    if (kind === 'image') {
      const bytes = Uint8Array.from(atob(onePixel), (letter) => letter.charCodeAt(0));
      return new File([bytes], name, { type: 'image/png' });
    }
    const content = { small: 'a word', large: 'a line of a log\n'.repeat(60_000), binary: 'a\0b' }[kind] ?? 'gone';
    const file = new File([content], name);
    // A file that was deleted since it was copied.
    if (kind === 'missing') file.text = () => Promise.reject(new DOMException('gone', 'NotFoundError'));
    return file;
  };
  for (let nth = 0; nth < count; nth++) {
    const kind = kinds[nth % kinds.length] ?? '';
    const clipboardData = new DataTransfer();
    // The clipboard hands out copies, which have lost what was made missing.
    Object.defineProperty(clipboardData, 'files', { value: [fileOf(kind, `file ${nth}`)] });
    box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    box.value = `About ${kind} ${nth}`;
    box.dispatchEvent(new InputEvent('input', { bubbles: true }));
    box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  }
}

/** The host's end, message by message as the page posted them. What failed is removed before the next message is written. */
async function playHost(posted: readonly PanelMessage[]) {
  let attached: Attachment[] = [];
  const sent: { text: string; with: string[] }[] = [];
  const drafts: string[] = [];
  const reads = new Map<string, PromiseWithResolvers<Awaited<AttachmentRead>>>();
  const incoming = createIncomingAttachments({
    viewModel: {
      conversation: () => ({ id: 'c' }),
      draft: {
        attachments: () => attached,
        attach(attachment) {
          attached = [...attached, attachment];
        },
        hold: () => () => undefined,
        append: (text) => void drafts.push(text),
      },
    },
    newId: () => 'id',
    after: () => () => {},
    reasonOf: String,
    note: () => {},
    refused: (failed) => {
      for (const { id } of failed) incoming.remove(id);
    },
  });
  for (const message of posted) {
    if (message.type === 'incoming') {
      const read = Promise.withResolvers<Awaited<AttachmentRead>>();
      reads.set(message.id, read);
      void incoming.add({ id: message.id, label: message.name, kind: message.kind }, () => read.promise);
    } else if (message.type === 'attachText' || message.type === 'attachImage') {
      reads.get(message.id)?.resolve({ id: message.id, label: message.name, text: '' });
    } else if (message.type === 'notArrived') {
      reads.get(message.id)?.reject(new Error(message.reason));
    } else if (message.type === 'send') {
      void incoming.whenHere(message.text, async () => {
        sent.push({ text: message.text, with: attached.map(({ label }) => label) });
        attached = [];
      });
    }
  }
  await incoming.whenHere('the last', async () => undefined);
  return { sent, drafts };
}
