import { type Disposable, disposeAll, type Event } from '../base/emitter.ts';
import type { Attachment } from '../shared/messages.ts';
import type { SectionAction, SectionKey, SectionMessage, SectionStates } from '../shared/panel/sections.ts';
import type { ChatViewModel } from './view-model.ts';

export interface PanelSection<Key extends SectionKey = SectionKey> {
  key: Key;
  /**
   * Is called at each change of the panel, so it must be cheap. It is absent where the section draws from the
   * conversation alone.
   */
  state?(): SectionStates[Key] | undefined;
  act(action: SectionAction<Key>, page: { focusInput(): void }): unknown;
  onDidChange?: Event;
}

export interface SectionView {
  viewModel: ChatViewModel;
  model(): string;
  estimate(attachment: Attachment): { tokens?: number };
  estimateText(text: string): number;
  run(command: string, ...args: readonly unknown[]): unknown;
}

/** Makes a section for a view. Its subscriptions end with the view. */
export type CreateSection = (view: SectionView) => PanelSection;

export function panelSection<Key extends SectionKey>(section: PanelSection<Key>): PanelSection {
  return section as unknown as PanelSection;
}

export function createSections(sections: readonly PanelSection[]) {
  return {
    states(): Partial<SectionStates> {
      return Object.fromEntries(
        sections.flatMap(({ key, state }) => {
          const shown = state?.();
          return shown === undefined ? [] : [[key, shown]];
        }),
      );
    },
    act: ({ key, action }: SectionMessage, page: { focusInput(): void }): unknown =>
      sections.find((section) => section.key === key)?.act(action, page),
    onDidChange(listener: () => void): Disposable {
      const listening = sections.flatMap(({ onDidChange }) => onDidChange?.(listener) ?? []);
      return { dispose: () => disposeAll(listening) };
    },
  };
}
