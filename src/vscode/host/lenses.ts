import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';

const firstMs = 500;
const lastMs = 8000;

/**
 * Provides lenses from the first refresh on that has some, and until the end: of a provider that is gone the editor goes
 * on showing the lenses that it had. VS Code asks a moment after an event, and not at all when the editor loses the focus
 * meanwhile, so the event is repeated a few times until every visible document was asked about.
 */
export function createLenses(
  selector: vscode.DocumentSelector,
  lensesOf: (document: vscode.TextDocument) => vscode.CodeLens[],
) {
  const changed = new vscode.EventEmitter<void>();
  const asked = new Set<string>();
  let registration: vscode.Disposable | undefined;
  let cancel = () => {};
  const follow = (ms: number) => {
    cancel();
    if (ms > lastMs) return;
    cancel = systemClock.after(ms, () => {
      if (vscode.window.visibleTextEditors.every(({ document }) => asked.has(document.uri.toString()))) return;
      changed.fire();
      follow(ms * 2);
    });
  };
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    provideCodeLenses(document) {
      asked.add(document.uri.toString());
      return lensesOf(document);
    },
  };
  const subscription = vscode.window.onDidChangeVisibleTextEditors(() => registration && follow(firstMs));
  return {
    refresh(hasLenses: boolean): void {
      if (hasLenses) registration ??= vscode.languages.registerCodeLensProvider(selector, provider);
      if (registration === undefined) return;
      asked.clear();
      changed.fire();
      follow(firstMs);
    },
    dispose(): void {
      cancel();
      registration?.dispose();
      vscode.Disposable.from(subscription, changed).dispose();
    },
  };
}
