import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { formatMicroUsd } from '../../../src/shared/money.ts';
import type { AttachmentChip } from '../../../src/shared/panel/panel-info.ts';
import { IconButton } from '../controls/buttons.tsx';
import { formatAbout, formatShortCount } from '../controls/format.ts';
import { Icon } from '../controls/icon.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';
import { completionIcon } from './completion-list.tsx';

interface ChipsProps {
  chips: readonly AttachmentChip[];
  name: string;
  onRemove?: (id: string) => void;
  /** Is true when the model takes no images, so only their names will be sent. */
  imagesRefused?: boolean;
  /** Returns the action that writes a pasted text out again, when the chip stands for one. */
  onAsText?: (id: string) => (() => void) | undefined;
}

export function Chips({ chips, name, onRemove, onAsText, imagesRefused }: ChipsProps) {
  const list = useRef<HTMLUListElement>(null);
  const count = useRef(chips.length);
  useLayoutEffect(() => {
    // Of many the newest are seen.
    if (onRemove && list.current && chips.length > count.current) list.current.scrollTop = list.current.scrollHeight;
    count.current = chips.length;
  }, [chips.length]);
  if (chips.length === 0) return null;
  return (
    <ul ref={list} class="chips" aria-label={name}>
      {chips.map((chip) => (
        <Chip
          key={chip.id}
          chip={chip}
          refused={imagesRefused === true && chip.image !== undefined}
          onRemove={onRemove}
          asText={onAsText?.(chip.id)}
        />
      ))}
    </ul>
  );
}

interface ChipProps {
  chip: AttachmentChip;
  refused: boolean;
  onRemove?: (id: string) => void;
  asText?: () => void;
}

function Chip({ chip, refused, onRemove, asText }: ChipProps) {
  const panel = usePanel();
  const { id, label, kind, image, tokens, assumed, incoming } = chip;
  if (incoming !== undefined) return <IncomingChip chip={chip} incoming={incoming} onRemove={onRemove} />;
  const locale = panel.info.value?.locale ?? 'en';
  const source = panel.composer.sources.value[id];
  const shown = visibleText(label);
  const state = source && (source === 'gone' ? l10n.t('no longer there') : l10n.t('changed since'));
  const facts = [
    // What is seen comes first and in this order, for those who speak to their machine.
    state,
    refused && l10n.t('name only'),
    image && `${image.width} × ${image.height}`,
    priceOf(chip, locale),
    refused && l10n.t('This model might not accept images. To send the image, choose another model.'),
    image &&
      onRemove === undefined &&
      l10n.t('Sent again with the next two messages; after that, only its name is sent'),
  ].filter((fact) => typeof fact === 'string');
  return (
    <li class={['chip', (source || refused) && 'stale', image && 'with-image'].filter(Boolean).join(' ')}>
      <button
        type="button"
        class="chip-open"
        title={[shown, ...facts].join('\n')}
        onClick={() => panel.post({ type: 'openAttachment', id })}
      >
        <span class="visually-hidden">{[l10n.t('Open {0}', shown), ...facts].join(', ')}</span>
        {image ? <Thumbnail hash={image.hash} /> : <Icon name={completionIcon(kind)} />}
        <ChipLabel text={shown} isPath={kind === undefined || kind === 'file'} />
        {state && (
          <span class="chip-state" aria-hidden="true">
            {' '}
            {state}
          </span>
        )}
        {refused && (
          <span class="chip-state" aria-hidden="true">
            {' '}
            {l10n.t('name only')}
          </span>
        )}
        {tokens !== undefined && (
          <span class="chip-tokens" aria-hidden="true">
            {assumed ? l10n.t('price unknown') : `≈ ${formatShortCount(tokens, locale)}`}
          </span>
        )}
      </button>
      {asText && <IconButton icon="edit" name={l10n.t('Paste {0} as text', shown)} onPress={asText} />}
      {onRemove && <IconButton icon="close" name={l10n.t('Remove {0}', shown)} onPress={() => onRemove(id)} />}
    </li>
  );
}

interface IncomingProps extends Pick<ChipProps, 'chip' | 'onRemove'> {
  incoming: NonNullable<AttachmentChip['incoming']>;
}

/** Shows the chip from the moment of picking. A failure stays in its position with the reason. */
function IncomingChip({ chip: { id, label, kind }, incoming, onRemove }: IncomingProps) {
  const panel = usePanel();
  const shown = visibleText(label);
  const failed = incoming === 'loading' ? undefined : visibleText(incoming.failed);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (failed === undefined) return;
    row.current?.scrollIntoView({ block: 'nearest' });
    panel.announce(failed);
  }, [failed]);
  return (
    <li ref={row} class={failed === undefined ? 'chip incoming' : 'chip failed'}>
      {failed === undefined ? (
        <span class="chip-open" title={l10n.t('{0}\nReading…', shown)}>
          <Icon name="spinner" />
          <span class="visually-hidden">{l10n.t('Reading {0}', shown)}</span>
          <ChipLabel text={shown} isPath={kind === undefined || kind === 'file'} />
        </span>
      ) : (
        <button type="button" class="chip-open" onClick={() => panel.post({ type: 'openAttachment', id })}>
          <Icon name="error" />
          <span class="chip-reason">{failed}</span>
        </button>
      )}
      {onRemove && <IconButton icon="close" name={l10n.t('Remove {0}', shown)} onPress={() => onRemove(id)} />}
    </li>
  );
}

/** When space is short, a path loses its folders before the name and line numbers that distinguish it. */
function ChipLabel({ text, isPath }: { text: string; isPath: boolean }) {
  const [, folder = '', name = text, lines = ''] = (isPath && /^(.*\/)?(.*?)(:\d+-\d+)?$/s.exec(text)) || [];
  return (
    <span class="chip-label" aria-hidden="true">
      {folder !== '' && <span class="chip-folder">{folder}</span>}
      <span class="chip-name">{name}</span>
      {lines}
    </span>
  );
}

function priceOf({ tokens, microUsd = 0, assumed }: AttachmentChip, locale: string): string | undefined {
  if (tokens === undefined) return undefined;
  const [count, money] = [formatAbout(tokens, locale), formatMicroUsd(microUsd, true, locale)];
  return assumed
    ? l10n.t("cost isn't known until this model's first image; about {0} tokens, {1}, is assumed", count, money)
    : l10n.t('tokens: about {0}, {1}', count, money);
}

function Thumbnail({ hash }: { hash: string }) {
  const picture = usePanel().images.thumbnail(hash).value;
  if (picture === undefined || picture === 'missing') return <Icon name="image" />;
  return <img class="thumbnail" src={picture} alt="" />;
}
