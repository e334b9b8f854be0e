// What the stand-in suggests at the end of each answer, where a tour is given.
import type { ChatRequest } from './chat-request.ts';
import { messageText } from './chat-request.ts';

/** One suggestion: what to do first, in words, and what to send then. The last one may have nothing to send. */
export interface TourStop {
  before: string;
  prompt?: string;
}

/** The first stop after those that this conversation had; empty when all are behind it. */
export function nextStop(tour: readonly TourStop[], request: ChatRequest): string {
  const asked = request.messages.filter(({ role }) => role === 'user').map(messageText);
  const had = tour.findLastIndex(({ prompt }) => prompt !== undefined && asked.some((text) => text.includes(prompt)));
  const next = tour[had + 1];
  if (next === undefined) return '';
  return next.prompt === undefined ? `---\n\n${next.before}` : `---\n\n**Next:** ${next.before}\n\n> ${next.prompt}`;
}
