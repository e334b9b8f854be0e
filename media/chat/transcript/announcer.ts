import * as l10n from '@vscode/l10n';
import { type AnswerItem, answerOf, type ChatState } from '../../../src/shared/chat/chat-state.ts';
import { countCodeBlocks } from '../markdown/markdown.ts';

const waitingMs = 10_000;
const againMs = 30_000;

/**
 * Returns the sentences that a screen reader says about a turn: its start, a sign of life, its end, but never the
 * streaming text. Call it after every change and once a second; undefined means silence. Failures have their own
 * alert.
 */
export function createAnnouncer(nameOf: (id: string) => string): (chat: ChatState, now: number) => string | undefined {
  let turnId = '';
  let phase = '';
  let responded = false;
  let last = 0;
  let first = true;

  function say(text: string, now: number): string {
    last = now;
    return text;
  }

  function begin(chat: ChatState, now: number): string | undefined {
    turnId = chat.running?.turnId ?? '';
    phase = chat.running?.phase ?? '';
    responded = ['streaming', 'tool', 'approval', 'question'].includes(phase);
    return say(responded ? l10n.t('Answer started') : l10n.t('Message sent'), now);
  }

  function during(running: NonNullable<ChatState['running']>, now: number): string | undefined {
    const entered = running.phase !== phase;
    phase = running.phase;
    if (running.phase === 'wait') {
      if (!entered) return undefined;
      const delayMs = running.asked?.kind === 'wait' ? running.asked.about.delayMs : 0;
      const seconds = Math.ceil(delayMs / 1000);
      return say(l10n.t('Retrying in {0} seconds', seconds), now);
    }
    if (phase === 'approval' || phase === 'question' || phase === 'cost') {
      // An alert of its own asked for the user; nothing happens meanwhile.
      responded = true;
      last = now;
      return undefined;
    }
    if (phase === 'stopping') return entered ? say(l10n.t('Stopping'), now) : undefined;
    if (phase === 'sending') {
      if (!running.sent) return undefined;
      const waited = now - running.since;
      const due = waited >= waitingMs && now - last >= (last >= running.since + waitingMs ? againMs : 0);
      return due
        ? say(l10n.t('Waiting for {0}, {1} seconds', nameOf(running.model), Math.floor(waited / 1000)), now)
        : undefined;
    }
    if (!responded) {
      responded = true;
      return say(l10n.t('Answer started'), now);
    }
    return now - last >= againMs ? say(l10n.t('Still answering'), now) : undefined;
  }

  return (chat, now) => {
    const running = chat.running;
    if (running && running.turnId === turnId) return during(running, now);
    if (running) {
      first = false;
      return begin(chat, now);
    }
    const ended = turnId;
    turnId = '';
    if (first || ended === '') {
      first = false;
      return undefined;
    }
    const answer = answerOf(chat, ended);
    return answer && endOf(answer);
  };
}

function endOf(answer: AnswerItem): string | undefined {
  if (answer.outcome === 'stopped') return l10n.t('Stopped');
  if (answer.outcome !== 'finished' || answer.failure) return undefined;
  const text = answer.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n\n');
  const blocks = countCodeBlocks(text);
  if (blocks === 0) return l10n.t('Answer finished');
  return blocks === 1 ? l10n.t('Answer finished, 1 code block') : l10n.t('Answer finished, {0} code blocks', blocks);
}
