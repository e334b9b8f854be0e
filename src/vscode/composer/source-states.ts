import * as vscode from 'vscode';
import { isAsAttached } from '../../conversation/attachment-source.ts';
import { readableText } from '../../files/decode-text.ts';
import { type ChatState, sentAttachments } from '../../shared/chat/chat-state.ts';
import type { Attachment } from '../../shared/messages.ts';
import { createCodec } from '../workspace/codec-adapter.ts';
import { bytesOf, openDocument, statOf } from '../workspace/place-uri.ts';

const codec = createCodec();

type States = Record<string, 'changed' | 'gone'>;

/** Limits the check to the newest attachments of a long conversation. */
const maxChecked = 50;
const maxBytes = 2 * 1024 * 1024;

export async function sourceStates(state: ChatState): Promise<States> {
  const sent = sentAttachments(state).filter(hasSource);
  const checked = sent.slice(-maxChecked);
  const texts = new Map<string, Promise<string | undefined | 'unknown'>>();
  for (const { uri } of checked) {
    if (uri !== undefined && !texts.has(uri)) texts.set(uri, textAt(vscode.Uri.parse(uri)));
  }
  const states: States = {};
  for (const attachment of checked) {
    const { id, uri = '' } = attachment;
    const now = await texts.get(uri);
    if (now === undefined) states[id] = 'gone';
    else if (now !== 'unknown' && !isAsAttached(attachment, now)) states[id] = 'changed';
  }
  return states;
}

/** Folders, changes and the like were only ever snapshots, so their changes are not reported. */
function hasSource({ uri, kind = 'file' }: Attachment): boolean {
  return uri !== undefined && (kind === 'file' || kind === 'symbol' || kind === 'text');
}

/** Resolves with undefined when the source is gone, and with `unknown` when it cannot be read. */
async function textAt(uri: vscode.Uri): Promise<string | undefined | 'unknown'> {
  try {
    const open = openDocument(uri);
    if (open?.isDirty || open?.isUntitled) return open.getText();
    const stat = await statOf(uri);
    // The editor remembers the text of a deleted file for a while.
    if (!stat) return undefined;
    if (open) return open.getText();
    if (stat.size > maxBytes) return 'unknown';
    const bytes = await bytesOf(uri);
    const place = { root: { name: '', uri: uri.toString() }, path: '' };
    return bytes && ((await readableText(codec, place, bytes)) ?? 'unknown');
  } catch {
    // A folder that is not connected, a file without rights: nothing is known about it.
    return 'unknown';
  }
}
