import { once } from '../../base/once.ts';

export interface EditOrigin {
  conversationId?: string;
  turnId?: string;
  callId: string;
  /** Numbers, from 1, the block of the call that wrote this; it is absent for the call as a whole. */
  block?: number;
}

export type OriginFilter = (origin: EditOrigin) => boolean;

export const anyOrigin: OriginFilter = () => true;

/** Selects the edits of one conversation; with undefined, the inline edits, which belong to none. */
export function ofConversation(conversationId: string | undefined): OriginFilter {
  return (origin) => origin.conversationId === conversationId;
}

export const originKey = once(({ conversationId, turnId, callId, block }: EditOrigin) =>
  JSON.stringify([conversationId, turnId, callId, block]),
);

export function sameOrigin(one: EditOrigin, other: EditOrigin): boolean {
  return one === other || originKey(one) === originKey(other);
}

type Call = Omit<EditOrigin, 'block'>;

export function sameCall(one: Call, other: Call): boolean {
  return one.callId === other.callId && one.turnId === other.turnId && one.conversationId === other.conversationId;
}

export function distinctOrigins(origins: readonly EditOrigin[]): EditOrigin[] {
  if (origins.length < 2) return [...origins];
  const all = new Map<string, EditOrigin>();
  for (const origin of new Set(origins)) if (!all.has(originKey(origin))) all.set(originKey(origin), origin);
  return [...all.values()];
}
