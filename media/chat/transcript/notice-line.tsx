import * as l10n from '@vscode/l10n';
import type { Notice } from '../../../src/shared/events.ts';
import { describeFailure } from '../../../src/shared/failure/failure-text.ts';
import { kinds } from '../../../src/shared/failure/kinds.ts';
import { formatMicroUsd } from '../../../src/shared/money.ts';
import { formatAbout, formatCount } from '../controls/format.ts';
import { Icon } from '../controls/icon.tsx';
import { memo } from '../controls/memo.ts';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';
import type { BelowNotice } from './part-positions.ts';

type SaidNotice = Exclude<Notice, BelowNotice>;

/**
 * Shows what the user must know to judge how an answer came about. `cutModel` names the model whose words end at this
 * seam.
 */
export const NoticeLine = memo(({ notice, cutModel }: { notice: SaidNotice; cutModel: string | undefined }) => {
  const { nameOf, info } = usePanel();
  return (
    <p class="notice">
      <Icon name={notice.kind === 'fallback' ? 'swap' : 'info'} />
      <span>{visibleText(noticeText(notice, { nameOf, locale: info.value?.locale ?? 'en', cutModel }))}</span>
    </p>
  );
});

interface About {
  nameOf: (id: string) => string;
  locale: string;
  cutModel: string | undefined;
}

function noticeText(notice: SaidNotice, { nameOf, locale, cutModel }: About): string {
  switch (notice.kind) {
    case 'fallback':
      return fallbackText(notice, nameOf, cutModel);
    case 'degraded':
      return degradedTexts[notice.feature](nameOf(notice.model), notice.parameter ?? '');
    case 'compacted':
      return l10n.t(
        "Compacted to stay within the model's limit. The earlier conversation is now sent as {0} tokens instead of {1}. The summary cost {2}.",
        formatAbout(notice.tokensAfter, locale),
        formatAbout(notice.tokensBefore, locale),
        formatMicroUsd(notice.microUsd, notice.estimated, locale),
      );
    case 'cut-input':
      return l10n.t(
        'About {0} tokens were sent, but {1} counted only {2}, so it might have dropped part of the conversation. Compact it, or set a limit for this model.',
        formatAbout(notice.sentTokens, locale),
        nameOf(notice.model),
        formatCount(notice.countedTokens, locale),
      );
    case 'over-limit': {
      const limit = formatMicroUsd(notice.limitMicroUsd, false, locale);
      return notice.limit === 'daily'
        ? l10n.t(
            'You reached your daily limit of {0}. This answer continues because you allowed it once; its cost counts.',
            limit,
          )
        : l10n.t(
            'This conversation reached its limit of {0}. This answer continues because you allowed it once; its cost counts.',
            limit,
          );
    }
    case 'later-changes':
      return [
        notice.undone.length > 0 &&
          l10n.t('The model was told that its changes to {0} were undone.', notice.undone.join(', ')),
        notice.changed.length > 0 &&
          l10n.t('The model was told that these files have changed since: {0}.', notice.changed.join(', ')),
      ]
        .filter(Boolean)
        .join(' ');
    case 'world-changes':
      return outsideChangesText(notice);
    case 'note':
      return notice.text;
  }
}

function outsideChangesText({
  added,
  removed,
  gone,
  trusted,
  ended,
}: Extract<Notice, { kind: 'world-changes' }>): string {
  return [
    ...(ended.length > 0 ? [l10n.t('The model was told that what it left running has ended with its window.')] : []),
    ...(added.length > 0 ? [l10n.t('The model was told of new folders: {0}.', added.join(', '))] : []),
    ...(removed.length > 0
      ? [l10n.t('The model was told that these folders left the workspace: {0}.', removed.join(', '))]
      : []),
    ...(gone.length > 0 ? [l10n.t("These folders aren't on the disk anymore: {0}.", gone.join(', '))] : []),
    ...(trusted ? [l10n.t('The model was told that you trust this workspace.')] : []),
  ].join(' ');
}

function fallbackText(
  notice: Extract<Notice, { kind: 'fallback' }>,
  nameOf: (id: string) => string,
  cutModel: string | undefined,
): string {
  const [from, to] = [nameOf(notice.from), nameOf(notice.to)];
  const { answered, continued } = notice;
  if (continued && answered) return l10n.t("{0}'s answer was cut off. {1} continued it.", nameOf(cutModel ?? from), to);
  if (continued && cutModel === notice.from)
    return l10n.t("{0}'s answer was cut off, so {1} is asked to continue", from, to);
  if (kinds[notice.failure.kind].about === 'capacity') {
    return answered
      ? l10n.t('{0} was at capacity (not charged), so {1} answered', from, to)
      : l10n.t('{0} was at capacity (not charged): asking {1} instead', from, to);
  }
  const { title, money } = describeFailure(notice.failure, nameOf);
  const failed = money === 'not-charged' ? l10n.t('{0} failed (not charged)', from) : l10n.t('{0} failed', from);
  const then = answered ? l10n.t('answered by {0}', to) : l10n.t('asking {0} instead', to);
  return `${failed}: ${then}. ${title}`;
}

const degradedTexts: Readonly<
  Record<Extract<Notice, { kind: 'degraded' }>['feature'], (model: string, parameter: string) => string>
> = {
  streaming: (model) => l10n.t("{0} doesn't stream, so its answers arrive all at once. svc remembers this.", model),
  tools: (model) =>
    l10n.t("{0} doesn't accept tools, so it answers without reading your files. svc remembers this.", model),
  tool: (...names) =>
    l10n.t('{0} doesn\'t accept the tool "{1}", so it works without that tool. svc remembers this.', ...names),
  images: (model) => l10n.t("{0} doesn't accept images, so it answers without them. svc remembers this.", model),
  parameter: (...names) =>
    l10n.t('{0} doesn\'t accept the setting "{1}", so the request was sent without it. svc remembers this.', ...names),
};
