import * as l10n from '@vscode/l10n';
import { chargeWords } from '../../../src/shared/charge-words.ts';
import type { SubagentFigures, ToolPart } from '../../../src/shared/chat/chat-state.ts';
import { savedMicroUsd } from '../../../src/shared/chat/subagent-figures.ts';
import { formatCost, formatMicroUsd } from '../../../src/shared/money.ts';
import { TextButton } from '../controls/buttons.tsx';
import { formatAbout } from '../controls/format.ts';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';

export function SubagentLine({ part, sub }: { part: ToolPart; sub: SubagentFigures }) {
  const panel = usePanel();
  const locale = panel.info.value?.locale ?? 'en';
  const runs = part.state === 'running';
  const words = runs ? runningWords(sub, part.tail ?? '', locale) : afterWords(sub, locale);
  const stopping = panel.running.value?.phase === 'stopping';
  // Of a turn in another window only the words are here.
  const mayStop = runs && !stopping && panel.info.value?.sections.elsewhere === undefined;
  return (
    <div class="subagent-line">
      <p class="quiet">{visibleText(words)}</p>
      {mayStop && (
        <TextButton
          title={l10n.t('The answer goes on without it')}
          onPress={() => panel.post({ type: 'stopCall', callId: part.id })}
        >
          {l10n.t('Stop Subagent')}
        </TextButton>
      )}
    </div>
  );
}

function runningWords({ estimatedMicroUsd, maxMicroUsd, paid }: SubagentFigures, tail: string, locale: string): string {
  const usd = (microUsd: number) => formatMicroUsd(microUsd, false, locale);
  const price =
    paid.microUsd === 0
      ? l10n.t('usually {0}, at most {1}', usd(estimatedMicroUsd), usd(maxMicroUsd))
      : l10n.t('{0} of {1}', formatCost(paid, locale), usd(maxMicroUsd));
  const look = tail.trimEnd().split('\n').at(-1) ?? '';
  return look === '' ? price : `${price} · ${look}`;
}

function afterWords({ paid, saved }: SubagentFigures, locale: string): string {
  const price = chargeWords(paid, locale);
  if (saved === undefined) return price;
  const kept =
    saved.keptTokens > 0
      ? l10n.t('keeps ≈ {0} tokens out of each later request', formatAbout(saved.keptTokens, locale))
      : '';
  const sum = saved.requests === 0 ? '' : savedWords(savedMicroUsd(saved), locale);
  return [price, kept, sum].filter((words) => words !== '').join(' · ');
}

function savedWords(microUsd: number, locale: string): string {
  const about = formatMicroUsd(Math.abs(microUsd), true, locale);
  if (microUsd === 0) return '';
  return microUsd > 0 ? l10n.t('saved {0}', about) : l10n.t('cost {0} more than looking here', about);
}
