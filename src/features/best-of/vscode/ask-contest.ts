import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ChatViewModel } from '../../../chat/view-model.ts';
import { askText } from '../../../vscode/host/ask-text.ts';
import { pickFrom } from '../../../vscode/host/pick-one.ts';
import { runPrice } from '../../plan/core/plan-price.ts';
import {
  nameFor,
  pickRepository,
  pickStart,
  priceWords,
  stepEstimate,
  taskTokens,
} from '../../worktrees/vscode/new-task.ts';
import type { Contest } from '../core/contest.ts';
import { proposeTest, withScripts } from '../core/test-command.ts';
import { maxModels } from './contest-section.ts';
import type { ContestsDeps } from './contests.ts';

/** Asks for models, task, tests and where to begin. Resolves with undefined where the user leaves; nothing is made. */
export async function askContest(
  deps: ContestsDeps,
  viewModel: ChatViewModel,
  given: string | undefined,
): Promise<Contest | undefined> {
  const { signal } = new AbortController();
  const worktrees = await deps.tasks.prepared();
  const repository = await pickRepository(await deps.tasks.repositories());
  if (repository === undefined || !(await deps.ensureReady())) return undefined;
  const draft = given ?? viewModel.draft.text();
  const models = await pickModels(deps, viewModel.conversation().model() || deps.model());
  if (models === undefined) return undefined;
  const attachments = viewModel.draft.text().trim() === '' ? [] : [...viewModel.draft.attachments()];
  const prices = models.map((model) => {
    const tokens = { task: taskTokens(deps.estimator, model, draft, attachments), history: 0 };
    return runPrice(stepEstimate, tokens, (expects) => deps.estimator.usual(model, expects));
  });
  const sum = (key: 'freshMicroUsd' | 'capMicroUsd') => prices.reduce((all, price) => all + price[key], 0);
  const [usually, stops] = priceWords({ freshMicroUsd: sum('freshMicroUsd'), capMicroUsd: sum('capMicroUsd') });
  const title = vscode.l10n.t('Run a Task on Several Models');
  const task = await askText({
    ...{ title, value: draft, valueSelection: [draft.length, draft.length] },
    placeHolder: vscode.l10n.t('What is to be done?'),
    prompt: vscode.l10n.t('{0} models · usually {1} · stops at {2}', models.length, usually, stops),
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('Describe the task.') : undefined),
  });
  if (task === undefined) return undefined;
  const keep = () => {
    if (task.trim() !== viewModel.draft.text().trim()) viewModel.draft.append(task);
    return undefined;
  };
  const inside = path.join(repository.top, repository.roots[0]?.path ?? '');
  const test = await askTest(deps, title, inside);
  if (test === undefined) return keep();
  const start = await pickStart(await worktrees.uncommitted(repository.top, signal), title);
  if (start === undefined) return keep();
  return {
    ...{ id: randomUUID(), name: nameFor(repository.top), repository: repository.top, roots: repository.roots },
    ...{ tree: start.tree ?? (await worktrees.committed(repository.top, signal)), task, attachments },
    ...(test !== '' && { test, judge: await withScripts(test, inside) }),
    entries: models.map((model, at) => {
      const { capMicroUsd = 0, steps = 0, stepTokens = 0 } = prices[at] ?? {};
      return { model, capMicroUsd, run: { steps, stepTokens } };
    }),
  };
}

async function askTest({ commands }: ContestsDeps, title: string, folder: string): Promise<string | undefined> {
  await commands.ready();
  if (!commands.isSandboxed()) {
    const goOn = vscode.l10n.t('Continue without Tests');
    const text = vscode.l10n.t(
      "Tests need the sandbox, which isn't available here. Results are only shown side by side.",
    );
    return (await vscode.window.showWarningMessage(text, { modal: true }, goOn)) === goOn ? '' : undefined;
  }
  const line = await askText({
    ...{ title, value: (await proposeTest(folder)) ?? '' },
    placeHolder: vscode.l10n.t('Test command'),
    prompt: vscode.l10n.t('Runs before and after the task, in the sandbox. Leave it empty to compare without tests.'),
  });
  return line?.trim();
}

interface ModelRow extends vscode.QuickPickItem {
  model: string;
}

function pickModels({ modelIds, nameOf }: ContestsDeps, current: string): Promise<readonly string[] | undefined> {
  const picker = vscode.window.createQuickPick<ModelRow>();
  picker.title = vscode.l10n.t('Run a Task on Several Models');
  picker.placeholder = vscode.l10n.t('Select two or three models');
  picker.canSelectMany = true;
  picker.ignoreFocusOut = true;
  picker.items = modelIds().map((model) => ({ model, label: nameOf(model), description: model }));
  picker.selectedItems = picker.items.filter(({ model }) => model === current);
  picker.onDidChangeSelection((chosen) => {
    // A fourth is not taken.
    if (chosen.length > maxModels) picker.selectedItems = chosen.slice(0, maxModels);
  });
  const chosen = () => picker.selectedItems.map(({ model }) => model);
  return pickFrom(picker, () => (picker.selectedItems.length < 2 ? undefined : chosen()));
}
