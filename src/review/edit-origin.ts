/** Which call made an edit. Without a conversation: an inline edit, which belongs to none. */
export interface EditOrigin {
  conversationId?: string;
  turnId?: string;
  callId: string;
}

/** Picks edits by who made them. */
export type OriginFilter = (origin: EditOrigin) => boolean;

export const anyOrigin: OriginFilter = () => true;

/** The edits of one conversation; of undefined: those that belong to none. */
export function ofConversation(conversationId: string | undefined): OriginFilter {
  return (origin) => origin.conversationId === conversationId;
}

export function sameOrigin(one: EditOrigin, other: EditOrigin): boolean {
  return one.callId === other.callId && one.turnId === other.turnId && one.conversationId === other.conversationId;
}

/** Each origin once, in the order of their first appearance. */
export function distinctOrigins(origins: readonly EditOrigin[]): EditOrigin[] {
  return origins.filter((one, at) => origins.findIndex((other) => sameOrigin(one, other)) === at);
}
