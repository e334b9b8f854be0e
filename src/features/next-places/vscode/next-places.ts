import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import { isSecretPath } from '../../../files/file-class.ts';
import { type Files, placeKey, type Search, type Workspace } from '../../../files/workspace.ts';
import type { ChatRequest } from '../../../service/contract.ts';
import { chargeWords } from '../../../shared/charge-words.ts';
import { formatMicroUsd } from '../../../shared/money.ts';
import { type Estimator, requestMicroUsd } from '../../../spend/estimate.ts';
import type { CreateMetered } from '../../../spend/metered-client.ts';
import type { Language } from '../../../tools/language/language.ts';
import type { PendingEdits } from '../../../vscode/edits/create-review.ts';
import { replaceText } from '../../../vscode/edits/pending-write.ts';
import { cancellable } from '../../../vscode/host/cancellable.ts';
import type { CommandHandlers } from '../../../vscode/host/command-ids.ts';
import { showMessage } from '../../../vscode/host/show-message.ts';
import { showFailure } from '../../../vscode/reports/show-failure.ts';
import { placeOf, uriOfPlace } from '../../../vscode/workspace/place-uri.ts';
import { askNextPlaces, type NextResult, nextPlacesRequest } from '../core/ask-next-places.ts';
import { carriedOver } from '../core/carry-over.ts';
import { linesOf, withoutParts } from '../core/changed-parts.ts';
import { createEarlierTexts, type EarlierTexts } from '../core/earlier-texts.ts';
import { type FileChange, type FoundPlace, findPlaces } from '../core/find-places.ts';
import type { EditedWindow } from '../core/place-edits.ts';
import { type SentPlaces, windowsAround } from '../core/place-windows.ts';
import { userChange } from './next-places-change.ts';

export interface NextPlacesDeps {
  workspace: Workspace;
  files: Files;
  search: Search;
  language: Language;
  pending: Pick<PendingEdits, 'hunks' | 'begin'>;
  isProtected(relative: string): boolean;
  metered: CreateMetered;
  estimator: Pick<Estimator, 'prompt'>;
  model(): string;
  request(): Omit<ChatRequest, 'model' | 'messages' | 'surface'>;
  nameOf(model: string): string;
  acceptsTools(model: string): boolean;
  ensureReady(): Promise<boolean>;
  /** Notifies the user when the answer is no. */
  mayRead(document: vscode.TextDocument): Promise<boolean>;
  clock: Clock;
  log(line: string): void;
}

export type NextPlacesCommands = Pick<CommandHandlers, 'svc.nextPlaces'>;

/**
 * Carries the user's latest change to the other places that it concerns, as edits under review. It runs only on the
 * command and sends one request. Nothing is registered or read before the first use.
 */
export function createNextPlaces(deps: NextPlacesDeps): { commands: NextPlacesCommands } & vscode.Disposable {
  let earlier: (EarlierTexts & vscode.Disposable) | undefined;
  const alreadyShown = createSeen();
  let isRunning = false;
  const run = async (): Promise<void> => {
    if (isRunning) return showMessage(vscode.l10n.t('The next places are being looked for already.'));
    if (!vscode.workspace.isTrusted) {
      return showMessage(
        vscode.l10n.t('This folder is in Restricted Mode, so other files are not read. Trust it first.'),
      );
    }
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || placeOf(deps.workspace, editor.document.uri) === undefined) {
      return showMessage(vscode.l10n.t('Open the file of this workspace that you changed first.'));
    }
    isRunning = true;
    try {
      const model = deps.model();
      if (!(await deps.ensureReady()) || !(await deps.mayRead(editor.document))) return;
      if (!deps.acceptsTools(model)) {
        return showMessage(
          vscode.l10n.t("{0} doesn't accept tools, which this needs. Select another model.", deps.nameOf(model)),
        );
      }
      earlier ??= followEarlier(deps);
      const job: Job = { deps, editor, earlier, alreadyShown, model };
      const report = await cancellable(vscode.l10n.t('Update related code'), (signal, say) => carry(job, say, signal));
      void report?.().then((goesOn) => (goesOn ? run() : undefined));
    } finally {
      isRunning = false;
    }
  };
  return { commands: { 'svc.nextPlaces': run }, dispose: () => earlier?.dispose() };
}

