import * as l10n from '@vscode/l10n';
import { type ChatState, pendingApprovals, type ToolPart } from '../../../src/shared/chat/chat-state.ts';
import { plainText } from '../markdown/plain-text.ts';
import { visibleText } from '../markdown/visible-text.ts';

function waitingCalls(chat: ChatState): ToolPart[] {
  const answer = chat.items.findLast((item) => item.kind === 'answer');
  if (answer?.kind !== 'answer' || answer.outcome !== undefined) return [];
  return answer.parts.filter((part): part is ToolPart => part.type === 'tool' && (waitsForConsent(part) || asks(part)));
}

export function waitsForConsent(part: ToolPart): boolean {
  return part.state === 'approval' && part.approval !== undefined && part.approval.answer === undefined;
}

export function asks(part: ToolPart): boolean {
  const goesOn = part.state === 'running' || part.state === 'pending';
  return goesOn && part.question !== undefined && part.question.answer === undefined;
}

/**
 * Returns the alert for a turn that begins to wait for its user, once for each request. Call it after every change;
 * undefined means no news, and an empty text means that nothing waits any more.
 */
export function createWaitingAlert(): (chat: ChatState) => string | undefined {
  let said = new Set<string>();
  return (chat) => {
    const { running } = chat;
    const cost =
      running?.phase === 'cost' ? [{ id: `cost ${running.turnId} ${running.since}`, text: costSentence() }] : [];
    const waiting = [...waitingCalls(chat).map((part) => ({ id: part.id, text: sentenceOf(part) })), ...cost];
    const news = waiting.filter(({ id }) => !said.has(id));
    const ended = said.size > 0 && waiting.length === 0;
    said = new Set(waiting.map(({ id }) => id));
    if (news.length > 0) return news.map(({ text }) => text).join(' ');
    return ended ? '' : undefined;
  };
}

function costSentence(): string {
  return l10n.t('Question: {0}', l10n.t('Go on with this message?'));
}

function sentenceOf({ approval, question, name }: ToolPart): string {
  const text = question
    ? l10n.t('Question: {0}', plainText(question.question.text))
    : l10n.t('Approval needed: {0}. {1}.', approval?.request.tool ?? name, approval?.request.title ?? '');
  return visibleText(text);
}

/**
 * Returns the call ids of reads that can be allowed together, oldest first, one per line. Secrets are excluded,
 * because each needs its own consent.
 */
export function waitingReads(chat: ChatState): string {
  return pendingApprovals(chat)
    .filter(({ subject }) => subject.kind === 'read' && subject.reason !== 'secret')
    .map(({ callId }) => callId)
    .join('\n');
}
