import * as vscode from 'vscode';
import { createUserValues, section } from '../../../vscode/host/user-values.ts';
import type { ProvidedPullRequest } from '../core/provided-pull-request.ts';

export interface GitHubExtension {
  registerTitleAndDescriptionProvider?(title: string, provider: TitleAndDescriptionProvider): vscode.Disposable;
}

export interface TitleAndDescriptionProvider {
  provideTitleAndDescription(
    given: ProvidedPullRequest,
    token: vscode.CancellationToken,
  ): Promise<{ title: string; description?: string } | undefined>;
}

const key = 'pullRequests.gitHubView';
/** Returns what the user decided about GitHub's view, or undefined before. */
const mayWrite = () => createUserValues().readUserValue<boolean>('pullRequests.gitHubView');

const gitHubExtension = () => vscode.extensions.getExtension<GitHubExtension>('GitHub.vscode-pull-request-github');

/**
 * Registers svc behind the sparkle button of GitHub's *Create Pull Request* view as long as the user's setting allows
 * it.
 */
export function registerGitHubView(load: () => Promise<TitleAndDescriptionProvider>): vscode.Disposable {
  let registration: Promise<vscode.Disposable | undefined> | undefined;
  const end = () => {
    void registration?.then((one) => one?.dispose());
    registration = undefined;
  };
  const update = () => {
    // The check for the extension is cheaper than reading the setting.
    if (gitHubExtension() !== undefined && mayWrite() === true) registration ??= register(load);
    else end();
  };
  const listening = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(`${section}.${key}`)) update();
  });
  update();
  return vscode.Disposable.from(listening, { dispose: end });
}

async function register(load: () => Promise<TitleAndDescriptionProvider>): Promise<vscode.Disposable | undefined> {
  try {
    const api = await gitHubExtension()?.activate();
    return api?.registerTitleAndDescriptionProvider?.('svc', {
      // A start that failed has said so.
      provideTitleAndDescription: (...args) =>
        load().then(
          (loaded) => loaded.provideTitleAndDescription(...args),
          () => undefined,
        ),
    });
  } catch {
    // It could not start, and has said so itself.
    return undefined;
  }
}

/** Asks, until the user answers, whether the view may ask svc too. `price` is that of the last request, in words. */
export async function offerGitHubView(price: string): Promise<void> {
  if (gitHubExtension() === undefined || mayWrite() !== undefined) return;
  const [yes, no] = [vscode.l10n.t('Use svc There'), vscode.l10n.t("Don't Use")];
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      "The sparkle button in GitHub's Create Pull Request view can ask svc too. Each press is a request like this one ({0}).",
      price,
    ),
    ...[yes, no],
  );
  await vscode.workspace.getConfiguration(section).update(key, answer === yes, vscode.ConfigurationTarget.Global);
}