/** Reports the result to the user. Resolves true where the user wants another run. */
type Report = () => Promise<boolean>;

interface Job {
  deps: NextPlacesDeps;
  editor: vscode.TextEditor;
  earlier: EarlierTexts;
  alreadyShown: Seen;
  model: string;
}

async function carry(
  { deps, editor, earlier, alreadyShown, model }: Job,
  report: (message: string) => void,
  signal: AbortSignal,
): Promise<Report | undefined> {
  const change = await userChange(deps, earlier, editor);
  if ('why' in change) return sayNoChange(change.why);
  const { changes } = change;
  // Pressed again for the rest, it means the same change.
  for (const { place, lines, parts } of changes) {
    earlier.begin(uriOfPlace(place).toString(), withoutParts(lines, parts).join('\n'), lines.join('\n'));
  }
  const found = await findPlaces(deps, changes, signal);
  const places = alreadyShown.unseen(changes, found.places);
  const sent = await windowsAround(deps, { ...found, places }, changes);
  if (signal.aborted) return undefined;
  if (sent.windows.length === 0) {
    return say(vscode.l10n.t('No other place was found that this change concerns. Nothing was sent · $0'));
  }
  const { windows } = sent;
  const request = nextPlacesRequest({ model, request: deps.request(), workspace: deps.workspace, changes, windows });
  const price = formatMicroUsd(requestMicroUsd(deps.estimator, request), true, vscode.env.language);
  report(vscode.l10n.t('{0} · {1}', placesWords(sent), price));
  const client = deps.metered({ surface: 'inline' });
  const result = await askNextPlaces({ ...deps, client }, { request, windows, turnId: randomUUID(), signal });
  if (result.outcome !== 'done') return sayUndone(deps, result);
  alreadyShown.add(changes, places, sent);
  const lost = await write(deps, sent, result.edited);
  return () => sayDone(result, lost, sent);
}

function placesWords({ sent, left, isMore }: SentPlaces): string {
  if (left === 0) return sent === 1 ? vscode.l10n.t('1 place') : vscode.l10n.t('{0} places', sent);
  if (isMore) return vscode.l10n.t('{0} of more than {1} places', sent, sent + left);
  return vscode.l10n.t('{0} of {1} places', sent, sent + left);
}

/**
 * Writes each file as one step for its own Undo. Returns the number of edits left out because their lines changed
 * meanwhile.
 */
async function write({ pending }: NextPlacesDeps, sent: SentPlaces, edited: readonly EditedWindow[]): Promise<number> {
  let lost = 0;
  for (const own of Map.groupBy(edited, ({ window }) => placeKey(window.place)).values()) {
    const [{ window } = {}] = own;
    const lines = window && sent.texts.get(placeKey(window.place));
    if (window === undefined || lines === undefined) continue;
    const count = own.reduce((sum, { edits }) => sum + edits, 0);
    const document = await openOrNot(uriOfPlace(window.place));
    const carried = document && carriedOver(lines, linesOf(document.getText()), own);
    lost += carried?.lost ?? count;
    if (document === undefined || carried === undefined || carried.lost === count) continue;
    const after = carried.lines.join('\n');
    const by = { callId: randomUUID() };
    const file = { uri: document.uri, path: window.path, before: document.getText(), after, by };
    if (!(await replaceText(document, after, () => pending.begin(file)))) lost += count - carried.lost;
  }
  return lost;
}

async function openOrNot(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  return Promise.resolve(vscode.workspace.openTextDocument(uri)).catch(() => undefined);
}

function say(text: string): Report {
  return async () => {
    showMessage(text);
    return false;
  };
}

function sayNoChange(why: 'long' | 'none'): Report {
  return say(
    why === 'long'
      ? vscode.l10n.t('More than 40 lines changed here. Put the cursor on a smaller change.')
      : vscode.l10n.t('No change was found. Change some lines first, or put the cursor on a change.'),
  );
}

