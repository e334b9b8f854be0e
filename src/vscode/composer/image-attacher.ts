import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { mostImageBytes, mostImages, readDataUrl } from '../../shared/image.ts';
import type { Attachment, ImageRef } from '../../shared/messages.ts';
import type { HostMessage, PanelMessage } from '../../shared/panel/protocol.ts';
import type { ImageStore } from '../../storage/image-store.ts';
import type { PickedImage } from './read-context.ts';

export interface ImageAttacherDeps {
  images: ImageStore;
  seat: { attachments(): readonly Attachment[] };
  post(message: HostMessage): void;
  add(attachment: Attachment): void;
  note(text: string): void;
  log: { error(line: string, error?: unknown): void };
}

/**
 * Images on their way into the next message. The page makes them ready, because it has a canvas: files are sent to it
 * and come back as what is pasted and dropped comes. What comes is looked at again before it is stored.
 */
export function createImageAttacher(deps: ImageAttacherDeps) {
  const { images, seat, post, note } = deps;
  /** Files that the page has not answered; it may have been hidden when they were picked. */
  const asked = new Map<number, PickedImage>();
  let last = 0;
  let attached: Promise<void> = Promise.resolve();

  const ask = (id: number, { name, bytes }: PickedImage) =>
    post({ type: 'prepareImage', id, name, data: Buffer.from(bytes).toString('base64') });

  async function attachImage({ id, name, url, width, height }: Extract<PanelMessage, { type: 'attachImage' }>) {
    const source = id === undefined ? undefined : asked.get(id);
    // Asked twice, because the page was drawn anew meanwhile, it answers twice.
    if (id !== undefined && !asked.delete(id)) return;
    const read = readDataUrl(url);
    if (read === undefined || read.bytes > mostImageBytes) {
      deps.log.error('An image of the panel was dropped: it is not what it should be');
      return;
    }
    const others = seat.attachments().filter(({ image }) => image !== undefined);
    if (others.length >= mostImages) {
      note(vscode.l10n.t('A message can have up to {0} images. {1} was not attached.', mostImages, name));
      return;
    }
    try {
      const hash = await images.add(url);
      const image: ImageRef = { hash, mediaType: read.mediaType, width, height, bytes: read.bytes };
      const label = others.find((other) => other.image?.hash === hash)?.label ?? unused(name, others);
      const uri = source && { uri: source.uri };
      deps.add({ id: randomUUID(), kind: 'image', label, text: '', image, ...uri });
    } catch (error) {
      deps.log.error('An image could not be stored', error);
      const reason = error instanceof Error ? error.message : String(error);
      note(vscode.l10n.t("{0} wasn't attached because it couldn't be stored: {1}", name, reason));
    }
  }

  return {
    prepare(picked: PickedImage): void {
      last += 1;
      asked.set(last, picked);
      ask(last, picked);
    },
    attachImage(message: Extract<PanelMessage, { type: 'attachImage' }>): Promise<void> {
      // One after the other: they keep their order, and each knows how many there are.
      attached = attached.then(() => attachImage(message));
      return attached;
    },
    async imageRefused(id: number): Promise<void> {
      asked.delete(id);
    },
    imagesAttached: () => attached,
    async askForImages(): Promise<void> {
      for (const [id, picked] of asked) ask(id, picked);
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
