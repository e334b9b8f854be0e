import * as l10n from '@vscode/l10n';
import type { ChatMode } from '../approval.ts';
import type { AttachmentKind, ImageRef } from '../messages.ts';
import type { ContextPick } from './field-schemas.ts';
import type { SectionStates } from './sections.ts';

export interface PanelInfo {
  hasAddress: boolean;
  hasKey: boolean;
  keyProblem?: KeyProblem;
  hasDashboard: boolean;
  offersLimit?: true;
  model: { id: string; name: string };
  imagesRefused?: true;
  modelNames: Record<string, string>;
  trusted: boolean;
  hasFolder: boolean;
  hasRepository?: true;
  virtualFolders?: 'some' | 'all';
  attachments: AttachmentChip[];
  /** Lists files in which the conversation has pending edits. `expired` marks a proposal whose call a reload ended. */
  edits: {
    uri: string;
    path: string;
    added: number;
    removed: number;
    is?: 'new' | 'deleted';
    renamedFrom?: string;
    expired?: boolean;
    alsoIn?: readonly string[];
    proposed?: boolean;
  }[];
  editOutcomes?: Readonly<Record<string, 'kept' | 'undone' | 'partly'>>;
  editParts?: Readonly<Record<string, { kept: number; undone: number; open: number }>>;
  editHunks?: Readonly<Record<string, readonly EditHunk[]>>;
  tryOrder?: readonly string[];
  sending?: readonly { id: string; text: string }[];
  queue: {
    items: { id: string; text: string; atNextStep?: true; nextStepMicroUsd?: number }[];
    paused: boolean;
    lostMicroUsd?: number;
  };
  unsaved?: { reason: 'full' | 'read-only' | 'in-use' | 'other'; detail: string };
  sections: Partial<SectionStates>;
  mode: ChatMode;
  agent?: string;
  limitMicroUsd?: number;
  compactsWhenCheaper?: true;
  sendKey: 'enter' | 'ctrlEnter';
  whileBusy: 'queue' | 'nextStep';
  inTab?: true;
  fonts: Readonly<Record<string, string>>;
  locale: string;
}

export interface EditHunk {
  uri: string;
  path: string;
  line: number;
  diff: string;
  more: number;
}

export interface AttachmentChip {
  id: string;
  label: string;
  kind?: AttachmentKind;
  tokens?: number;
  microUsd?: number;
  assumed?: true;
  image?: ImageRef;
  incoming?: 'loading' | { failed: string };
}

export const pickerNames = ['model', 'mode'] as const;
export type PickerName = (typeof pickerNames)[number];

/** A row of a picker. Rows of one `group` follow each other. */
export interface PickRow {
  id: string;
  label: string;
  description?: string;
  detail?: string;
  group?: string;
  current?: true;
}

export interface WelcomeInfo {
  starters: { label: string; text: string; pick?: ContextPick }[];
  recent: { id: string; title: string; at: number }[];
}

export type KeyProblem = StoredKeyProblem | { state: 'rejected' };

export type StoredKeyProblem = { state: 'other-address'; origin: string } | { state: 'unavailable'; message: string };

export function keyProblemText(problem: KeyProblem): string {
  if (problem.state === 'rejected') {
    return l10n.t("The service didn't accept the last key you entered, so it wasn't stored.");
  }
  return problem.state === 'other-address'
    ? l10n.t(
        'The stored key belongs to {0} and is never sent anywhere else. Enter a key for this address.',
        problem.origin,
      )
    : l10n.t(
        "Couldn't read VS Code's secret storage: {0}. On Linux, unlock the keyring. Otherwise, enter the key again.",
        problem.message,
      );
}

export type PriceCategory = 'draft' | 'attachments' | 'history' | 'rules' | 'tools';

/** Estimates the next request alone. The answer and further steps come on top. */
export interface NextPrice {
  /** The tokens and the price are those of the first request. */
  tokens: number;
  microUsd: number;
  /** A whole message has usually cost this, with its steps, its reply and its thinking. */
  usualMicroUsd?: number;
  parts: Record<PriceCategory, number>;
  historyMicroUsd: number;
  compact?: { priceMicroUsd: number; savedTokens: number; savedMicroUsd: number; paysAfterRequests: number };
  /** In 19 of 20 cases the counted tokens differ from `tokens` by at most this fraction. */
  error: number;
  limit?: { tokens: number; by: 'set' | 'learned' };
  assumed?: true;
}

export interface CompletionItem {
  id: string;
  icon: CompletionIcon;
  label: string;
  detail?: string;
  action?: { type: 'attach'; pick: ContextPick } | { type: 'refine'; text: string } | { type: 'command'; name: string };
}

export type CompletionIcon = AttachmentKind | 'codebase' | 'command';
