import * as vscode from 'vscode';
import { csvHeader, csvLine } from '../../spend/csv.ts';
import { type DayRange, lastDays } from '../../spend/days.ts';
import type { Ledger } from '../../spend/ledger.ts';

type Source = Pick<Ledger, 'eachEntry' | 'currentDay'>;

/** Runs `svc.exportSpend`: asks for days and file, or with a `Uri` exports every day there and asks nothing. */
export async function exportSpend(ledger: Source, argument: unknown): Promise<void> {
  if (argument instanceof vscode.Uri) return write(ledger, everything, argument);
  const range = await pickRange(ledger.currentDay());
  if (range === undefined) return;
  const name = `svc-spend-${ledger.currentDay()}.csv`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    defaultUri: folder && vscode.Uri.joinPath(folder, name),
    filters: { CSV: ['csv'] },
    saveLabel: vscode.l10n.t('Export'),
  });
  if (target === undefined) return;
  await write(ledger, range, target);
  const open = vscode.l10n.t('Open');
  const answer = await vscode.window.showInformationMessage(vscode.l10n.t('Spend exported.'), open);
  if (answer === open) await vscode.window.showTextDocument(target);
}

const everything: DayRange = { from: '0001-01-01', to: '9999-01-01' };

async function pickRange(today: string): Promise<DayRange | undefined> {
  const rows = [
    { label: vscode.l10n.t('Last 30 days'), range: lastDays(today, 30) },
    { label: vscode.l10n.t('Last 7 days'), range: lastDays(today, 7) },
    { label: vscode.l10n.t('Today'), range: lastDays(today, 1) },
    { label: vscode.l10n.t('All time'), range: everything },
  ];
  return (await vscode.window.showQuickPick(rows, { placeHolder: vscode.l10n.t('Select a period') }))?.range;
}

async function write(ledger: Source, range: DayRange, target: vscode.Uri): Promise<void> {
  const pieces: Buffer[] = [];
  let lines = [csvHeader];
  const flush = (): void => {
    pieces.push(Buffer.from(lines.join('')));
    lines = [];
  };
  await ledger.eachEntry(range, (entry) => {
    // A year of text in small pieces: one string of all of it can be more than a string may hold.
    if (lines.push(csvLine(entry)) >= 5000) flush();
  });
  flush();
  await vscode.workspace.fs.writeFile(target, Buffer.concat(pieces));
}
