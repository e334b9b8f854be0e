import type * as z from 'zod/mini';
import type * as schema from './event-schema.ts';

export interface ApprovalRequest extends z.output<typeof schema.approvalRequest> {}
export type ApprovalSubject = z.output<typeof schema.approvalSubject>;
export type ApprovalAnswer = z.output<typeof schema.approvalAnswer>;
export interface PlanItem extends z.output<typeof schema.planItem> {}
export interface Question extends z.output<typeof schema.question> {}

/**
 * `conversation` holds until the conversation is left. `always` is remembered for exactly this command line in this
 * folder, and `arguments` for every line of plain words that begins as the card says. With `review`, this edit and all later ones of the conversation open in the diff, and nothing is written
 * before the user keeps it there.
 */
export const approvalScopes = ['once', 'conversation', 'always', 'arguments', 'review'] as const;
export type ApprovalScope = (typeof approvalScopes)[number];

export const readScopes = ['file', 'folder', 'below'] as const;
export type ReadScope = (typeof readScopes)[number];

export const executionTargets = ['sandbox', 'network', 'outside'] as const;
export type ExecutionTarget = (typeof executionTargets)[number];

/**
 * The modes are ordered from the least access to the most: `ask` only reads, `plan` also writes a plan, `edit`
 * changes files instead, and `agent` also runs commands and external tools.
 */
export const chatModes = ['ask', 'plan', 'edit', 'agent'] as const;
export type ChatMode = (typeof chatModes)[number];
