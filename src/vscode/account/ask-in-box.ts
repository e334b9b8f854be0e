import * as vscode from 'vscode';
import { messageOf } from '../../base/message-of.ts';

export interface BoxQuestion {
  title: string;
  prompt: string;
  placeholder: string;
  value?: string;
  password?: boolean;
  working: string;
  /**
   * Checks the text while it is typed. An error disables Enter; a note says how the text will be understood. It is
   * not called for an empty text.
   */
  look(text: string): { error: string } | { note: string } | undefined;
  /**
   * Takes the text, or resolves with the reason for refusing it, and then the box stays open. `again` means that the
   * same text was refused before and the user has read why. `signal` aborts when the box is closed.
   */
  accept(text: string, again: boolean, signal: AbortSignal): Promise<string | undefined>;
}

/** Asks in a native input box that stays open until its answer is accepted. Resolves with whether one was. */
export function askInBox(question: BoxQuestion): Promise<boolean> {
  const box = vscode.window.createInputBox();
  box.title = question.title;
  box.prompt = question.prompt;
  box.placeholder = question.placeholder;
  box.value = question.value ?? '';
  box.password = question.password ?? false;
  box.ignoreFocusOut = true;
  const closed = new AbortController();
  let refused: string | undefined;
  const look = (text: string) => {
    const seen = text.trim() === '' ? undefined : question.look(text);
    if (seen === undefined) box.validationMessage = undefined;
    else if ('error' in seen) box.validationMessage = seen.error;
    else box.validationMessage = { message: seen.note, severity: vscode.InputBoxValidationSeverity.Info };
    return text.trim() !== '' && !(seen !== undefined && 'error' in seen);
  };
  const accept = async (text: string) => {
    box.enabled = false;
    box.busy = true;
    box.prompt = question.working;
    const problem = await question.accept(text, text === refused, closed.signal).catch(messageOf);
    if (closed.signal.aborted) return false;
    box.enabled = true;
    box.busy = false;
    box.prompt = question.prompt;
    if (problem === undefined) return true;
    refused = text;
    box.validationMessage = problem;
    // What is typed or pasted next takes its place.
    if (question.password) box.valueSelection = [0, text.length];
    return false;
  };
  return new Promise((resolve) => {
    box.onDidChangeValue(look);
    box.onDidAccept(async () => {
      const text = box.value;
      if (!box.enabled || (text !== refused && !look(text)) || !(await accept(text))) return;
      resolve(true);
      box.hide();
    });
    box.onDidHide(() => {
      closed.abort();
      box.dispose();
      resolve(false);
    });
    box.show();
  });
}
