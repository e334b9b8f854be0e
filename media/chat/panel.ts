import type { ReadonlySignal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PanelMessage } from '../../src/shared/panel/protocol.ts';
import type { Images } from './composer/images.ts';
import type { PageReads } from './composer/page-reads.ts';
import type { CodeColors } from './markdown/code-colors.ts';
import type { Names } from './markdown/names.ts';
import type { PanelState } from './state.ts';
import type { InView } from './transcript/in-view.ts';

export interface Panel extends PanelState {
  post(message: PanelMessage): void;
  colors: CodeColors;
  images: Images;
  pageReads: PageReads;
  inView: InView;
  names: Names;
  announce(text: string): void;
  status: ReadonlySignal<string>;
  alert: ReadonlySignal<string>;
}

const PanelContext = createContext<Panel | undefined>(undefined);
export const PanelProvider = PanelContext.Provider;

export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (!panel) throw new Error('a view outside of the panel');
  return panel;
}
