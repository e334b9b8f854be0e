import { type ReadonlySignal, signal } from '@preact/signals';
import type { PickerName, WelcomeInfo } from '../../../src/shared/panel/panel-info.ts';
import type { HostMessage } from '../../../src/shared/panel/protocol.ts';

type Picks = Omit<Extract<HostMessage, { type: 'picks' }>, 'type' | 'picker'>;
type Completions = Omit<Extract<HostMessage, { type: 'completions' }>, 'type'>;

export interface ComposerState {
  completions: ReadonlySignal<Completions>;
  picks: ReadonlySignal<Partial<Record<PickerName, Picks>>>;
  pasteAttached: ReadonlySignal<{ id: number; attachmentId: string } | undefined>;
  note: ReadonlySignal<string>;
  prompts: ReadonlySignal<readonly string[]>;
  welcome: ReadonlySignal<WelcomeInfo>;
  sources: ReadonlySignal<Readonly<Record<string, 'changed' | 'gone'>>>;
  receive(message: HostMessage): void;
  say(text: string): void;
  clearNote(): void;
}

export function createComposerState(): ComposerState {
  const completions = signal<Completions>({ id: 0, items: [], done: true });
  const picks = signal<Partial<Record<PickerName, Picks>>>({});
  const pasteAttached = signal<{ id: number; attachmentId: string } | undefined>(undefined);
  const note = signal('');
  const prompts = signal<readonly string[]>([]);
  const welcome = signal<WelcomeInfo>({ starters: [], recent: [] });
  const sources = signal<Readonly<Record<string, 'changed' | 'gone'>>>({});
  return {
    completions,
    picks,
    pasteAttached,
    note,
    prompts,
    welcome,
    sources,
    receive(message) {
      if (message.type === 'completions') completions.value = message;
      else if (message.type === 'picks') picks.value = { ...picks.value, [message.picker]: message };
      else if (message.type === 'pasteAttached') pasteAttached.value = message;
      else if (message.type === 'note') note.value = message.text;
      else if (message.type === 'prompts') prompts.value = message.prompts;
      else if (message.type === 'welcome') welcome.value = message.welcome;
      else if (message.type === 'sources') sources.value = message.states;
    },
    say(text) {
      note.value = text;
    },
    clearNote() {
      note.value = '';
    },
  };
}
