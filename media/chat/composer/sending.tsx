import * as l10n from '@vscode/l10n';
import { useEffect } from 'preact/hooks';
import type { PanelInfo } from '../../../src/shared/panel/panel-info.ts';
import { IconButton } from '../controls/buttons.tsx';
import { Icon } from '../controls/icon.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { type Panel, usePanel } from '../panel.ts';

export function Sending({ info }: { info: PanelInfo }) {
  const panel = usePanel();
  const { sending = [], attachments } = info;
  const loading = attachments.filter(({ incoming }) => incoming === 'loading');
  const [first] = loading;
  const waitsFor =
    first === undefined
      ? l10n.t('Waiting for the message before')
      : loading.length === 1
        ? l10n.t('Waiting for {0}', visibleText(first.label))
        : l10n.t('Waiting for {0} attachments', loading.length);
  useEffect(() => {
    if (sending.length > 0) panel.announce(l10n.t('{0}. Press Escape to take the message back.', waitsFor));
  }, [sending.length]);
  return sending.map(({ id, text }) => (
    <div key={id} class="sending">
      <Icon name="spinner" />
      <span class="queued" title={visibleText(text)}>
        {visibleText(text)}
      </span>
      <span class="quiet">{waitsFor}</span>
      <IconButton icon="close" name={l10n.t("Don't send yet")} onPress={() => panel.post({ type: 'takeBack', id })} />
    </div>
  ));
}

export function takeBackLast(panel: Panel, { sending = [] }: PanelInfo): void {
  const last = sending.at(-1);
  if (last) panel.post({ type: 'takeBack', id: last.id });
}
