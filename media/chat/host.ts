import type { PageState } from '../../src/shared/panel/page-state.ts';
import type { HostMessage, PanelMessage } from '../../src/shared/panel/protocol.ts';
import type { Taken } from './composer/draft.ts';
import type { Edited } from './composer/editing.ts';

/** Survives a hidden or reloaded webview; everything else comes with the next snapshot. */
export interface StoredPanel extends Omit<PageState, 'editing'> {
  /** Absent while nothing is being edited. */
  editing?: Edited;
  draft: string;
  /** The draft as the host last heard it: tells which of the two is newer. */
  postedDraft: string;
  /** When the draft last changed. */
  draftAtMs: number;
  taken: readonly Taken[];
}

/** Where the view stands: `offsetPx` below the top of the message with this index. Heights may change; this stays. */
export type Place = NonNullable<PageState['place']>;

/** The panel's only door to the outside. */
export interface Host {
  post(message: PanelMessage): void;
  /** From the last `store`, whatever shape an older version gave it. */
  stored(): Partial<StoredPanel>;
  store(panel: StoredPanel): void;
  /** Calls `listener` for every message of the host, in order. */
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

/** The host is trusted; this only keeps strangers' window messages (dev tools, other frames) out. */
function isHostMessage(data: unknown): data is HostMessage {
  return typeof data === 'object' && data !== null && 'type' in data && Object.hasOwn(hostTypes, String(data.type));
}

/** A record, so that the compiler names a type that is missing: its messages would be dropped. */
const hostTypes: Record<HostMessage['type'], true> = {
  snapshot: true,
  events: true,
  info: true,
  price: true,
  completions: true,
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
    ...(isPlace(place) && { place }),
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

function isPlace(value: unknown): value is Place {
  if (typeof value !== 'object' || value === null) return false;
  const { message, offsetPx } = value as Record<string, unknown>;
  return Number.isInteger(message) && Number.isFinite(offsetPx);
}
