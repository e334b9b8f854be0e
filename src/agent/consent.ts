import type { ApprovalAnswer, ApprovalRequest, ApprovalScope, ApprovalSubject } from '../shared/approval.ts';
import type { Ask } from '../shared/interaction.ts';
import type { ApprovalNeed } from './tool.ts';

/** Stores permanently allowed commands by the exact text that `rememberedAs` returns, or by their first words. */
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

type CommandSubject = Extract<ApprovalSubject, { kind: 'command' }>;

const allowedBefore = 3;
const maxWords = 50;

/** Remembers the user's consents for one conversation, in memory; only `always` answers survive a reload. */
export interface Consent {
  covers(need: ApprovalNeed): boolean;
  /**
   * Returns how this command begins together with the last three that the user allowed in the same folder, in whole
   * words: what can be allowed with any arguments. It is undefined before there are three, and where one of them is
   * more than plain words.
   */
  beginningOf(need: ApprovalNeed): string | undefined;
  reviews(need: ApprovalNeed): boolean;
  /** Never keeps more than the card let the user choose, of which `beginning` was a part. */
  keep(need: ApprovalNeed, answer: ApprovalAnswer, beginning?: string): void;
}

export function createConsent({ always, autoApprove }: ConsentDeps = {}): Consent {
  const inConversation = new Set<string>();
  const allowedLines: CommandSubject[] = [];
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
      if (!scopes.includes('always') || subject.kind !== 'command' || !always) return false;
      return always.isAllowed(rememberedAs(subject)) || beginningsOf(subject).some((key) => always.isAllowed(key));
    },
    beginningOf(need) {
      const { subject } = need;
      if (subject.kind !== 'command' || !offeredScopes(need).includes('always')) return undefined;
      const before = allowedLines.filter((line) => whereRuns(line).join('\0') === whereRuns(subject).join('\0'));
      if (before.length < allowedBefore) return undefined;
      return commonBeginning([subject, ...before.slice(-allowedBefore)].map(({ command }) => plainWords(command)));
    },
    reviews: ({ subject }) => subject.kind === 'edit' && reviewsEdits,
    keep(need, answer, beginning) {
      const { subject } = need;
      if (answer.decision !== 'allow') return;
      if (subject.kind === 'command') allowedLines.push(subject);
      if (answer.scope === 'arguments' && subject.kind === 'command' && beginning !== undefined) {
        always?.remember(JSON.stringify([beginning.split(' '), ...whereRuns(subject)]));
      }
      if (!offeredScopes(need).includes(answer.scope)) return;
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
    case 'external':
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
    case 'command':
      return JSON.stringify([subject.command, ...whereRuns(subject)]);
    case 'external':
      return JSON.stringify([subject.tool, subject.definition]);
    case 'fetch':
      return subject.domain;
    case 'edit':
    case 'delete':
    case 'rename':
      return '';
  }
}

function whereRuns({ cwd, place, background }: CommandSubject): string[] {
  // `outside` adds no part, so that a key without a part means it.
  return [cwd, ...(place === undefined || place === 'outside' ? [] : [place]), ...(background ? ['background'] : [])];
}

function beginningsOf(subject: CommandSubject): string[] {
  const words = plainWords(subject.command) ?? [];
  // A list of words, so that no line can be taken for one.
  return words.map((_, index) => JSON.stringify([words.slice(0, index + 1), ...whereRuns(subject)]));
}

function plainWords(command: string): string[] | undefined {
  // Only of these signs no shell makes more than the words.
  const words = command.split(' ');
  return words.length <= maxWords && words.every((word) => /^[\w./:=@+,-]+$/.test(word)) ? words : undefined;
}

function commonBeginning(lines: readonly (readonly string[] | undefined)[]): string | undefined {
  const [first = [], ...others] = lines;
  const length = first.findIndex((word, index) => others.some((other) => other?.[index] !== word));
  const common = length < 0 ? first : first.slice(0, length);
  // What follows an option is a part of it, and a program alone is no beginning.
  const end = common.findLastIndex((word) => !word.startsWith('-')) + 1;
  return end < 2 ? undefined : common.slice(0, end).join(' ');
}

/** The kind is part of the key, because a text that the model chooses must not stand for a consent of another kind. */
function keyOf(subject: ApprovalSubject): string {
  return JSON.stringify([subject.kind, rememberedAs(subject)]);
}

export function toRequest(
  need: ApprovalNeed,
  call: Pick<ApprovalRequest, 'callId' | 'tool' | 'title' | 'beginning'>,
): ApprovalRequest {
  return { ...call, subject: need.subject, warnings: [...need.warnings], scopes: offeredScopes(need) };
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
