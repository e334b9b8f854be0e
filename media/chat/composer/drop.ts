import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import { maxTextLength } from '../../../src/shared/messages.ts';
import { type Panel, usePanel } from '../panel.ts';

/** URI types come first, because the host can read files by their URI. */
const uriTypes = ['application/vnd.code.uri-list', 'text/uri-list'];
const resourceTypes = ['resourceurls', 'codefiles'];
const maxUris = 50;
const maxFileBytes = 2 * 1024 * 1024;

/** Lets files, folders and tabs be dropped anywhere on the panel. Returns true while a droppable item is over it. */
export function useDrop(): boolean {
  const panel = usePanel();
  const [over, setOver] = useState(false);
  useEffect(() => {
    const onOver = (event: DragEvent) => {
      if (!event.dataTransfer || !isWanted(event.dataTransfer)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    };
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      setOver(false);
      if (!event.dataTransfer || !isWanted(event.dataTransfer)) return;
      event.preventDefault();
      void take(panel, event.dataTransfer);
    };
    const life = new AbortController();
    document.addEventListener('dragover', onOver, life);
    document.addEventListener('dragleave', onLeave, life);
    document.addEventListener('drop', onDrop, life);
    return () => life.abort();
  }, [panel]);
  return over;
}

function isWanted({ types }: DataTransfer): boolean {
  const names = types.map((type) => type.toLowerCase());
  return [...uriTypes, ...resourceTypes, 'files'].some((type) => names.includes(type));
}

async function take(panel: Panel, data: DataTransfer): Promise<void> {
  const uris = droppedUris((type) => data.getData(type));
  if (uris.length > 0) {
    panel.post({ type: 'attachDropped', uris: uris.slice(0, maxUris) });
    if (uris.length > maxUris) panel.composer.say(l10n.t('Only the first {0} files were attached.', maxUris));
    return;
  }
  await Promise.all([...data.files].map((file) => takeFile(panel, file)));
}

/** Takes a file that the host cannot read by URI: the page sends the image, or its text. */
export async function takeFile(panel: Panel, file: File, name = file.name): Promise<void> {
  const id = crypto.randomUUID();
  const shown = name.slice(0, 500) || l10n.t('File');
  panel.pageReads.begin(id, shown, file.type.startsWith('image/') ? 'image' : 'text');
  try {
    if (await panel.images.attach(file, shown, id)) return;
    if (file.size > maxFileBytes) throw new Refusal(tooLarge(shown, file.size));
    const text = await file.text();
    if (text.includes('\0')) throw new Refusal(l10n.t("Can't attach {0}: it isn't text.", shown));
    if (text.length > maxTextLength) throw new Refusal(tooLarge(shown, file.size));
    panel.post({ type: 'attachText', id, name: shown, text });
  } catch (error) {
    const known = error instanceof Refusal;
    const reason = known ? error.message : l10n.t("Can't attach {0}: the file couldn't be read.", shown);
    panel.post({ type: 'notArrived', id, reason });
  }
}

class Refusal extends Error {}

function tooLarge(name: string, bytes: number): string {
  return l10n.t(
    "Can't attach {0}: {1} MB is too large. Attach the lines that matter.",
    ...[name, (bytes / 1024 / 1024).toFixed(1)],
  );
}

/** Returns each dragged URI once, without web addresses. */
export function droppedUris(read: (type: string) => string): string[] {
  const lines = uriTypes.flatMap((type) => read(type).split(/\r?\n/));
  const listed = resourceTypes.flatMap((type) => parseList(read(type)));
  const uris = [...lines, ...listed]
    .map((line) => line.trim())
    .map((line) => (line.startsWith('/') ? `file://${encodeURI(line)}` : line))
    .filter((line) => /^[a-z][a-z0-9+.-]*:\/\//i.test(line) && !/^(https?|data|blob|javascript|command):/i.test(line));
  return [...new Set(uris)];
}

function parseList(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
  } catch {
    // Nothing of this type was dragged.
    return [];
  }
}
