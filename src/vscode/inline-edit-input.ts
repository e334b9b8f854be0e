import * as vscode from 'vscode';

export interface InstructionAsk {
  /** `a.ts:10–24` */
  place: string;
  model: string;
  nameOf(model: string): string;
  pickModel(current: string): Promise<string | undefined>;
  /** What sending would cost, in words. */
  price(model: string, instruction: string): string;
  history: readonly string[];
  value?: string;
}

/** VS Code's own input box: there is no stable widget inside an editor (ux 2.15). Undefined: the user went away. */
export async function askInstruction(ask: InstructionAsk): Promise<{ instruction: string; model: string } | undefined> {
  let model = ask.model;
  let value = ask.value ?? '';
  for (;;) {
    const answer = await showBox(ask, model, value);
    value = answer.value;
    switch (answer.do) {
      case 'cancel':
        return undefined;
      case 'send':
        return { instruction: value.trim(), model };
      case 'model':
        model = (await ask.pickModel(model)) ?? model;
        break;
      case 'history':
        value =
          (await vscode.window.showQuickPick([...ask.history], {
            placeHolder: vscode.l10n.t('Earlier instructions'),
          })) ?? value;
    }
  }
}

type Answer = { do: 'cancel' | 'send' | 'model' | 'history'; value: string };

function showBox(ask: InstructionAsk, model: string, value: string): Promise<Answer> {
  const box = vscode.window.createInputBox();
  const modelButton = { iconPath: new vscode.ThemeIcon('chip'), tooltip: vscode.l10n.t('Select Model…') };
  const historyButton = { iconPath: new vscode.ThemeIcon('history'), tooltip: vscode.l10n.t('Earlier Instructions…') };
  box.title = vscode.l10n.t('Edit {0} · {1}', ask.place, ask.nameOf(model));
  box.placeholder = vscode.l10n.t('What to change, as in: handle an empty list');
  box.prompt = ask.price(model, value);
  box.value = value;
  box.ignoreFocusOut = true;
  box.buttons = ask.history.length === 0 ? [modelButton] : [historyButton, modelButton];
  const answered = Promise.withResolvers<Answer>();
  const listening = [
    box.onDidChangeValue((text) => {
      box.validationMessage = undefined;
      box.prompt = ask.price(model, text);
    }),
    box.onDidAccept(() => {
      if (box.value.trim() === '') box.validationMessage = vscode.l10n.t('Say what to change.');
      else answered.resolve({ do: 'send', value: box.value });
    }),
    box.onDidTriggerButton((button) =>
      answered.resolve({ do: button === modelButton ? 'model' : 'history', value: box.value }),
    ),
    box.onDidHide(() => answered.resolve({ do: 'cancel', value: box.value })),
  ];
  box.show();
  return answered.promise.finally(() => vscode.Disposable.from(...listening, box).dispose());
}