function sayUndone(deps: NextPlacesDeps, result: Exclude<NextResult, { outcome: 'done' }>): Report | undefined {
  if (result.outcome === 'failed') {
    const { failure } = result;
    const retry = () => void vscode.commands.executeCommand('svc.nextPlaces');
    return async () => {
      await showFailure(failure, { nameOf: deps.nameOf, retry });
      return false;
    };
  }
  const price = chargeWords(result.cost, vscode.env.language);
  if (result.outcome === 'cut')
    return say(vscode.l10n.t('Part of the answer is missing, so nothing was changed · {0}', price));
  if (result.cost.charge !== 'no')
    void vscode.window.setStatusBarMessage(vscode.l10n.t('Stopped · {0}', price), 10_000);
  return undefined;
}

async function sayDone(
  { count, refused, more, cost }: Extract<NextResult, { outcome: 'done' }>,
  lost: number,
  sent: SentPlaces,
): Promise<boolean> {
  const changed = count - lost;
  const parts = [
    changed === 0
      ? vscode.l10n.t('No related code to update')
      : changed === 1
        ? vscode.l10n.t('1 place changed')
        : vscode.l10n.t('{0} places changed', changed),
    ...(lost > 0 ? [vscode.l10n.t('{0} left out because the lines changed', lost)] : []),
    ...(refused > 0 ? [vscode.l10n.t("{0} ignored because they don't fit the lines that were sent", refused)] : []),
    ...(more > 0 ? [vscode.l10n.t('{0} more than one answer may change', more)] : []),
    ...(sent.left > 0 ? [vscode.l10n.t('looked at {0}', placesWords(sent))] : []),
    chargeWords(cost, vscode.env.language),
  ];
  const next = vscode.l10n.t('Next (Alt+F5)');
  const rest = vscode.l10n.t('Look at More');
  const buttons = [...(changed > 0 ? [next] : []), ...(sent.left + more > 0 ? [rest] : [])];
  const picked = await vscode.window.showInformationMessage(parts.join(' · '), ...buttons);
  if (picked === next) await vscode.commands.executeCommand('svc.nextEdit');
  return picked === rest;
}

function followEarlier({ workspace, clock }: NextPlacesDeps): EarlierTexts & vscode.Disposable {
  const texts = createEarlierTexts(clock);
  const record = (document: vscode.TextDocument | undefined) => {
    const place = document && placeOf(workspace, document.uri);
    if (place === undefined || document === undefined || isSecretPath(place.path)) return;
    texts.record(document.uri.toString(), document.getText());
  };
  const listening = vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor((editor) => record(editor?.document)),
    vscode.workspace.onDidSaveTextDocument(record),
  );
  return { ...texts, dispose: () => listening.dispose() };
}

interface Seen {
  /** Returns the places that no request had yet for this change, or all of them once each was sent. */
  unseen(changes: readonly FileChange[], places: readonly FoundPlace[]): readonly FoundPlace[];
  add(changes: readonly FileChange[], places: readonly FoundPlace[], sent: SentPlaces): void;
}

/** Remembers only the latest change, so that asking again continues with the remaining places. */
function createSeen(): Seen {
  let change = '';
  const seen = new Set<string>();
  const nameOf = (changes: readonly FileChange[]) =>
    JSON.stringify(changes.map(({ place, parts }) => [placeKey(place), parts]));
  const idOf = ({ place, line }: FoundPlace) => `${placeKey(place)} ${line}`;
  return {
    unseen(changes, places) {
      if (nameOf(changes) !== change) seen.clear();
      change = nameOf(changes);
      const rest = places.filter((one) => !seen.has(idOf(one)));
      if (rest.length > 0) return rest;
      seen.clear();
      return places;
    },
    add(_changes, places, { windows }) {
      const isSent = ({ place, line }: FoundPlace) =>
        windows.some(
          (one) => placeKey(one.place) === placeKey(place) && line >= one.first && line < one.first + one.lines.length,
        );
      for (const one of places) if (isSent(one)) seen.add(idOf(one));
    },
  };
}
