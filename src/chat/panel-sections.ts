import { type Disposable, disposeAll, type Event } from '../base/emitter.ts';
import type { Attachment } from '../shared/messages.ts';
import type { LineState, SectionAction, SectionKey, SectionMessage, SectionStates } from '../shared/panel/sections.ts';
import type { ChatViewModel } from './view-model.ts';

export interface PanelSection<Key extends SectionKey = SectionKey> {
  key: Key;
  /**
   * Is called at each change of the panel, so it must be cheap. It is absent where the section draws from the
   * conversation alone.
   */
  state?(): SectionStates[Key] | undefined;
  act(action: SectionAction<Key>, page: Page): unknown;
  onDidChange?: Event;
}

interface Page {
  focusInput(): void;
}

export interface SectionView {
  viewModel: ChatViewModel;
  model(): string;
  estimate(attachment: Attachment): { tokens?: number };
  estimateText(text: string): number;
  run(command: string, ...args: readonly unknown[]): unknown;
}

/** Is drawn without a component of its own. `line` is unique, and the lines of a view stand in the order of their list. */
export interface PanelLine<Action extends string = string> {
  line: string;
  state(): LineState<Action> | readonly LineState<Action>[] | undefined;
  actions: Readonly<Record<Action, (page: Page, of: string | undefined) => unknown>>;
  onDidChange?: Event;
}

/** Makes a section for a view. Its subscriptions end with the view. */
export type CreateSection = (view: SectionView) => PanelSection | PanelLine;

export function panelSection<Key extends SectionKey>(section: PanelSection<Key>): PanelSection {
  return section as unknown as PanelSection;
}

export const panelLine = <Action extends string>(line: PanelLine<Action>): PanelLine => line as unknown as PanelLine;

const isLine = (one: PanelSection | PanelLine): one is PanelLine => 'line' in one;

export function createSections(all: readonly (PanelSection | PanelLine)[]) {
  const lines = all.filter(isLine);
  const sections = [
    ...all.filter((one): one is PanelSection => !isLine(one)),
    panelSection({
      key: 'lines',
      state() {
        const shown = lines.flatMap(({ line, state }) =>
          [state() ?? []].flat().map((row) => ({ id: row.of === undefined ? line : `${line} ${row.of}`, ...row })),
        );
        return shown.length === 0 ? undefined : shown;
      },
      act: ({ line, action }, page) => {
        const [name, of] = line.split(' ');
        const found = lines.find((one) => one.line === name);
        return found && Object.hasOwn(found.actions, action) ? found.actions[action]?.(page, of) : undefined;
      },
    }),
  ];
  return {
    states(): Partial<SectionStates> {
      return Object.fromEntries(
        sections.flatMap(({ key, state }) => {
          const shown = state?.();
          return shown === undefined ? [] : [[key, shown]];
        }),
      );
    },
    act: ({ key, action }: SectionMessage, page: Page): unknown =>
      sections.find((section) => section.key === key)?.act(action, page),
    onDidChange(listener: () => void): Disposable {
      const listening = all.flatMap(({ onDidChange }) => onDidChange?.(listener) ?? []);
      return { dispose: () => disposeAll(listening) };
    },
  };
}
