import * as vscode from 'vscode';

/** Goes on here with a conversation that another window runs a turn of. */
export function createTakeOver(deps: { takeOver(): Promise<boolean>; onChange(): void }) {
  let underWay = false;
  const set = (value: boolean) => {
    underWay = value;
    deps.onChange();
  };
  return {
    underWay: () => underWay,
    async run(): Promise<void> {
      if (underWay) return;
      set(true);
      try {
        if (await deps.takeOver()) return;
        void vscode.window.showWarningMessage(
          vscode.l10n.t("The other window didn't stop. Stop the answer there, or close that window, and try again."),
        );
      } finally {
        set(false);
      }
    },
  };
}
