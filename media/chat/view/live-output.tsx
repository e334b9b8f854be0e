import * as l10n from '@vscode/l10n';
import type { ToolPart } from '../../../src/shared/chat-state.ts';
import { formatSeconds } from '../format.ts';
import { usePanel } from '../panel.ts';
import { visibleText } from '../visible-text.ts';
import { TextButton } from './buttons.tsx';
import { ScrollBox } from './scroll-box.tsx';

/** A call that is over by then needs no button. */
const stopAfterMs = 3000;

/** What a running tool prints, its end in view, and the way to stop it (ux 2.8). */
export function LiveOutput({ part: { name, tail, startedAt } }: { part: ToolPart }) {
  const panel = usePanel();
  const lasts = startedAt !== undefined && panel.now.value - startedAt >= stopAfterMs;
  if (tail === undefined && !lasts) return null;
  const stopping = panel.running.value?.phase === 'stopping';
  return (
    <div class="live-output">
      {tail !== undefined && (
        <ScrollBox tag="div" className="raw tail" label={l10n.t('Live output')}>
          {/* The box is filled from its end: it stays there until its reader scrolls. */}
          <div>{visibleText(tail)}</div>
        </ScrollBox>
      )}
      {!stopping && (
        <div class="actions">
          <TextButton onPress={() => panel.post({ type: 'stop' })}>
            {name === 'run_command' ? l10n.t('Stop Command') : l10n.t('Stop Tool')}
          </TextButton>
        </div>
      )}
    </div>
  );
}

/** Seconds since `since` (epoch milliseconds), from the first full one on. */
export function Elapsed({ since }: { since: number }) {
  const { now } = usePanel();
  const seconds = Math.floor((now.value - since) / 1000);
  return seconds < 1 ? null : <span class="duration">{formatSeconds(seconds)}</span>;
}
