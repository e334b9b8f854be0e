import type { ApprovalAnswer, ApprovalRequest, ApprovalScope, ApprovalSubject } from '../shared/approval.ts';
import type { Ask } from '../shared/interaction.ts';
import type { ApprovalNeed } from './tool.ts';

/** Command lines that the user allowed for good, outside of this conversation: exactly those, byte for byte. */
export interface AlwaysAllowed {
  isAllowed(remembered: string): boolean;
  remember(remembered: string): void;
}

/** Values of `svc.tools.autoApprove`, besides what never asks: reads, and never of secrets. */
export const autoApproveRules = ['read-ignored', 'read-outside'] as const;
export type AutoApproveRule = (typeof autoApproveRules)[number];

export interface ConsentDeps {
  /** Without it nothing is allowed for good. */
  always?: AlwaysAllowed;
  /** Asked at every call; from settings that a workspace cannot change. */
  autoApprove?(): readonly AutoApproveRule[];
}

/** Agreements that outlive one call. One per conversation and only in memory: after a reload everything is asked anew. */
export interface Consent {
  covers(need: ApprovalNeed): boolean;
  /** The user wants to review each edit of this conversation in the diff. */
  reviews(need: ApprovalNeed): boolean;
  /** Keeps an answer as far as it was offered; more than what was offered is never kept. */
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
      // The diff asks instead.
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
 * The choices on the card, whatever a tool offers: only commands are allowed for good, and protected files and files
 * that may hold secrets are asked about every time.
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
 * The key under which an answer beyond one call is remembered, made of nothing but what the card shows, so that neither
 * can be wider than the other: one place to one depth, one line in one folder with one lift, a tool as it described
 * itself, one domain, or all files that are not protected, as the card of an edit, a deletion and a new name says.
 * JSON, so that no two have the same text.
 */
export function rememberedAs(subject: ApprovalSubject): string {
  switch (subject.kind) {
    case 'read':
      return JSON.stringify([subject.scope, subject.path]);
    case 'command': {
      const { command, cwd, place, background } = subject;
      // Lines that were allowed for good before there was a sandbox have two parts, and ran outside.
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

/** A text that the model can choose must not be able to stand for a consent of another kind. */
function keyOf(subject: ApprovalSubject): string {
  return JSON.stringify([subject.kind, rememberedAs(subject)]);
}

export function toRequest(need: ApprovalNeed, callId: string, tool: string, title: string): ApprovalRequest {
  return { callId, tool, title, subject: need.subject, warnings: [...need.warnings], scopes: offeredScopes(need) };
}

/** The call's result for the model. */
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

/** Where no person can be asked, nothing that needs consent is done. */
export const nobody: Ask = async () => undefined;
