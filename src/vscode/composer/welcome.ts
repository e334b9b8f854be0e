import * as vscode from 'vscode';
import type { ConversationStore } from '../../conversation/store/store.ts';
import type { Workspace } from '../../files/workspace.ts';
import type { WelcomeInfo } from '../../shared/panel/panel-info.ts';
import type { Git } from '../../tools/git/git.ts';
import { lastLine } from './attachments.ts';

const maxStarters = 4;
const mostRecent = 3;

export interface WelcomeDeps {
  workspace: Workspace;
  git: Git;
  store: Pick<ConversationStore, 'list'>;
  currentConversation(): string;
}

/** Suggests messages for an empty conversation from the selection, problems and changes. It sends nothing. */
export async function readWelcome(deps: WelcomeDeps): Promise<WelcomeInfo> {
  const [changes, recent] = await Promise.all([changeStarters(deps), recentConversations(deps)]);
  const starters = [...codeStarters(), ...problemStarters(), ...changes];
  return { starters: starters.slice(0, maxStarters), recent };
}

type Starters = WelcomeInfo['starters'];

function codeStarters(): Starters {
  const editor = vscode.window.activeTextEditor;
  if (!editor || vscode.workspace.getWorkspaceFolder(editor.document.uri) === undefined) return [];
  const { document, selection } = editor;
  const name = document.uri.path.split('/').at(-1) ?? '';
  const pick = { kind: 'selection' } as const;
  if (selection.isEmpty) {
    return [{ label: vscode.l10n.t('Explain {0}', name), text: '/explain ', pick }];
  }
  const lines = `${name}:${selection.start.line + 1}-${lastLine(selection)}`;
  return [
    { label: vscode.l10n.t('Explain {0}', lines), text: '/explain ', pick },
    { label: vscode.l10n.t('Write tests for {0}', lines), text: '/tests ', pick },
  ];
}

function problemStarters(): Starters {
  const counted = vscode.languages.getDiagnostics().map(([uri, list]) => ({
    uri,
    count: list.filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error).length,
  }));
  const active = vscode.window.activeTextEditor?.document.uri.toString();
  const own = counted.find(({ uri, count }) => count > 0 && uri.toString() === active);
  const count = own?.count ?? counted.reduce((sum, file) => sum + file.count, 0);
  if (count === 0) return [];
  const where = own?.uri.path.split('/').at(-1) ?? vscode.l10n.t('the workspace');
  const label =
    count === 1 ? vscode.l10n.t('Fix the error in {0}', where) : vscode.l10n.t('Fix {0} errors in {1}', count, where);
  return [{ label, text: '/fix ', pick: { kind: 'problems', ...(own && { uri: own.uri.toString() }) } }];
}

async function changeStarters({ workspace, git }: WelcomeDeps): Promise<Starters> {
  if (!workspace.isTrusted()) return [];
  const count = async (staged: boolean) => {
    let files = 0;
    for (const root of workspace.roots().filter((each) => git.isRepository(each))) {
      const changes = await git.changes(root, { staged }, AbortSignal.timeout(5000)).catch(() => undefined);
      files += (changes?.files.length ?? 0) + (changes?.untracked.length ?? 0);
    }
    return files;
  };
  const staged = await count(true);
  if (staged > 0) {
    const label =
      staged === 1
        ? vscode.l10n.t('Write a commit message for 1 staged file')
        : vscode.l10n.t('Write a commit message for {0} staged files', staged);
    return [{ label, text: '/commit ', pick: { kind: 'changes', staged: true } }];
  }
  const changed = await count(false);
  if (changed === 0) return [];
  const label =
    changed === 1 ? vscode.l10n.t('Review 1 changed file') : vscode.l10n.t('Review {0} changed files', changed);
  return [{ label, text: '/review ', pick: { kind: 'changes' } }];
}

async function recentConversations(deps: WelcomeDeps): Promise<WelcomeInfo['recent']> {
  const all = await deps.store.list();
  return all
    .filter(({ id }) => id !== deps.currentConversation())
    .slice(0, mostRecent)
    .map(({ id, title, updatedAt }) => ({ id, title: title || vscode.l10n.t('Untitled'), at: updatedAt }));
}
