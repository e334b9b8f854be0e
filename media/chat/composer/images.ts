import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import { createSerial } from '../../../src/base/serial.ts';
import { isSendable, maxSourceBytes, maxSourcePixels, sniffImage } from '../../../src/shared/image.ts';
import type { HostMessage, PanelMessage } from '../../../src/shared/panel/protocol.ts';
import { fitImage, scaledSize } from './image-fit.ts';

/** The size is twice that shown, for high-density screens. */
const thumbnailPx = 192;

export interface Images {
  /**
   * Resolves with false for a file that is not an image. Otherwise the host is notified, even when the image cannot
   * be sent.
   */
  attach(file: Blob, name: string, id: string): Promise<boolean>;
  /** The value is a data URL, undefined until it is loaded, and `missing` when the image is no longer stored. */
  thumbnail(hash: string): ReadonlySignal<string | 'missing' | undefined>;
  receive(message: HostMessage): void;
}

export function createImages(post: (message: PanelMessage) => void): Images {
  const thumbnails = new Map<string, Signal<string | 'missing' | undefined>>();
  /** One at a time, because a decoded image takes much memory. */
  const inTurn = createSerial();
  const make = async (file: Blob, name: string, id: string): Promise<void> => {
    const ready = await makeReady(file, name);
    if ('refused' in ready) post({ type: 'notArrived', id, reason: ready.refused });
    else post({ type: 'attachImage', id, name: name.slice(0, 500), ...ready });
  };
  return {
    attach: (file, name, id) =>
      inTurn(async () => {
        const type = sniffImage(await startOf(file));
        // An SVG is a text, and more use to a model as that.
        if (type === undefined || type === 'svg') return false;
        await make(file, name, id);
        return true;
      }),
    thumbnail(hash) {
      const known = thumbnails.get(hash);
      if (known) return known;
      const picture = signal<string | 'missing' | undefined>(undefined);
      thumbnails.set(hash, picture);
      post({ type: 'showImage', hash });
      return picture;
    },
    receive(message) {
      if (message.type === 'prepareImage') {
        const { id, name, data } = message;
        inTurn(() => make(blobOf(data), name, id)).catch(() =>
          post({ type: 'notArrived', id, reason: l10n.t("Can't attach {0}: the file couldn't be read.", name) }),
        );
      } else if (message.type === 'image') {
        const picture = thumbnails.get(message.hash);
        if (picture) void drawThumbnail(message.url).then((url) => (picture.value = url));
      }
    },
  };
}

async function startOf(file: Blob): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(0, 1024).arrayBuffer());
}

function blobOf(base64: string): Blob {
  return new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))]);
}

/**
 * Re-encodes only the first frame, upright and scaled down, which removes location, camera and comments. Returns the
 * reason when the image cannot be sent.
 */
async function makeReady(
  file: Blob,
  name: string,
): Promise<{ url: string; width: number; height: number } | { refused: string }> {
  const type = sniffImage(await startOf(file));
  if (!isSendable(type)) {
    return { refused: l10n.t("Can't attach {0}: only PNG, JPEG, GIF, and WebP images can be sent.", name) };
  }
  if (file.size > maxSourceBytes) {
    return { refused: l10n.t("Can't attach {0}: it's larger than 20 MB. Make it smaller and try again.", name) };
  }
  // Its type, because a browser goes by that; its bytes say what it is.
  const bitmap = await createImageBitmap(new Blob([file], { type })).catch(() => undefined);
  if (bitmap === undefined) {
    return { refused: l10n.t("Can't attach {0}: the file is damaged, or its content doesn't match its type.", name) };
  }
  try {
    if (bitmap.width * bitmap.height > maxSourcePixels) {
      return { refused: l10n.t("Can't attach {0}: the image has too many pixels. Resize it and try again.", name) };
    }
    const { width, height } = bitmap;
    return fitImage({ width, height, type }, (size, as, quality) => draw(bitmap, size, as, quality));
  } finally {
    bitmap.close();
  }
}

function draw(
  bitmap: ImageBitmap,
  { width, height }: { width: number; height: number },
  type: string,
  quality?: number,
) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.imageSmoothingQuality = 'high';
  if (type === 'image/jpeg') {
    // It knows no transparency, and what shows through would be black.
    context.fillStyle = 'white';
    context.fillRect(0, 0, width, height);
  }
  context.drawImage(bitmap, 0, 0, width, height);
  return canvas.toDataURL(type, quality);
}

async function drawThumbnail(url: string | undefined): Promise<string> {
  if (url === undefined) return 'missing';
  const bitmap = await createImageBitmap(blobOf(url.slice(url.indexOf(',') + 1))).catch(() => undefined);
  if (bitmap === undefined) return 'missing';
  try {
    return draw(bitmap, scaledSize(bitmap, thumbnailPx), 'image/png');
  } finally {
    bitmap.close();
  }
}
