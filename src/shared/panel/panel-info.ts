import * as l10n from '@vscode/l10n';
import type { ChatMode } from '../approval.ts';
import type { AttachmentKind, ImageRef } from '../messages.ts';
import type { ContextPick } from './field-schemas.ts';
import type { SectionStates } from './sections.ts';

/** The panel's state besides the conversation. */
export interface PanelInfo {
  hasAddress: boolean;
  hasKey: boolean;
  /** Set when there is no usable key although one may be stored. */
  keyProblem?: KeyProblem;
  /** Whether `svc.dashboardUrl` is set. */
  hasDashboard: boolean;
  /** Nobody has said yet how much a day may cost, not even that there is no limit. */
  offersLimit?: true;
  /** The chosen model: exact id and display name. */
  model: { id: string; name: string };
  /** The chosen model has refused an image: of those attached only the names are sent. */
  imagesRefused?: true;
  /** Display names of every id the panel may have to show. */
  modelNames: Record<string, string>;
  /** False in Restricted Mode: the model reads no files then. */
  trusted: boolean;
  hasFolder: boolean;
  /** Folders that are not on this disk: none when absent. */
  virtualFolders?: 'some' | 'all';
  /** Attached to the next message, shown as chips. */
  attachments: AttachmentChip[];
  /** Files in which the conversation has undecided edits; `expired`: a proposal whose call a reload ended. The Changes bar shows while there are any. */
  edits: {
    uri: string;
    path: string;
    added: number;
    removed: number;
    /** There was no such file before, or there is none any more. */
    is?: 'new' | 'deleted';
    /** Its path before the model gave it another; deciding on the row decides on both. */
    renamedFrom?: string;
    expired?: boolean;
    /** Titles of other conversations with undecided edits in the file; empty where there is none to tell. */
    alsoIn?: readonly string[];
    /** A proposal that a call of the running turn waits for. */
    proposed?: boolean;
  }[];
  /** The user's decisions on the edits of a call, by its id; without calls on which nothing is decided. */
  editOutcomes?: Readonly<Record<string, 'kept' | 'undone' | 'partly'>>;
  /** Counts of the blocks that a call wrote, by its id; `open`: not decided. */
  editParts?: Readonly<Record<string, { kept: number; undone: number; open: number }>>;
  /** Undecided parts of what a call wrote, by its id. */
  editHunks?: Readonly<Record<string, readonly EditHunk[]>>;
  /** Models in the order in which they are tried, the user's own first. */
  tryOrder?: readonly string[];
  /** Messages that were sent and wait for what is attached to them. */
  sending?: readonly { id: string; text: string }[];
  /** Messages that wait for the running turn; `paused` after an error, a stop or a denial. */
  queue: {
    /** `nextStepMicroUsd`: estimated, of letting the running turn have it. */
    items: { id: string; text: string; atNextStep?: true; nextStepMicroUsd?: number }[];
    paused: boolean;
    /** Estimated: what Stop may lose, while a request is under way. */
    lostMicroUsd?: number;
  };
  /** The conversation is in memory only, and why. */
  unsaved?: { reason: 'full' | 'read-only' | 'in-use' | 'other'; detail: string };
  sections: Partial<SectionStates>;
  /** Access of the next message. */
  mode: ChatMode;
  /** Name of the agent that the user picked; it narrows the mode. */
  agent?: string;
  sendKey: 'enter' | 'ctrlEnter';
  /** Where the key that sends puts a message while a turn runs; Alt+Enter is for the other place. */
  whileBusy: 'queue' | 'nextStep';
  /** In an editor tab, which has no head with New Chat in it. */
  inTab?: true;
  locale: string;
}

/** A part of an edit on which one decides as a whole. */
export interface EditHunk {
  uri: string;
  /** As shown. */
  path: string;
  /** Its first line in the text there is now, from 0. */
  line: number;
  /** Unified, without headers of files. */
  diff: string;
  /** Lines that are left out at the end of `diff`. */
  more: number;
}

export interface AttachmentChip {
  id: string;
  label: string;
  kind?: AttachmentKind;
  /** Estimated. */
  tokens?: number;
  microUsd?: number;
  /** Nobody knows yet what the model counts for an image: `tokens` is an assumption. */
  assumed?: true;
  image?: ImageRef;
  /** Not attached yet: it is being read, or could not be. Its price is not known. */
  arriving?: 'loading' | { failed: string };
}

/** For an empty conversation. A starter fills the composer and never sends. */
export interface WelcomeInfo {
  starters: { label: string; text: string; pick?: ContextPick }[];
  recent: { id: string; title: string; at: number }[];
}

/** Why a key that may well be there cannot be used. */
export type KeyProblem =
  | StoredKeyProblem
  /** The service refused the key that was entered last; it was not stored. */
  | { state: 'rejected' };

/** The two problems of a key that may be stored. */
export type StoredKeyProblem =
  /** The stored key was entered for `origin` and goes nowhere else. */
  | { state: 'other-address'; origin: string }
  /** SecretStorage failed; `message` is what it said. */
  | { state: 'unavailable'; message: string };

/** One sentence for the panel and for the key's input box: what is the matter and what to do. */
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

/** `rules`: the workspace's own instructions. `tools`: tool definitions and our instructions. */
export type PriceCategory = 'draft' | 'attachments' | 'history' | 'rules' | 'tools';

/** Estimated for the request alone. The answer and further steps come on top. */
export interface NextPrice {
  /** The sum of `parts`. */
  tokens: number;
  microUsd: number;
  parts: Record<PriceCategory, number>;
  /** The history's part of the price, paid again with every message. */
  historyMicroUsd: number;
  /** Costs once and saves with every further request; absent when it would save nothing. */
  compact?: { priceMicroUsd: number; savedTokens: number; savedMicroUsd: number; paysAfterRequests: number };
  /** In 19 of 20 cases what is counted differs from `tokens` by no more, relative. */
  error: number;
  /** Most tokens of a request, as far as anybody knows. */
  limit?: { tokens: number; by: 'set' | 'learned' };
  /** Images are part of it, and what this model counts for one is not known yet. */
  assumed?: true;
}

/** One row of the list that opens under `@`, `#` and `/`. */
export interface CompletionItem {
  /** Unique within the list. */
  id: string;
  icon: CompletionIcon;
  label: string;
  /** Where it is or what it does; of a row that cannot be chosen, why and what to use instead. */
  detail?: string;
  /** Absent: shown, but not to be chosen. */
  action?:
    | { type: 'attach'; pick: ContextPick }
    /** Replaces what was typed after the sign and goes on. */
    | { type: 'refine'; text: string }
    /** A slash command, without its slash. */
    | { type: 'command'; name: string };
}

export type CompletionIcon = AttachmentKind | 'codebase' | 'command';
