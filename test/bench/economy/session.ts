import type { HistoryMessage } from '../../../src/shared/messages.ts';

/** Something that was said or shown once and is asked for many steps later. */
export interface Fact {
  kind: 'user' | 'conclusion' | 'code' | 'rule' | 'config' | 'output' | 'search' | 'own line';
  /** The text that answers the question; it stands nowhere else in the session until it is needed. */
  answer: string;
  /** Index of the message that brings it. */
  plantedAt: number;
  /** The file that it stands in: what answers must name it too. */
  path?: string;
  /** Nothing in its line says that it matters; this is how the user asks for it. */
  ask?: string;
  /** Index of the answer to that question in the session; absent when nobody asked. */
  neededAt?: number;
}

/** What an agent did, as the messages that it left; every prefix that ends with a user's message or a result is a request. */
export interface Session {
  name: string;
  system: string;
  /** Without the system message. */
  messages: HistoryMessage[];
  facts: Fact[];
}

/** Lengths of the prefixes of `messages` that were sent to get the next one. */
export function requestLengths({ messages }: Session): number[] {
  return messages.flatMap((message, index) => (message.role === 'assistant' ? [index] : []));
}
