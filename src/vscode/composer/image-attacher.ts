import * as vscode from 'vscode';
import type { Draft } from '../../chat/draft-store.ts';
import type { AttachmentRead } from '../../chat/incoming-attachments.ts';
import { maxImageBytes, maxImages, readDataUrl } from '../../shared/image.ts';
import type { Attachment, ImageRef } from '../../shared/messages.ts';
import type { HostMessage, PanelMessage } from '../../shared/panel/protocol.ts';
import type { ImageStore } from '../../storage/image-store.ts';
import { showMessage } from '../host/show-message.ts';
import { statOf } from '../workspace/place-uri.ts';
import { NothingToAttach, type PickedImage } from './read-context.ts';

export interface ImageAttacherDeps {
  images: ImageStore;
  viewModel: { draft: Pick<Draft, 'attachments'> };
  post(message: HostMessage): void;
}

type Read = Awaited<AttachmentRead>;

/**
 * Lets the page read dropped files, and images, which it prepares because only it has a canvas. Image files of the
 * host are sent to the page and come back like pasted ones. Everything from the page is checked again before it is
 * stored.
 */
export function createImageAttacher({ images, viewModel, post }: ImageAttacherDeps) {
  /** Holds requests that the page has not answered. One with `picked` can be repeated after the page was hidden. */
  const asked = new Map<string, PromiseWithResolvers<Read> & { picked?: PickedImage }>();

  const ask = (id: string, { name, bytes }: PickedImage) =>
    post({ type: 'prepareImage', id, name, data: Buffer.from(bytes).toString('base64') });
  const expect = (id: string, picked?: PickedImage): AttachmentRead => {
    const answer = { ...Promise.withResolvers<Read>(), ...(picked && { picked }) };
    asked.set(id, answer);
    return answer.promise;
  };
  const answer = (id: string, read: Promise<Read>) => {
    asked.get(id)?.resolve(read);
    asked.delete(id);
  };
  const refuse = (id: string, reason: string) => {
    asked.get(id)?.reject(new NothingToAttach(reason));
    asked.delete(id);
  };
  async function imageOf(message: Extract<PanelMessage, { type: 'attachImage' }>, uri?: string): Promise<Read> {
    const { name, url, width, height } = message;
    const read = readDataUrl(url);
    if (read === undefined || read.bytes > maxImageBytes) throw new Error('The image is not what it should be.');
    const hash = await images.add(url);
    const image: ImageRef = { hash, mediaType: read.mediaType, width, height, bytes: read.bytes };
    // Once those before it are attached: only then is it known how many there are, and what they are called.
    return () => {
      const others = viewModel.draft.attachments().filter((other) => other.image !== undefined);
      const same = others.find((other) => other.image?.hash === hash);
      if (others.length >= maxImages && !same) {
        const text = vscode.l10n.t('A message can have up to {0} images. {1} was not attached.', maxImages, name);
        throw new NothingToAttach(text);
      }
      const label = same?.label ?? unused(name, others);
      return { id: message.id, kind: 'image', label, text: '', image, uri };
    };
  }

  return {
    expect,
    /** Passes what the page read to the request with this id; false when nobody waits for it. */
    arrived(id: string, read: Promise<Read>): boolean {
      if (!asked.has(id)) return false;
      answer(id, read);
      return true;
    },
    /** The page still answers for what it reads itself, and then the answer is dropped. */
    forget(id: string): void {
      if (asked.get(id)?.picked) asked.delete(id);
    },
    prepare(id: string, picked: PickedImage): AttachmentRead {
      const reading = expect(id, picked);
      ask(id, picked);
      return reading;
    },
    async attachImage(message: Extract<PanelMessage, { type: 'attachImage' }>): Promise<void> {
      // Asked twice, because the page was drawn anew meanwhile, it answers twice.
      const expected = asked.get(message.id);
      if (expected) answer(message.id, imageOf(message, expected.picked?.uri));
    },
    async notArrived({ id, reason }: Pick<Extract<PanelMessage, { type: 'notArrived' }>, 'id' | 'reason'>) {
      refuse(id, reason);
    },
    /** Rejects everything that an earlier page began to read itself, because the new one knows nothing of it. */
    async pageBegan(): Promise<void> {
      for (const [id, { picked }] of asked) {
        if (!picked) refuse(id, vscode.l10n.t("The file couldn't be read."));
      }
    },
    async askForImages(): Promise<void> {
      for (const [id, { picked }] of asked) if (picked) ask(id, picked);
    },
    async showImage(hash: string): Promise<void> {
      const url = await images.read(hash);
      post({ type: 'image', hash, ...(url !== undefined && { url }) });
    },
  };
}

function unused(name: string, others: readonly Attachment[]): string {
  const taken = new Set(others.map(({ label }) => label));
  let label = name;
  for (let number = 2; taken.has(label); number++) label = `${name} (${number})`;
  return label;
}

export async function openImage(images: ImageStore, { uri, label }: Attachment, image: ImageRef): Promise<void> {
  const source = uri === undefined ? undefined : vscode.Uri.parse(uri);
  const found = source && (await statOf(source).catch(() => undefined));
  const file = found ? source : await asSent(images, image);
  if (file) await vscode.commands.executeCommand('vscode.open', file, { preview: true });
  else showMessage(vscode.l10n.t('The image {0} is no longer stored.', label));
}

async function asSent(images: ImageStore, { hash, mediaType }: ImageRef): Promise<vscode.Uri | undefined> {
  const path = await images.toFile(hash, mediaType.replace('image/', ''));
  return path === undefined ? undefined : vscode.Uri.file(path);
}
