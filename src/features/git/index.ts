import { type FeatureWindow, requestDeps } from '../feature-window.ts';
import { createGitCommands } from './vscode/create-git-commands.ts';

export function git(window: FeatureWindow) {
  const { settings, context } = window.service;
  return createGitCommands({ ...requestDeps(window), settings, pages: window.pages, state: context.workspaceState });
}
