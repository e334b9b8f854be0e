import { isGitPath, isSecretPath } from '../../../files/file-class.ts';
import { createIgnoreRules } from '../../../files/ignore-rules.ts';
import type { Estimator } from '../../../spend/estimate.ts';
import type { CreateMetered } from '../../../spend/metered-client.ts';
import type { Service } from '../../../vscode/account/create-service.ts';
import type { CommandHandlers } from '../../../vscode/host/command-ids.ts';
import type { Pages } from '../../../vscode/host/pages.ts';
import { openGit } from '../../../vscode/workspace/git-adapter.ts';
import type { GitRepository } from '../../../vscode/workspace/git-extension.ts';
import { rootOf } from '../../../vscode/workspace/repository-changes.ts';
import { createWorkspace } from '../../../vscode/workspace/workspace-adapter.ts';
import type { TitleAndDescriptionProvider } from './github-view.ts';
import { createGivenText } from './given-text.ts';
import { createSplitCommit } from './split-commit.ts';
import { createWritePullRequest } from './write-pull-request.ts';

export interface GitCommandsDeps {
  metered: CreateMetered;
  estimator: Estimator;
  model(): string;
  pages: Pages;
}

export interface GitTexts {
  commands: Pick<CommandHandlers, 'svc.splitCommit' | 'svc.writePullRequest'>;
  givenText: TitleAndDescriptionProvider;
}

export function createGitCommands(service: Service, deps: GitCommandsDeps): GitTexts {
  const { settings, models, onboarding, context } = service;
  const shared = { ...deps, settings, nameOf: models.nameOf, ensureReady: onboarding.ensureReady, openGit, hides };
  return {
    commands: {
      'svc.splitCommit': createSplitCommit({ ...shared, state: context.workspaceState }),
      'svc.writePullRequest': createWritePullRequest(shared),
    },
    givenText: createGivenText(shared),
  };
}

function hides(repository: GitRepository): (path: string) => Promise<boolean> {
  const root = rootOf(repository);
  const { workspace, files } = createWorkspace(() => [root]);
  const rules = createIgnoreRules(files, root, workspace.excludes(root));
  return async (path) => isSecretPath(path) || isGitPath(path) || (await rules.ignoresDeep(path, false));
}
