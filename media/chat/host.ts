import type { PageState } from '../../src/shared/panel/page-state.ts';
import type { HostMessage, PanelMessage } from '../../src/shared/panel/protocol.ts';
import type { Taken } from './composer/draft.ts';
import type { Edited } from './composer/editing.ts';

/** This state survives a hidden or reloaded webview; everything else comes with the next snapshot. */
export interface StoredPanel extends Omit<PageState, 'editing'> {
  editing?: Edited;
  draft: string;
  /** This is the draft as the host last received it; it shows which of the two is newer. */
  postedDraft: string;
  draftAtMs: number;
  taken: readonly Taken[];
}

export type ScrollAnchor = NonNullable<PageState['place']>;

export interface Host {
  post(message: PanelMessage): void;
  /** Returns what the last `store` kept. An older version may have given it any shape. */
  stored(): Partial<StoredPanel>;
  store(panel: StoredPanel): void;
  listen(listener: (message: HostMessage) => void): void;
}

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

export function createHost(): Host {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    stored: () => parseStored(api.getState()),
    store: (panel) => api.setState(panel),
    listen: (listener) =>
      window.addEventListener('message', (event: MessageEvent<unknown>) => {
        if (isHostMessage(event.data)) listener(event.data);
      }),
  };
}

/** The host is trusted; this check only keeps out window messages of others (dev tools, other frames). */
function isHostMessage(data: unknown): data is HostMessage {
  return typeof data === 'object' && data !== null && 'type' in data && Object.hasOwn(hostTypes, String(data.type));
}

/** This is a record, so that the compiler reports a missing type, whose messages would be dropped. */
const hostTypes: Record<HostMessage['type'], true> = {
  snapshot: true,
  events: true,
  info: true,
  price: true,
  completions: true,
  picks: true,
  pasteAttached: true,
  note: true,
  heard: true,
  prepareImage: true,
  image: true,
  prompts: true,
  welcome: true,
  sources: true,
  addToDraft: true,
  names: true,
  codeColors: true,
  colorsChanged: true,
  draftTaken: true,
  menuAction: true,
  focusInput: true,
  focusApproval: true,
  addContext: true,
};

function parseStored(value: unknown): Partial<StoredPanel> {
  if (typeof value !== 'object' || value === null) return {};
  const { conversationId, draft, postedDraft, draftAtMs, taken, place, dismissed, toggled, editing, atMs } =
    value as Record<string, unknown>;
  return {
    ...(typeof conversationId === 'string' && { conversationId }),
    ...(typeof draft === 'string' && { draft }),
    ...(typeof postedDraft === 'string' && { postedDraft }),
    ...(typeof draftAtMs === 'number' && { draftAtMs }),
    ...(Array.isArray(taken) && { taken: taken.filter(isTaken) }),
    ...(isScrollAnchor(place) && { place }),
    ...(isEdited(editing) && { editing }),
    ...(Array.isArray(dismissed) && { dismissed: dismissed.filter((name) => typeof name === 'string') }),
    ...(Array.isArray(toggled) && { toggled: toggled.filter((name) => typeof name === 'string') }),
    ...(typeof atMs === 'number' && { atMs }),
  };
}

function isEdited(value: unknown): value is Edited {
  if (typeof value !== 'object' || value === null) return false;
  const { messageId, attachments, earlierDraft } = value as Record<string, unknown>;
  return typeof messageId === 'string' && Array.isArray(attachments) && typeof earlierDraft === 'string';
}

function isTaken(value: unknown): value is Taken {
  if (typeof value !== 'object' || value === null) return false;
  const { text, atMs } = value as Record<string, unknown>;
  return typeof text === 'string' && Number.isFinite(atMs);
}

function isScrollAnchor(value: unknown): value is ScrollAnchor {
  if (typeof value !== 'object' || value === null) return false;
  const { message, offsetPx } = value as Record<string, unknown>;
  return Number.isInteger(message) && Number.isFinite(offsetPx);
}
