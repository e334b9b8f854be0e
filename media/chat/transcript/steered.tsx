import * as l10n from '@vscode/l10n';
import { asTyped } from '../../../src/shared/chat/chat-state.ts';
import type { Steered as SteeredEvent } from '../../../src/shared/events.ts';
import { Chips } from '../composer/chips.tsx';
import { visibleText } from '../markdown/visible-text.ts';

export function Steered({ messages }: { messages: SteeredEvent['messages'] }) {
  return (
    <div class="steered">
      <h3 class="visually-hidden">{l10n.t('You (during the answer)')}</h3>
      {messages.map((message) => (
        <div key={message.id} class="user">
          <Chips chips={message.attachments} name={l10n.t('Attachments')} />
          {asTyped(message) !== '' && <p class="prompt">{visibleText(asTyped(message))}</p>}
        </div>
      ))}
    </div>
  );
}
