import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { type Tool, ToolError } from '../../../agent/tool.ts';
import type { Clock } from '../../../base/clock.ts';
import type { ChatRequest } from '../../../service/contract.ts';
import { chargeWords } from '../../../shared/charge-words.ts';
import { formatMicroUsd } from '../../../shared/money.ts';
import { type Estimator, requestMicroUsd } from '../../../spend/estimate.ts';
import type { CreateMetered } from '../../../spend/metered-client.ts';
import { sumCost } from '../../../spend/price.ts';
import type { ChangeRange } from '../../../tools/git/git.ts';
import { showWhyNothing } from '../../../vscode/composer/read-context.ts';
import { cancellable } from '../../../vscode/host/cancellable.ts';
import { showMessage } from '../../../vscode/host/show-message.ts';
import { showFailure } from '../../../vscode/reports/show-failure.ts';
import { ensureChangesTrusted } from '../../../vscode/workspace/repository-changes.ts';
import { firstPart } from '../core/changed-lines.ts';
import { type CollectDeps, collectChanges, type Material } from '../core/collect-changes.ts';
import type { FindingStore } from '../core/finding-store.ts';
import { severityWords } from '../core/finding-words.ts';
import { type Severity, worst } from '../core/findings.ts';
import { type ReviewResult, reviewRequest, runReview } from '../core/run-review.ts';
import type { FindingThreads } from './finding-threads.ts';

export interface ReviewChangesDeps {
  store: FindingStore;
  threads: Pick<FindingThreads, 'refresh' | 'show'>;
  metered: CreateMetered;
  estimator: Pick<Estimator, 'prompt'>;
  settings: {
    request(): Omit<ChatRequest, 'model' | 'messages' | 'surface'>;
    reviewMaxUsd(): number;
    reviewMinSeverity(): Severity;
  };
  model(): string;
  nameOf(model: string): string;
  ensureReady(): Promise<boolean>;
  /**
   * Resolves with the repositories that the argument means. `tools` is empty unless their paths are those of the
   * diff.
   */
  placesOf(argument: unknown): Promise<{ collect: CollectDeps; tools: readonly Tool[] } | undefined>;
  clock: Clock;
  log(line: string): void;
}

export function createReviewChanges(deps: ReviewChangesDeps): (argument: unknown) => Promise<void> {
  let isRunning = false;
  return async (argument) => {
    if (isRunning) return showMessage(vscode.l10n.t('A review is in progress.'));
    if (!ensureChangesTrusted()) return;
    isRunning = true;
    try {
      const places = await deps.placesOf(argument);
      if (places === undefined || !(await deps.ensureReady())) return;
      const staged = typeof argument === 'object' && argument !== null && 'id' in argument && argument.id === 'index';
      const material = await pickMaterial(deps, places, staged);
      for (let left: Material | undefined = material; left !== undefined; )
        left = await review(deps, places.tools, left);
    } catch (error) {
      showWhyNothing(error);
    } finally {
      isRunning = false;
    }
  };
}

type Places = NonNullable<Awaited<ReturnType<ReviewChangesDeps['placesOf']>>>;

interface Row extends vscode.QuickPickItem {
  material?: Material;
}

async function pickMaterial(deps: ReviewChangesDeps, places: Places, staged: boolean): Promise<Material | undefined> {
  const collect = (range: ChangeRange) => collectChanges(places.collect, range, new AbortController().signal);
  const front = vscode.window.activeTextEditor?.document.uri.toString();
  const row = (label: string, material: Material): Row[] =>
    material.hunks.length === 0 ? [] : [{ label, ...describe(deps, places.tools, material), material }];
  const since: Row = { label: vscode.l10n.t('Since a Branch or Commit…') };
  const rows = async () => {
    const [all, index] = await Promise.all([collect({ staged: false }), collect({ staged: true })]);
    const inFront = all.hunks.filter(({ path }) => all.files.get(path)?.uri === front);
    const uncommitted = row(vscode.l10n.t('All Uncommitted Changes'), all);
    const inIndex = row(vscode.l10n.t('Staged Changes'), index);
    const inFile = row(vscode.l10n.t('This File'), { ...all, hunks: inFront });
    return [...(staged ? [...inIndex, ...uncommitted] : [...uncommitted, ...inIndex]), ...inFile, since];
  };
  const title = vscode.l10n.t('Review as Comments · {0}', deps.nameOf(deps.model()));
  // The list opens at once and fills when Git has answered.
  const picked = await vscode.window.showQuickPick(rows(), { title });
  if (picked !== since) return picked?.material;
  const against = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('Branch, tag, or commit to compare with'),
  });
  if (!against) return undefined;
  const found = row(vscode.l10n.t('Since {0}', against), await collect({ staged: false, against }));
  if (found.length === 0) throw new ToolError(vscode.l10n.t('Git reports no changes.'));
  return (await vscode.window.showQuickPick(found, { title }))?.material;
}

/** Returns only what is new since the last review, or everything where nothing is new. */
function unseen({ store }: ReviewChangesDeps, { files, hunks }: Material): Material {
  const fresh = hunks.filter(({ hash }) => !store.wasReviewed(hash));
  return { files, hunks: fresh.length === 0 ? hunks : fresh };
}

