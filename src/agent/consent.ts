import type { ApprovalAnswer, ApprovalRequest, ApprovalScope, ApprovalSubject } from '../shared/approval.ts';
import type { Ask } from '../shared/interaction.ts';
import type { ApprovalNeed } from './tool.ts';

/** Stores permanently allowed commands by the exact text that `rememberedAs` returns. */
export interface AlwaysAllowed {
  isAllowed(remembered: string): boolean;
  remember(remembered: string): void;
}

export const autoApproveRules = ['read-ignored', 'read-outside'] as const;
export type AutoApproveRule = (typeof autoApproveRules)[number];

export interface ConsentDeps {
  always?: AlwaysAllowed;
  /** The rules are read anew for each read that needs approval, from settings that a workspace cannot change. */
  autoApprove?(): readonly AutoApproveRule[];
}

/** Remembers the user's consents for one conversation, in memory; only `always` answers survive a reload. */
export interface Consent {
  covers(need: ApprovalNeed): boolean;
  reviews(need: ApprovalNeed): boolean;
  /** Never keeps more than the card let the user choose. */
  keep(need: ApprovalNeed, answer: ApprovalAnswer): void;
}

export function createConsent({ always, autoApprove }: ConsentDeps = {}): Consent {
  const inConversation = new Set<string>();
  let reviewsEdits = false;
  return {
    covers(need) {
      const { subject } = need;
      if (subject.kind === 'read' && subject.reason !== 'secret') {
        if (autoApprove?.().includes(`read-${subject.reason}`)) return true;
      }
      const scopes = offeredScopes(need);
      // The user decides on edits in the diff, so no card is shown.
      if (scopes.includes('review') && reviewsEdits) return true;
      if (scopes.includes('conversation') && inConversation.has(keyOf(subject))) return true;
      return scopes.includes('always') && always?.isAllowed(rememberedAs(subject)) === true;
    },
    reviews: ({ subject }) => subject.kind === 'edit' && reviewsEdits,
    keep(need, answer) {
      const { subject } = need;
      if (answer.decision !== 'allow' || !offeredScopes(need).includes(answer.scope)) return;
      if (answer.scope === 'conversation') inConversation.add(keyOf(subject));
      if (answer.scope === 'review') reviewsEdits = true;
      if (answer.scope === 'always') always?.remember(rememberedAs(subject));
    },
  };
}

/**
 * Limits the choices on the card, whatever a tool asks for: only commands are allowed permanently, and protected
 * files and files that may hold secrets are asked about every time.
 */
export function offeredScopes({ subject, scopes }: ApprovalNeed): ApprovalScope[] {
  const once: ApprovalScope[] = ['once'];
  if (isSensitive(subject)) return once;
  const inConversation: ApprovalScope[] = scopes.includes('conversation') ? ['conversation'] : [];
  const always: ApprovalScope[] = scopes.includes('always') && subject.kind === 'command' ? ['always'] : [];
  const review: ApprovalScope[] = scopes.includes('review') && subject.kind === 'edit' ? ['review'] : [];
  return [...once, ...inConversation, ...always, ...review];
}

function isSensitive(subject: ApprovalSubject): boolean {
  switch (subject.kind) {
    case 'edit':
    case 'delete':
    case 'rename':
      return subject.isProtected;
    case 'read':
      return subject.reason === 'secret';
    case 'command':
    case 'foreign':
    case 'fetch':
      return false;
  }
}

/**
 * Returns what identifies a remembered answer: path and scope, command, folder and sandbox level, tool and its
 * definition, or domain. It is made only of what the card shows, so that neither can be wider than the other.
 */
export function rememberedAs(subject: ApprovalSubject): string {
  switch (subject.kind) {
    case 'read':
      return JSON.stringify([subject.scope, subject.path]);
    case 'command': {
      const { command, cwd, place, background } = subject;
      // `outside` adds no part, so that a key without a part means it.
      const more = [
        ...(place === undefined || place === 'outside' ? [] : [place]),
        ...(background ? ['background'] : []),
      ];
      return JSON.stringify([command, cwd, ...more]);
    }
    case 'foreign':
      return JSON.stringify([subject.tool, subject.definition]);
    case 'fetch':
      return subject.domain;
    case 'edit':
    case 'delete':
    case 'rename':
      return '';
  }
}

/** The kind is part of the key, because a text that the model chooses must not stand for a consent of another kind. */
function keyOf(subject: ApprovalSubject): string {
  return JSON.stringify([subject.kind, rememberedAs(subject)]);
}

export function toRequest(need: ApprovalNeed, callId: string, tool: string, title: string): ApprovalRequest {
  return { callId, tool, title, subject: need.subject, warnings: [...need.warnings], scopes: offeredScopes(need) };
}

export function refusalSentence(answer: Exclude<ApprovalAnswer, { decision: 'allow' }>): string {
  switch (answer.decision) {
    case 'skip':
      return 'The user skipped this call. Nothing was done.';
    case 'deny': {
      const reason = answer.reason.trim();
      return reason === ''
        ? 'The user denied this call. Nothing was done.'
        : `The user denied this call; nothing was done. Their reason: ${reason}`;
    }
    case 'expired':
      return 'Nothing was done: the window was closed before the user answered.';
  }
}

export const askNobody: Ask = async () => undefined;
