import * as z from 'zod/mini';
import type { ExecutionTarget } from '../approval.ts';
import { id } from './field-schemas.ts';

/**
 * Lists the parts of the panel between conversation and composer that the host fills, by key. A part without a state
 * is hidden. Its component is one file in `media/chat/sections/`, its host side one `PanelSection`.
 */
export interface SectionStates {
  elsewhere: 'open' | 'asked';
  comparison: { otherName: string };
  plan: {
    steps: number;
    freshMicroUsd: number;
    hereMicroUsd: number;
    capMicroUsd: number;
    started?: 'fresh' | 'here';
  };
  comments: { count: number; files: readonly string[]; microUsd: number };
  worktree: never;
  restored: { count: number; left: readonly string[] };
  processes: readonly { id: string; line: string; place: ExecutionTarget; elsewhere?: true }[];
}

export type SectionKey = keyof SectionStates;

const section = <const Key extends SectionKey, Action extends z.ZodMiniType>(key: Key, action: Action) =>
  z.object({ type: z.literal('section'), key: z.literal(key), action });

export const sectionMessage = z.discriminatedUnion('key', [
  section('elsewhere', z.literal('takeOver')),
  section('comparison', z.literal('keep')),
  section('plan', z.enum(['open', 'start', 'goOnHere'])),
  section('comments', z.enum(['send', 'discard'])),
  section('worktree', z.enum(['bringBack', 'show', 'remove', 'openPatch'])),
  section('restored', z.enum(['undo', 'dismiss'])),
  section('processes', z.object({ do: z.enum(['show', 'stop']), id })),
]);
export type SectionMessage = z.infer<typeof sectionMessage>;
export type SectionAction<Key extends SectionKey> = Extract<SectionMessage, { key: Key }>['action'];
