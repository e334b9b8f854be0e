import * as l10n from '@vscode/l10n';
import { useRef } from 'preact/hooks';
import type { ToolPart } from '../../../src/shared/chat/chat-state.ts';
import { TextButton } from '../controls/buttons.tsx';
import { formatSeconds } from '../controls/format.ts';
import { ScrollBox } from '../controls/scroll-box.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';

/** A shorter call needs no Stop button. */
const stopAfterMs = 3000;
/** A program that asks stays silent until it is answered. */
const askingAfterMs = 3000;

export function LiveOutput({ part: { id, name, tail, startedAt, sub } }: { part: ToolPart }) {
  const panel = usePanel();
  const quietMs = useQuietMs(tail);
  const lasts = startedAt !== undefined && panel.now.value - startedAt >= stopAfterMs;
  const { card } = panel.presentationOf(name);
  if (card === 'diff') {
    const proposal = panel.info.value?.edits.find(({ proposed }) => proposed);
    if (proposal) return <ReviewLine uri={proposal.uri} />;
  }
  // A subagent has a card of its own, with a Stop button.
  if (sub !== undefined || card === 'subagent' || (tail === undefined && !lasts)) return null;
  const stopping = panel.running.value?.phase === 'stopping';
  const isCommand = card === 'command';
  // A message waits for the next step, so Stop ends only this call.
  const alone = panel.info.value?.queue.items.some(({ atNextStep }) => atNextStep);
  const asks = looksLikePrompt(tail) && quietMs >= askingAfterMs;
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
          <TextButton
            title={alone ? l10n.t('The answer goes on with your message') : undefined}
            onPress={() => panel.post(alone ? { type: 'stopCall', callId: id } : { type: 'stop' })}
          >
            {isCommand ? l10n.t('Stop Command') : l10n.t('Stop Tool')}
          </TextButton>
          {isCommand && (
            <TextButton onPress={() => panel.post({ type: 'showTerminal', callId: id })}>
              {l10n.t('Show Terminal')}
            </TextButton>
          )}
        </div>
      )}
      {!stopping && isCommand && asks && (
        <p class="quiet">{l10n.t('It might be waiting for input. Show its terminal and answer there.')}</p>
      )}
    </div>
  );
}

function ReviewLine({ uri }: { uri: string }) {
  const panel = usePanel();
  return (
    <div class="live-output">
      <p class="quiet">
        {l10n.t('Waiting for you to keep or undo the proposal. You can change it in the diff first.')}
      </p>
      <div class="actions">
        <TextButton onPress={() => panel.post({ type: 'editedFile', action: 'open', uri })}>
          {l10n.t('Show Diff')}
        </TextButton>
      </div>
    </div>
  );
}

function useQuietMs(text: string | undefined): number {
  const { now } = usePanel();
  const last = useRef({ text, at: now.value });
  if (last.current.text !== text) last.current = { text, at: now.value };
  return now.value - last.current.at;
}

/** Returns true when the last line is unfinished and resembles a question. */
function looksLikePrompt(tail = ''): boolean {
  const last = tail.slice(tail.lastIndexOf('\n') + 1);
  return last.length <= 200 && /\p{L}.*(?:[?:>]|[([]y(?:es)?\/n(?:o)?[)\]])\s*$/iu.test(last);
}

/** `since` is in epoch milliseconds; nothing shows before the first full second. */
export function Elapsed({ since }: { since: number }) {
  const { now } = usePanel();
  const seconds = Math.floor((now.value - since) / 1000);
  return seconds < 1 ? null : <span class="duration">{formatSeconds(seconds)}</span>;
}
