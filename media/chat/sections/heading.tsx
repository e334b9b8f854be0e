import { useComputed } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import { waitsForUser } from '../../../src/shared/chat/chat-state.ts';
import type { PanelInfo } from '../../../src/shared/panel/panel-info.ts';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';

/**
 * Names the conversation in the side bar, because VS Code shows no title of a view that is alone in its container. An
 * editor tab has its own title.
 */
export function Heading({ info }: { info: PanelInfo }) {
  const { chat } = usePanel();
  const title = useComputed(() => chat.value.title).value;
  const asks = useComputed(() => waitsForUser(chat.value)).value;
  if (info.inTab || title === '') return <h1 class="visually-hidden">{l10n.t('svc Assistant')}</h1>;
  const text = visibleText(asks ? l10n.t('Needs you: {0}', title) : title);
  return (
    <h1 class="heading" title={text}>
      {text}
    </h1>
  );
}
