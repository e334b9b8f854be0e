import type { ToolOutput } from '../agent/tool.ts';
import { maxSidePx, readDataUrl } from '../shared/image.ts';
import { imageSize } from '../shared/image-size.ts';
import type { HistoryImage } from '../shared/messages.ts';
import { type Outputs, reportOutput } from './command/outputs.ts';

export type ExternalResultPart =
  | { kind: 'text'; text: string }
  | { kind: 'data'; mediaType: string; bytes: Uint8Array };

export interface ResultDeps {
  name: string;
  /** Stores a data URL and resolves with its hash. */
  keepImage(url: string): Promise<string>;
  run: { turnId: string; callId: string };
  outputs?: Outputs;
}

const shownText = { head: 9000, tail: 3000 };
const max = { images: 4, imageBytes: 5_000_000 };

export async function readParts(
  parts: readonly ExternalResultPart[],
  { name, keepImage, run, outputs }: ResultDeps,
): Promise<ToolOutput> {
  const texts: string[] = [];
  const images: HistoryImage[] = [];
  const lines: string[] = [];
  for (const part of parts) {
    if (part.kind === 'text') {
      texts.push(part.text);
      continue;
    }
    const report = `${/^[\w.+-]{1,40}\/[\w.+-]{1,60}$/.exec(part.mediaType)?.[0] ?? 'data'}, ${sizeOf(part.bytes)}`;
    const image = await readImage(part, `${name} ${images.length + 1}`, keepImage);
    if (image === undefined) lines.push(`[Left out, no text or image: ${report}]`);
    else if (image === 'too-large') lines.push(`[Left out, an image above ${max.imageBytes / 1e6} MB: ${report}]`);
    else if (images.length === max.images) lines.push(`[Left out, more than ${max.images} images: ${report}]`);
    else {
      images.push(image);
      lines.push(`[The image "${image.label}" follows the results: ${report}]`);
    }
  }
  const text = await reportOutput(texts.join('\n'), run, outputs, shownText);
  const forModel = [text, ...lines].filter((line) => line !== '').join('\n');
  return { forModel: forModel || '[no text in the result]', ...(images.length > 0 && { images }) };
}

async function readImage(
  { mediaType, bytes }: Extract<ExternalResultPart, { kind: 'data' }>,
  label: string,
  keepImage: ResultDeps['keepImage'],
): Promise<HistoryImage | 'too-large' | undefined> {
  if (!mediaType.startsWith('image/')) return undefined;
  if (bytes.length > max.imageBytes) return 'too-large';
  const url = `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
  const read = readDataUrl(url);
  if (read === undefined) return undefined;
  // Nothing is smaller in the estimate than what it may be.
  const { width, height } = imageSize(bytes) ?? { width: maxSidePx, height: maxSidePx };
  return { hash: await keepImage(url), ...read, width, height, label };
}

function sizeOf({ length }: Uint8Array): string {
  return length < 1000 ? `${length} bytes` : `${Math.round(length / 1000).toLocaleString('en')} kB`;
}
