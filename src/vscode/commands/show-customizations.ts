import * as vscode from 'vscode';
import { type Choice, choicesFor, keyOf } from '../../customizations/choices.ts';
import type { Fault } from '../../customizations/customization.ts';
import { kinds } from '../../customizations/kinds.ts';
import type { OverviewRow, Standing } from '../../customizations/overview.ts';
import { requestPrice } from '../../customizations/request-price.ts';
import { showMessage } from '../host/show-message.ts';
import type { Customizations } from '../workspace/customizations-adapter.ts';
import { uriOfPlace } from '../workspace/place-uri.ts';

interface Item extends vscode.QuickPickItem {
  row?: OverviewRow;
}

/**
 * Lists every customization file, why it is sent or not, and what it adds to the next request of the open
 * conversation. A row opens its file; its button sets whether the model may load it.
 */
export async function showCustomizations(customizations: Customizations, paths: readonly string[]): Promise<void> {
  await customizations.refresh();
  if (customizations.overview(paths).length === 0) {
    return showMessage(
      vscode.l10n.t("No instruction files such as AGENTS.md were found, or the workspace isn't trusted."),
    );
  }
  const picker = vscode.window.createQuickPick<Item>();
  let isChoosing = false;
  const show = (at?: OverviewRow) => {
    const rows = customizations.overview(paths);
    const items = itemsOf(rows);
    picker.items = items;
    const same = items.filter(({ row }) => row !== undefined && at !== undefined && keyOf(row.file) === keyOf(at.file));
    if (same.length > 0) picker.activeItems = same;
    picker.title = vscode.l10n.t(
      'Instructions, Skills, and Agents: {0}',
      priced(rows.reduce((sum, { tokens }) => sum + tokens, 0)),
    );
  };
  picker.placeholder = vscode.l10n.t('Select a file to open it. Its button sets when it is used.');
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.onDidTriggerItemButton(async ({ item }) => {
    if (item.row === undefined) return;
    isChoosing = true;
    await choose(customizations, item.row);
    isChoosing = false;
    picker.show();
    show(item.row);
  });
  picker.onDidHide(() => {
    if (!isChoosing) picker.dispose();
  });
  picker.onDidAccept(() => {
    const row = picker.selectedItems[0]?.row;
    picker.hide();
    if (row !== undefined) void vscode.window.showTextDocument(uriOfPlace(row.file.place));
  });
  show();
  picker.show();
}

async function choose(customizations: Customizations, { file }: OverviewRow): Promise<void> {
  const current = customizations.choiceOf(file);
  const items = choicesFor(file).map((choice) => ({
    choice,
    ...choiceText(choice, file.entry.when),
    ...(choice === current && { description: vscode.l10n.t('current') }),
  }));
  const picked = await vscode.window.showQuickPick(items, { title: file.path });
  if (picked) await customizations.choose(file, picked.choice);
}

function choiceText(choice: Choice, when: OverviewRow['file']['entry']['when']): { label: string; detail: string } {
  switch (choice) {
    case 'model':
      return when === 'loaded'
        ? { label: vscode.l10n.t('Model May Load'), detail: vscode.l10n.t('One line in each request names it.') }
        : { label: vscode.l10n.t('As Its Header Says'), detail: vscode.l10n.t('Used as the file itself says.') };
    case 'slash':
      return {
        label: vscode.l10n.t('Slash Only'),
        detail: vscode.l10n.t('Sent when you type its name behind a slash, and costs nothing before.'),
      };
    case 'off':
      return { label: vscode.l10n.t('Off'), detail: vscode.l10n.t('Not used in this workspace.') };
  }
}

const groups: Readonly<Record<Standing['group'], () => string>> = {
  sent: () => vscode.l10n.t('Sent with Each Request'),
  row: () => vscode.l10n.t('Named in Each Request'),
  waiting: () => vscode.l10n.t('Not Sent'),
  agent: () => vscode.l10n.t('Agents'),
  unused: () => vscode.l10n.t('Not Used'),
};

function itemsOf(rows: readonly OverviewRow[]): Item[] {
  return Object.entries(groups).flatMap(([group, title]) => {
    const some = rows.filter(({ standing }) => standing.group === group);
    if (some.length === 0) return [];
    return [{ label: title(), kind: vscode.QuickPickItemKind.Separator }, ...some.map(itemOf)];
  });
}

function itemOf(row: OverviewRow): Item {
  const { file, tokens, tokensUsed } = row;
  const isPart = file.kind === 'rooModes';
  const ignored = file.ignored.length > 0 ? [vscode.l10n.t('without effect here: {0}', file.ignored.join(', '))] : [];
  const of = kinds[file.kind]?.of ?? '';
  const price = tokens > 0 ? priced(tokens) : vscode.l10n.t('nothing now; {0} tokens when used', count(tokensUsed));
  return {
    row,
    label: isPart ? `${file.path} · ${file.name}` : file.path,
    // Long paths leave room for the first.
    description: [price, of].join(' · '),
    detail: [why(row.standing, file.name), ...ignored].join(' · '),
    ...(choicesFor(file).length > 0 && {
      buttons: [{ iconPath: new vscode.ThemeIcon('settings-gear'), tooltip: vscode.l10n.t('When It Is Used…') }],
    }),
  };
}

const count = (tokens: number) => tokens.toLocaleString('en');

function priced(tokens: number): string {
  return vscode.l10n.t('{0} tokens, {1} a request', count(tokens), requestPrice(tokens));
}

function why(standing: Standing, name: string): string {
  switch (standing.group) {
    case 'sent':
      if (standing.why === 'cut') return vscode.l10n.t('too long; only part is sent');
      return standing.why === 'always'
        ? vscode.l10n.t('holds for everything')
        : vscode.l10n.t('applies to: {0}', standing.globs ?? '…');
    case 'row':
      return standing.typed
        ? vscode.l10n.t('loaded when needed, or with /{0}', name)
        : vscode.l10n.t('loaded when needed');
    case 'waiting':
      if (standing.why === 'typed') return vscode.l10n.t('you type /{0}', name);
      return standing.why === 'folder'
        ? vscode.l10n.t('only its name is sent until the model reads a file that it applies to')
        : vscode.l10n.t('sent once a file that it is for is part of the conversation: {0}', standing.globs ?? '');
    case 'agent':
      if (standing.mode !== undefined) return vscode.l10n.t('sent while the mode {0} is picked', standing.mode);
      return standing.picked ? vscode.l10n.t('picked as mode') : vscode.l10n.t('can be picked as mode');
    case 'unused':
      return unused[standing.why]();
  }
}

const unused: Readonly<Record<Fault | 'same-as-another' | 'same-name', () => string>> = {
  large: () => vscode.l10n.t('it is larger than 256 KB'),
  closed: () => vscode.l10n.t("it leads to where rules aren't read, or isn't text"),
  name: () => vscode.l10n.t("its name isn't that of its folder, or isn't in a–z, 0–9, and hyphens"),
  globs: () => vscode.l10n.t('its patterns are too long'),
  empty: () => vscode.l10n.t('it has no text of its own'),
  form: () => vscode.l10n.t("its form can't be read"),
  'not-for-models': () => vscode.l10n.t('neither you nor the model can use it, as its front matter says'),
  off: () => vscode.l10n.t('you turned it off'),
  'same-as-another': () => vscode.l10n.t('duplicate of another file; sent once'),
  'same-name': () => vscode.l10n.t('another one has the same name'),
};
