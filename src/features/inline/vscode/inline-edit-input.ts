import * as vscode from 'vscode';
import { setContextKey } from '../../../vscode/host/context-keys.ts';
import type { BegunInstruction } from './begun-instruction.ts';

export interface InstructionAsk<File extends { name: string }> {
  /** Names the code that the edit is about, which may still become more until `changes` are through. */
  place(): string;
  model: string;
  files: readonly File[];
  nameOf(model: string): string;
  pickModel(current: string): Promise<string | undefined>;
  pickFile(): Promise<File | undefined>;
  price(asked: EnteredInstruction<File>): string;
  /** After each of these, place and price are read again. */
  changes: readonly Promise<unknown>[];
  /** The newest instruction comes first. */
  history: readonly string[];
  onAbandoned(text: string): void;
  /** The first box, where it is open already. */
  begun?: BegunInstruction | undefined;
}

export interface EnteredInstruction<File> {
  instruction: string;
  model: string;
  files: readonly File[];
}

export interface InstructionInput {
  /**
   * Uses VS Code's own input box, because no stable widget exists inside an editor. Resolves undefined when the user
   * leaves it.
   */
  ask<File extends { name: string }>(ask: InstructionAsk<File>): Promise<EnteredInstruction<File> | undefined>;
  /** Moves to an older (1) or newer (-1) instruction. Beyond the newest is what the user typed. */
  step(by: 1 | -1): void;
}

export function createInstructionInput(): InstructionInput {
  let stepIn: ((by: 1 | -1) => void) | undefined;
  return {
    async ask(ask) {
      let asked: EnteredInstruction<(typeof ask.files)[number]> = {
        instruction: '',
        model: ask.model,
        files: ask.files,
      };
      for (let { begun } = ask; ; begun = undefined) {
        const shown = showBox(ask, asked, begun);
        stepIn = shown.step;
        setContextKey('svc.inlineEditInput', true);
        const answer = await shown.answered.finally(() => {
          stepIn = undefined;
          setContextKey('svc.inlineEditInput', false);
        });
        asked = { ...asked, instruction: answer.value };
        switch (answer.do) {
          case 'cancel':
            if (answer.value.trim() !== '') ask.onAbandoned(answer.value.trim());
            return undefined;
          case 'send':
            return { ...asked, instruction: answer.value.trim() };
          case 'model':
            asked = { ...asked, model: (await ask.pickModel(asked.model)) ?? asked.model };
            break;
          case 'file':
            asked = { ...asked, files: await withFile(ask, asked.files) };
            break;
          case 'history':
            asked = { ...asked, instruction: (await pickEarlier(ask.history)) ?? answer.value };
        }
      }
    },
    step: (by) => stepIn?.(by),
  };
}

async function withFile<File extends { name: string }>(
  { pickFile }: InstructionAsk<File>,
  files: readonly File[],
): Promise<readonly File[]> {
  const file = await pickFile();
  return file === undefined ? files : [...files.filter(({ name }) => name !== file.name), file];
}

function pickEarlier(history: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showQuickPick([...history], { placeHolder: vscode.l10n.t('Earlier instructions') });
}

interface Answer {
  do: 'cancel' | 'send' | 'model' | 'file' | 'history';
  value: string;
}

function showBox<File extends { name: string }>(
  ask: InstructionAsk<File>,
  { instruction, model, files }: EnteredInstruction<File>,
  begun: BegunInstruction | undefined,
): { answered: Promise<Answer>; step(by: 1 | -1): void } {
  const box = begun?.box ?? vscode.window.createInputBox();
  const button = (icon: string, tooltip: string) => ({ iconPath: new vscode.ThemeIcon(icon), tooltip });
  const modelButton = button('chip', vscode.l10n.t('Select Model…'));
  const fileButton = button('add', vscode.l10n.t('Add File…'));
  const historyButton = button('history', vscode.l10n.t('Earlier Instructions… (Up and Down)'));
  const price = (text: string) => ask.price({ instruction: text, model, files });
  box.placeholder = vscode.l10n.t('What to change, for example: handle an empty list');
  if (!begun) box.value = instruction;
  const show = () => {
    box.title = vscode.l10n.t('Edit {0} · {1}', ask.place(), ask.nameOf(model));
    box.prompt = price(box.value);
  };
  show();
  box.ignoreFocusOut = true;
  box.buttons = [...(ask.history.length === 0 ? [] : [historyButton]), fileButton, modelButton];
  const answered = Promise.withResolvers<Answer>();
  const accept = () => {
    if (box.value.trim() === '') box.validationMessage = vscode.l10n.t('Describe the change.');
    else answered.resolve({ do: 'send', value: box.value });
  };
  const cancel = () => answered.resolve({ do: 'cancel', value: box.value });
  const triggered = new Map([
    [modelButton, 'model'],
    [fileButton, 'file'],
    [historyButton, 'history'],
  ] as const);
  const listening = [
    box.onDidChangeValue((text) => {
      box.validationMessage = undefined;
      box.prompt = price(text);
    }),
    box.onDidAccept(accept),
    box.onDidTriggerButton((pressed) => {
      const action = [...triggered].find(([one]) => one === pressed)?.[1];
      if (action !== undefined) answered.resolve({ do: action, value: box.value });
    }),
    box.onDidHide(cancel),
  ];
  let isOpen = true;
  for (const change of ask.changes) void change.then(() => isOpen && show());
  if (begun) begun.isTaken = true;
  else box.show();
  if (begun?.done === 'send') accept();
  if (begun?.done === 'cancel') cancel();
  return {
    answered: answered.promise.finally(() => {
      isOpen = false;
      vscode.Disposable.from(...listening, box).dispose();
    }),
    step: stepper(box, ask.history, price),
  };
}

function stepper(
  box: vscode.InputBox,
  history: readonly string[],
  price: (text: string) => string,
): (by: 1 | -1) => void {
  let at = -1;
  let typed = '';
  return (by) => {
    if (at === -1) typed = box.value;
    at = Math.max(-1, Math.min(history.length - 1, at + by));
    box.value = history[at] ?? typed;
    box.prompt = price(box.value);
  };
}
