import type { Attachment } from '../../shared/messages.ts';
import { type PickedImage, showWhyNothing } from '../composer/read-context.ts';

export interface AskAboutDeps {
  attach(attachment: Attachment | PickedImage): void;
  ask(prompt: string): Promise<unknown>;
}

/** Is empty when the user declined a part of it. */
export type Collected = readonly (Attachment | PickedImage)[];

/**
 * A question is never sent without its subject: not when there is none, when a part of it was declined, or when one
 * could not be read, which is shown.
 */
export async function askAbout(
  { attach, ask }: AskAboutDeps,
  prompt: string,
  collect: () => Promise<Collected>,
): Promise<unknown> {
  try {
    const found = await collect();
    if (found.length === 0) return undefined;
    found.forEach(attach);
    return await ask(prompt);
  } catch (error) {
    return showWhyNothing(error);
  }
}

/** Reads one after the other, up to one that the user declines. */
export async function readEach<T>(
  parts: readonly T[],
  read: (part: T) => Promise<Attachment | PickedImage | undefined>,
): Promise<Collected> {
  const found: (Attachment | PickedImage)[] = [];
  for (const part of parts) {
    const attachment = await read(part);
    if (attachment === undefined) return [];
    found.push(attachment);
  }
  return found;
}
