import * as vscode from 'vscode';
import type { Reading } from '../../chat/arriving.ts';
import { maxImageBytes, maxImages, readDataUrl } from '../../shared/image.ts';
import type { Attachment, ImageRef } from '../../shared/messages.ts';
import type { HostMessage, PanelMessage } from '../../shared/panel/protocol.ts';
import type { ImageStore } from '../../storage/image-store.ts';
import { NothingToAttach, type PickedImage } from './read-context.ts';

export interface ImageAttacherDeps {
  images: ImageStore;
  viewModel: { attachments(): readonly Attachment[] };
  post(message: HostMessage): void;
}

type Read = Awaited<Reading>;

/**
 * The page reads what only it can: files that are dropped on it, and images, which it makes ready because it has a canvas. Image files of the host are sent to it and come back as what is pasted and dropped comes. What comes is looked at
 * again before it is stored.
 */
export function createImageAttacher({ images, viewModel, post }: ImageAttacherDeps) {
  /** Open until the page answers. `picked`: it can be asked for again, where the page was hidden. */
  const asked = new Map<string, PromiseWithResolvers<Read> & { picked?: PickedImage }>();

  const ask = (id: string, { name, bytes }: PickedImage) =>
    post({ type: 'prepareImage', id, name, data: Buffer.from(bytes).toString('base64') });
  const expect = (id: string, picked?: PickedImage): Reading => {
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
      const others = viewModel.attachments().filter((other) => other.image !== undefined);
      const same = others.find((other) => other.image?.hash === hash);
      if (others.length >= maxImages && !same) {
        const text = vscode.l10n.t('A message can have up to {0} images. {1} was not attached.', maxImages, name);
        throw new NothingToAttach(text);
      }
      const label = same?.label ?? unused(name, others);
      return { id: message.id, kind: 'image', label, text: '', image, ...(uri !== undefined && { uri }) };
    };
  }

  return {
    expect,
    /** Hands what the page read under this id to whoever expects it; false when nobody does. */
    arrived(id: string, read: Promise<Read>): boolean {
      if (!asked.has(id)) return false;
      answer(id, read);
      return true;
    },
    /** It is not wanted any more. What the page reads itself it still answers, and then nobody takes it. */
    forget(id: string): void {
      if (asked.get(id)?.picked) asked.delete(id);
    },
    prepare(id: string, picked: PickedImage): Reading {
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
    /** Refuses everything that an earlier page began to read itself: this one knows nothing about it. */
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

/** Two screenshots must be told apart. */
function unused(name: string, others: readonly Attachment[]): string {
  const taken = new Set(others.map(({ label }) => label));
  let label = name;
  for (let number = 2; taken.has(label); number++) label = `${name} (${number})`;
  return label;
}

/** The file where there still is one, else the image as it was sent. */
export async function openImage(images: ImageStore, { uri, label }: Attachment, image: ImageRef): Promise<void> {
  const source = uri === undefined ? undefined : vscode.Uri.parse(uri);
  const found =
    source &&
    (await vscode.workspace.fs.stat(source).then(
      () => true,
      () => false,
    ));
  const file = found ? source : await asSent(images, image);
  if (file) await vscode.commands.executeCommand('vscode.open', file, { preview: true });
  else void vscode.window.showInformationMessage(vscode.l10n.t('The image {0} is no longer stored.', label));
}

async function asSent(images: ImageStore, { hash, mediaType }: ImageRef): Promise<vscode.Uri | undefined> {
  const path = await images.toFile(hash, mediaType.replace('image/', ''));
  return path === undefined ? undefined : vscode.Uri.file(path);
}
