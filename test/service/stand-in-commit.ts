// A commit message: which files the changes are in, behind what was typed already.
import { type ChatRequest, messageText } from './chat-request.ts';

const asked = /^You write commit messages\./;

/** Undefined for a request of another kind. */
export function answerCommit({ messages }: ChatRequest): string | undefined {
  const [system, user] = messages;
  if (system === undefined || user === undefined || !asked.test(messageText(system))) return undefined;
  const text = messageText(user);
  const [, prefix = ''] = /^The message must begin with exactly this: (.*)$/m.exec(text) ?? [];
  const changes = text.slice(text.indexOf('The changes:\n'));
  const paths = [...changes.matchAll(/^(?:\+\+\+ b\/|New file )(.+)$/gm)].map(([, path = '']) => path);
  const [first = 'the files', ...others] = [...new Set(paths)];
  const rest =
    others.length === 0 ? '' : others.length === 1 ? ' and one more file' : ` and ${others.length} more files`;
  return `${prefix}${prefix === '' ? 'Change' : ' change'} ${first.slice(-40)}${rest}`;
}
