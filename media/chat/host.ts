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
  /** Returns what the last `store` kept. */
  stored(): Partial<StoredPanel>;
  store(panel: StoredPanel): void;
  listen(listener: (message: HostMessage) => void): void;
}

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** A panel of another shape gets another name: what an older version stored under this one is read unchecked. */
interface Stored {
  v1?: StoredPanel;
}

declare function acquireVsCodeApi(): VsCodeApi;

export function createHost(): Host {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    stored: () => (api.getState() as Stored | undefined)?.v1 ?? {},
    store: (panel) => api.setState({ v1: panel } satisfies Stored),
    listen: (listener) =>
      window.addEventListener('message', (event: MessageEvent<unknown>) => {
        // Windows have messages of others too: dev tools, other frames.
        if (typeof event.data === 'object' && event.data !== null && 'type' in event.data)
          listener(event.data as HostMessage);
      }),
  };
}
