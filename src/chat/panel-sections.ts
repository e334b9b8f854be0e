import { type Disposable, disposeAll, type Event } from '../base/emitter.ts';
import type { Attachment } from '../shared/messages.ts';
import type { SectionAction, SectionKey, SectionMessage, SectionStates } from '../shared/panel/sections.ts';
import type { ChatViewModel } from './view-model.ts';

/** One part of the panel in one view: what it shows, and what its buttons do. */
export interface PanelSection<Key extends SectionKey = SectionKey> {
  key: Key;
  /** Called at each change of the panel, so it must be cheap. Absent where the conversation says all that is shown. */
  state?(): SectionStates[Key] | undefined;
  act(action: SectionAction<Key>, page: { focusInput(): void }): unknown;
  /** The state changed by something else than the view's conversation. */
  onDidChange?: Event;
}

/** The view in which a section stands, as far as sections need it. */
export interface SectionView {
  viewModel: ChatViewModel;
  /** The model for the next message. */
  model(): string;
  /** Estimates what an attachment adds to the next message. */
  estimate(attachment: Attachment): { tokens?: number };
  /** Estimates the price of a text as the next message, in micro-dollars. */
  estimateText(text: string): number;
  /** Runs a command of ours on this view. */
  run(command: string, ...args: readonly unknown[]): unknown;
}

/** Makes a section for a view. Whatever the section listens to ends with the view. */
export type CreateSection = (view: SectionView) => PanelSection;

/** Keeps `act` and `state` of one key together where sections of all keys are in one list. */
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
