import type * as z from 'zod/mini';
import type * as schema from './event-schema.ts';

export interface ApprovalRequest extends z.output<typeof schema.approvalRequest> {}
export type ApprovalSubject = z.output<typeof schema.approvalSubject>;
export type ApprovalAnswer = z.output<typeof schema.approvalAnswer>;
export interface PlanItem extends z.output<typeof schema.planItem> {}
export interface Question extends z.output<typeof schema.question> {}

/**
 * `conversation`: until it is left. `always`: remembered for exactly this command line in this folder. `review`: this edit and all
 * later ones of the conversation are opened in the diff, and nothing is written before the user keeps it there.
 */
export const approvalScopes = ['once', 'conversation', 'always', 'review'] as const;
export type ApprovalScope = (typeof approvalScopes)[number];

/** How much of a place is looked at: one file, the names in one folder, or the text of everything below a folder. */
export const readScopes = ['file', 'folder', 'below'] as const;
export type ReadScope = (typeof readScopes)[number];

/** Where a command runs: in the sandbox, in the sandbox with network, or as the user's own programs do. */
export const executionTargets = ['sandbox', 'network', 'outside'] as const;
export type ExecutionTarget = (typeof executionTargets)[number];

/** From the least access to the most: look, also write a plan, edit files instead, also run commands and foreign tools. */
export const chatModes = ['ask', 'plan', 'edit', 'agent'] as const;
export type ChatMode = (typeof chatModes)[number];
