import * as vscode from 'vscode';
import { type ContextKey, setContextKey } from '../host/context-keys.ts';

type Step = Extract<ContextKey, `svc.walkthrough${string}`>;

export interface Walkthrough extends vscode.Disposable {
  done(step: Step): void;
}

/** A walkthrough counts as registered after this time, because VS Code's own experiments delay it by up to 5 s. */
const registeredMs = 6000;

/**
 * VS Code registers walkthroughs when one of their pages first opens, and in that session never ticks a step whose
 * key was already true. So the keys become true a moment after such a page was seen; no API says which page it is,
 * only that it belongs to VS Code.
 */
export function createWalkthrough(): Walkthrough {
  const steps = new Set<Step>();
  let registered = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = () => {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    if (timer !== undefined || !tabs.some((tab) => tab.input === undefined)) return;
    timer = setTimeout(() => {
      registered = true;
      for (const step of steps) setContextKey(step, true);
    }, registeredMs);
  };
  refresh();
  const listening = vscode.window.tabGroups.onDidChangeTabs(refresh);
  return {
    done(step) {
      steps.add(step);
      if (registered) setContextKey(step, true);
    },
    dispose() {
      clearTimeout(timer);
      listening.dispose();
    },
  };
}
