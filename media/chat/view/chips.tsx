import * as l10n from '@vscode/l10n';
import { formatMicroUsd } from '../../../src/shared/money.ts';
import type { AttachmentChip } from '../../../src/shared/protocol.ts';
import { formatAbout, formatShortCount } from '../format.ts';
import { usePanel } from '../panel.ts';
import { visibleText } from '../visible-text.ts';
import { IconButton } from './buttons.tsx';
import { contextIcon } from './completion-list.tsx';
import { Icon } from './icon.tsx';

interface ChipsProps {
  chips: readonly AttachmentChip[];
  name: string;
  /** Absent on a message that was sent. */
  onRemove?: (id: string) => void;
  /** The chip stands for a text that was pasted and can be written out again. */
  onAsText?: (id: string) => (() => void) | undefined;
}

/** What is attached: a press opens the source, size and price are on it (U1). */
export function Chips({ chips, name, onRemove, onAsText }: ChipsProps) {
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label={name}>
      {chips.map((chip) => (
        <Chip key={chip.id} chip={chip} onRemove={onRemove} asText={onAsText?.(chip.id)} />
      ))}
    </ul>
  );
}

interface ChipProps {
  chip: AttachmentChip;
  onRemove?: (id: string) => void;
  asText?: () => void;
}

function Chip({ chip: { id, label, kind, tokens, microUsd }, onRemove, asText }: ChipProps) {
  const panel = usePanel();
  const locale = panel.info.value?.locale ?? 'en';
  const source = panel.composer.sources.value[id];
  const shown = visibleText(label);
  const state = source && (source === 'gone' ? l10n.t('no longer there') : l10n.t('changed since'));
  const weight =
    tokens === undefined
      ? undefined
      : l10n.t('about {0} tokens, {1}', formatAbout(tokens, locale), formatMicroUsd(microUsd ?? 0, true, locale));
  return (
    <li class={source ? 'chip stale' : 'chip'}>
      <button
        type="button"
        class="chip-open"
        aria-label={[l10n.t('Open {0}', shown), state, weight].filter(Boolean).join(', ')}
        title={[shown, state, weight].filter(Boolean).join('\n')}
        onClick={() => panel.post({ type: 'openAttachment', id })}
      >
        <Icon name={contextIcon(kind)} />
        <ChipLabel text={shown} isPath={kind === undefined || kind === 'file'} />
        {state && <span class="chip-state">{state}</span>}
        {tokens !== undefined && <span class="chip-tokens">≈ {formatShortCount(tokens, locale)}</span>}
      </button>
      {asText && <IconButton icon="edit" name={l10n.t('Paste {0} as text', shown)} onPress={asText} />}
      {onRemove && <IconButton icon="close" name={l10n.t('Remove {0}', shown)} onPress={() => onRemove(id)} />}
    </li>
  );
}

/** Where there is no room, a path gives up its folders before the name and the lines that tell it from others. */
function ChipLabel({ text, isPath }: { text: string; isPath: boolean }) {
  const [, folder = '', name = text, lines = ''] = (isPath && /^(.*\/)?(.*?)(:\d+-\d+)?$/s.exec(text)) || [];
  return (
    <span class="chip-label">
      {folder !== '' && <span class="chip-folder">{folder}</span>}
      <span class="chip-name">{name}</span>
      {lines}
    </span>
  );
}
