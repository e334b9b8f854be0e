import { chargeWords } from '../shared/charge-words.ts';
import type { AnswerItem, ChatItem, ChatState, Part, ToolPart, UserItem } from '../shared/chat/chat-state.ts';

export function exportMarkdown(state: ChatState): string {
  const items = state.items.map(section).filter((text) => text !== '');
  return `${[`# ${oneLine(state.title) || 'Conversation'}`, ...items].join('\n\n')}\n`;
}

function section(item: ChatItem): string {
  switch (item.kind) {
    case 'user':
      return joined(['## You', saidText(item)]);
    case 'answer':
      return joined([`## ${oneLine(item.model)}`, ...item.parts.map(partText), endText(item)]);
    case 'forked':
    case 'rewound':
    // Each answer names its model.
    case 'modelChanged':
      return '';
    case 'compacted':
      return joined(['---', '*The conversation above was sent as this summary from here on:*', item.summary.trim()]);
  }
}

function saidText({ text, typed, attachments }: Pick<UserItem, 'text' | 'typed' | 'attachments'>): string {
  const attached = attachments.map((attachment) => `- Attached: ${asCode(attachment.label)}`).join('\n');
  return joined([typed?.trim() ?? '', text.trim(), attached]);
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text.trim();
    case 'tool':
      return toolLines(part);
    case 'notice':
      return part.notice.kind === 'note' ? `> ${oneLine(part.notice.text)}` : '';
    case 'steered':
      return joined(['### You', ...part.messages.map(saidText)]);
    // Reasoning is the model's scratch paper: long, and not what was answered.
    case 'reasoning':
      return '';
  }
}

function toolLines({ title, state, approval, question }: ToolPart): string {
  const answer = approval?.answer;
  const decided = answer === undefined || answer.decision === 'allow' ? undefined : answer.decision;
  const lines = [`- ${oneLine(title)}${state === 'done' ? '' : ` (${decided ?? state})`}`];
  if (answer?.decision === 'deny' && answer.reason.trim() !== '') lines.push(`  - Reason: ${oneLine(answer.reason)}`);
  if (question !== undefined) lines.push(`  - ${oneLine(question.question.text)}`);
  if (question?.answer !== undefined) lines.push(`  - You: ${oneLine(question.answer)}`);
  return lines.join('\n');
}

function endText(item: AnswerItem): string {
  const facts: string[] = [];
  if (item.outcome !== undefined && item.outcome !== 'finished') facts.push(item.outcome);
  if (item.failure !== undefined) facts.push(oneLine(item.failure.message));
  if (item.cost !== undefined) {
    const { charge, totalTokens } = item.cost;
    const words = chargeWords(item.cost);
    facts.push(charge === 'no' ? words : `${totalTokens} tokens, ${words}`);
  }
  return facts.length === 0 ? '' : `*${facts.join(' · ')}*`;
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** A path may hold backticks, so the fence is one longer than any of them. */
function asCode(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = longest === 0 ? '' : ' ';
  return `${fence}${space}${oneLine(text)}${space}${fence}`;
}
