import * as z from 'zod/mini';
import type { ExecutionTarget } from '../approval.ts';
import { id } from './field-schemas.ts';

/**
 * The parts of the panel between conversation and composer that the host fills, by key: what each shows. Without a state it is
 * hidden. Its component is one file in `media/chat/sections/`, its host side one `PanelSection`.
 */
export interface SectionStates {
  /** Another window runs a turn of the conversation; `asked`: it was asked to stop. */
  elsewhere: 'open' | 'asked';
  /** Another model's answer to the same prompt stands beside this one. */
  comparison: { otherName: string };
  /** Amounts are estimated micro-dollars. `started`: the plan as it is now was started, there or here. */
  plan: {
    steps: number;
    freshMicroUsd: number;
    hereMicroUsd: number;
    capMicroUsd: number;
    started?: 'fresh' | 'here';
  };
  /** Comments on lines wait to be sent together; the price is estimated. */
  comments: { count: number; files: readonly string[]; microUsd: number };
  /** Drawn from the conversation itself. */
  worktree: never;
  /** The latest restoring can still be undone. */
  restored: { count: number; left: readonly string[] };
  /** `elsewhere`: the process belongs to another conversation. */
  processes: readonly { id: string; line: string; place: ExecutionTarget; elsewhere?: true }[];
}

export type SectionKey = keyof SectionStates;

const section = <const Key extends SectionKey, Action extends z.ZodMiniType>(key: Key, action: Action) =>
  z.object({ type: z.literal('section'), key: z.literal(key), action });

/** What the buttons of a section ask for. */
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
