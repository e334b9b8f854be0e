import { isGitPath, isSecretPath } from '../../../files/file-class.ts';
import { createIgnoreRules } from '../../../files/ignore-rules.ts';
import type { CommandHandlers } from '../../../vscode/host/command-ids.ts';
import { openGit } from '../../../vscode/workspace/git-adapter.ts';
import type { GitRepository } from '../../../vscode/workspace/git-extension.ts';
import { rootOf } from '../../../vscode/workspace/repository-changes.ts';
import { createWorkspace } from '../../../vscode/workspace/workspace-adapter.ts';
import type { TitleAndDescriptionProvider } from './github-view.ts';
import { createPullRequestProvider } from './pull-request-provider.ts';
import { createSplitCommit } from './split-commit.ts';
import { createWritePullRequest } from './write-pull-request.ts';

export type GitCommandsDeps = Omit<
  Parameters<typeof createSplitCommit>[0] & Parameters<typeof createWritePullRequest>[0],
  'openGit' | 'hides'
>;

export interface GitCommands {
  commands: Pick<CommandHandlers, 'svc.splitCommit' | 'svc.writePullRequest'>;
  givenText: TitleAndDescriptionProvider;
}

export function createGitCommands(deps: GitCommandsDeps): GitCommands {
  const shared = { ...deps, openGit, hides };
  return {
    commands: {
      'svc.splitCommit': createSplitCommit(shared),
      'svc.writePullRequest': createWritePullRequest(shared),
    },
    givenText: createPullRequestProvider(shared),
  };
}

function hides(repository: GitRepository): (path: string) => Promise<boolean> {
  const root = rootOf(repository);
  const { workspace, files } = createWorkspace(() => [root]);
  const rules = createIgnoreRules(files, root, workspace.excludes(root));
  return async (path) => isSecretPath(path) || isGitPath(path) || (await rules.ignoresDeep(path, false));
}
