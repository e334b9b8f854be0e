import * as l10n from '@vscode/l10n';
import type { ChatItem } from '../../../src/shared/chat/chat-state.ts';
import type { MenuAction, PanelMessage } from '../../../src/shared/panel/protocol.ts';
import { saidIn } from './said.ts';

/**
 * The menu conditions in `package.json` read these contexts. VS Code merges those of all elements from the pressed
 * one upwards.
 */
export const menuContext = {
  question: '{"svcItem":"question"}',
  answer: '{"svcItem":"answer"}',
  code: '{"svcCode":true}',
} as const;

export interface ContextMenuDeps {
  items(): readonly ChatItem[];
  post(message: PanelMessage): void;
  announce(text: string): void;
}

export function createContextMenu({ items, post, announce }: ContextMenuDeps): { choose(action: MenuAction): void } {
  let about: Element | undefined;
  document.addEventListener(
    'contextmenu',
    ({ target }) => {
      about = target instanceof Element ? target : undefined;
    },
    true,
  );
  return {
    choose(action) {
      if (action === 'copyCode') {
        about?.closest('.code-block')?.querySelector<HTMLElement>('.code-actions .copy')?.click();
        return;
      }
      const id = about?.closest<HTMLElement>('article')?.dataset.id;
      const all = items();
      const at = all.findIndex((item) => id !== undefined && idOf(item) === id);
      const text = all[at] && saidIn(all[at]);
      if (text === undefined) return;
      post({ type: 'copy', text });
      announce(l10n.t('Copied'));
    },
  };
}

function idOf(item: ChatItem): string | undefined {
  if (item.kind === 'user') return item.id;
  return item.kind === 'answer' ? item.turnId : undefined;
}
