import * as z from 'zod/mini';
import type { ExecutionTarget } from '../approval.ts';
import { id } from './field-schemas.ts';

/**
 * Describes a strip of one line in the words of the host. `label` names the strip to screen readers, which also read
 * the text of a status. `of` says which row it is where a strip has several.
 */
export interface LineState<Action extends string = string> {
  label: string;
  of?: string;
  icon?: 'alert' | 'info' | 'split';
  text: string;
  isStatus?: true;
  buttons: readonly { action: Action; label: string; primary?: true; icon?: 'close' }[];
}

/**
 * Lists the parts of the panel between conversation and composer that the host fills, by key. A part without a state
 * is hidden. A strip of one line is one of `lines`; every other has a component in `media/chat/sections/` and a
 * `PanelSection` on the host.
 */
export interface SectionStates {
  elsewhere: 'open' | 'asked';
  lines: readonly (LineState & { id: string })[];
  plan: {
    steps: number;
    freshMicroUsd: number;
    hereMicroUsd: number;
    capMicroUsd: number;
    started?: 'fresh' | 'here';
  };
  worktree: never;
  processes: readonly { id: string; line: string; place: ExecutionTarget; elsewhere?: true }[];
}

export type SectionKey = keyof SectionStates;

const section = <const Key extends SectionKey, Action extends z.ZodMiniType>(key: Key, action: Action) =>
  z.object({ type: z.literal('section'), key: z.literal(key), action });

export const sectionMessage = z.discriminatedUnion('key', [
  section('elsewhere', z.literal('takeOver')),
  section('lines', z.object({ line: id, action: id })),
  section('plan', z.enum(['open', 'start', 'goOnHere'])),
  section('worktree', z.enum(['bringBack', 'show', 'remove', 'openPatch'])),
  section('processes', z.object({ do: z.enum(['show', 'stop']), id })),
]);
export type SectionMessage = z.infer<typeof sectionMessage>;
export type SectionAction<Key extends SectionKey> = Extract<SectionMessage, { key: Key }>['action'];