function describe(deps: ReviewChangesDeps, tools: readonly Tool[], material: Material): Omit<Row, 'label'> {
  const { hunks } = unseen(deps, material);
  const isNew = hunks.some(({ hash }) => !deps.store.wasReviewed(hash));
  const seen = material.hunks.length - hunks.length;
  const parts = [
    filesWords(hunks),
    ...(seen > 0 ? [vscode.l10n.t('only what is new')] : []),
    ...(isNew ? [] : [vscode.l10n.t('reviewed before')]),
  ];
  return { description: parts.join(' · '), detail: priceBefore(deps, tools, hunks) };
}

function priceBefore(deps: ReviewChangesDeps, tools: readonly Tool[], all: Material['hunks']): string {
  const { estimator, settings, model } = deps;
  const request = reviewRequest({ model: model(), request: settings.request(), hunks: firstPart(all), tools });
  const lowMicroUsd = requestMicroUsd(estimator, request);
  const { language } = vscode.env;
  const max = formatMicroUsd(settings.reviewMaxUsd() * 1e6, false, language);
  return vscode.l10n.t('{0} for one request, at most {1}', formatMicroUsd(lowMicroUsd, true, language), max);
}

function filesWords(hunks: Material['hunks']): string {
  const count = new Set(hunks.map(({ path }) => path)).size;
  return count === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', count);
}

async function review(
  deps: ReviewChangesDeps,
  tools: readonly Tool[],
  material: Material,
): Promise<Material | undefined> {
  const { store, threads, settings } = deps;
  const wanted = unseen(deps, material);
  const hunks = firstPart(wanted.hunks);
  const rest = { ...wanted, hunks: wanted.hunks.slice(hunks.length) };
  const maxMicroUsd = Math.round(settings.reviewMaxUsd() * 1e6);
  const turnId = randomUUID();
  const title = vscode.l10n.t(
    'Review of {0} · at most {1}',
    filesWords(hunks),
    formatMicroUsd(maxMicroUsd, false, vscode.env.language),
  );
  const result = await cancellable(title, (signal, report) =>
    runReview(
      {
        client: deps.metered({ surface: 'review', turnId }, false, maxMicroUsd),
        tools,
        estimate: (request) => deps.estimator.prompt(request).tokens,
        clock: deps.clock,
        newId: randomUUID,
        log: deps.log,
      },
      {
        files: wanted.files,
        hunks,
        known: store.all(),
        isDismissed: store.isDismissed,
        model: deps.model(),
        request: settings.request(),
        maxMicroUsd,
        turnId,
        signal,
        onProgress: (line, microUsd) => report(`${formatMicroUsd(microUsd, false, vscode.env.language)} · ${line}`),
      },
    ),
  );
  const { shown, left } = worst(result.findings, settings.reviewMinSeverity());
  // An unfinished review does not count: its hunks are reviewed again.
  store.add(shown, result.outcome === 'finished' ? hunks.map(({ hash }) => hash) : []);
  threads.refresh();
  const isCapped = result.failure?.kind === 'over-budget' && result.failure.facts?.limit === 'cap';
  if (result.failure !== undefined && !isCapped) {
    void showFailure(result.failure, {
      nameOf: deps.nameOf,
      retry: () => void vscode.commands.executeCommand('svc.reviewChanges'),
    });
  }
  return showResult(deps, tools, { result, shown, left, rest, isCapped, files: filesWords(hunks) });
}

interface Shown {
  result: ReviewResult;
  shown: readonly Parameters<FindingThreads['show']>[0][];
  left: number;
  rest: Material;
  isCapped: boolean;
  files: string;
}

async function showResult(
  deps: ReviewChangesDeps,
  tools: readonly Tool[],
  { result, shown, left, rest, isCapped, files }: Shown,
): Promise<Material | undefined> {
  const price = chargeWords(sumCost(result.attempts), vscode.env.language);
  const found = shown.length === 1 ? vscode.l10n.t('1 finding') : vscode.l10n.t('{0} findings', shown.length);
  const none = result.outcome === 'finished' ? vscode.l10n.t('No findings') : vscode.l10n.t('The review ended early');
  const parts = [
    vscode.l10n.t('{0} in {1}', shown.length === 0 ? none : found, files),
    ...(left > 0 ? [vscode.l10n.t('{0} milder ones left out', left)] : []),
    ...(isCapped ? [vscode.l10n.t('ended at its limit')] : []),
    ...result.unplaced.map(({ severity, title, path }) =>
      vscode.l10n.t('not placed: {0}', `${severityWords(severity)}, ${title} (${path})`),
    ),
    price,
  ];
  const [first] = shown;
  const show = vscode.l10n.t('Show First');
  const more = vscode.l10n.t('Review {0} More · {1}', filesWords(rest.hunks), priceBefore(deps, tools, rest.hunks));
  const buttons = [...(first ? [show] : []), ...(rest.hunks.length > 0 && result.outcome === 'finished' ? [more] : [])];
  const picked = await vscode.window.showInformationMessage(parts.join(' · '), ...buttons);
  if (picked === show && first) await deps.threads.show(first);
  return picked === more ? rest : undefined;
}
