import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { toolDefinitions } from '../../../agent/tool-definitions.ts';
import { formatMicroUsd } from '../../../shared/money.ts';
import { costMicroUsd } from '../../../spend/price.ts';
import { mayAttach } from '../../../vscode/composer/read-context.ts';
import type { CommandHandlers } from '../../../vscode/host/command-ids.ts';
import { setContextKey } from '../../../vscode/host/context-keys.ts';
import { showMessage } from '../../../vscode/host/show-message.ts';
import { isReadOnlyInEditor } from '../../../vscode/workspace/read-only.ts';
import { linesSentAround, type NamedText } from '../core/edit-request.ts';
import { chooseScope } from '../core/edit-scope.ts';
import { maxTokensOf } from '../core/read-first.ts';
import type { BegunInstruction } from './begun-instruction.ts';
import { askBeforeClosing } from './inline-edit-closing.ts';
import { clamp, messagesOf, nameOfScope, openInChat, textOf, unknownTo } from './inline-edit-document.ts';
import { createInstructionInput, type EnteredInstruction } from './inline-edit-input.ts';
import { run } from './inline-edit-run.ts';
import {
  type AddedFile,
  follow,
  hunksOf,
  type InlineEditDeps,
  isIn,
  type Job,
  keepResult,
  type Result,
  type State,
} from './inline-edit-state.ts';
import { createInlineEditView } from './inline-edit-view.ts';

export type InlineEditCommands = Pick<
  CommandHandlers,
  | 'svc.inlineEdit'
  | 'svc.stopInlineEdit'
  | 'svc.keepInlineEdit'
  | 'svc.undoInlineEdit'
  | 'svc.retryInlineEdit'
  | 'svc.refineInlineEdit'
  | 'svc.olderInstruction'
  | 'svc.newerInstruction'
>;

const argumentSchema = z.object({ instruction: z.optional(z.string().check(z.maxLength(20_000))) });

/** Whoever has typed an instruction waits no longer than this for the code around the cursor. */
const maxWaitMs = 5000;

/** An answer repeats the whole part; beyond this size most answers are cut. */
const maxScopeCharacters = 48_000;

export interface InlineEdit {
  commands: InlineEditCommands;
  /** Asks in a box that is open already; where it cannot, keeps what was typed among the earlier instructions. */
  editAfter(begun: BegunInstruction): Promise<void>;
}

/**
 * An edit at the cursor is written off the document and applied once, so that it is one step for Undo. Then the user
 * keeps or undoes it.
 */
export function createInlineEdit(deps: InlineEditDeps): InlineEdit & vscode.Disposable {
  const { pending } = deps;
  const [runs, results]: [State['runs'], State['results']] = [new Map(), new Map()];
  const view = createInlineEditView({
    runs: () => [...runs.values()],
    results: () => [...results.values()],
    hunks: (result) => hunksOf({ deps }, result),
  });
  const refresh = () => {
    markEditor({ runs, results });
    view.refresh();
  };
  const state: State = { deps, input: createInstructionInput(), runs, results, places: new Set(), refresh };
  const subscriptions = vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument((event) => follow(state, event)),
    pending.onDidChange(() => {
      for (const [key, { place }] of results) if (pending.hunks(place.uri).length === 0) results.delete(key);
      refresh();
    }),
    keepWhatIsTypedIn(state),
    askBeforeClosing(state),
    vscode.window.onDidChangeActiveTextEditor(() => markEditor(state)),
    vscode.window.onDidChangeTextEditorSelection(() => markEditor(state)),
  );
  return {
    commands: createInlineEditCommands(state),
    async editAfter(begun) {
      await start(state, undefined, begun);
      const typed = begun.box.value.trim();
      if (!begun.isTaken && typed !== '') deps.history.add(typed);
    },
    dispose() {
      for (const { abort } of runs.values()) abort.abort();
      vscode.Disposable.from(subscriptions, view).dispose();
    },
  };
}

function createInlineEditCommands(state: State): InlineEditCommands {
  const { deps, runs, input } = state;
  return {
    'svc.inlineEdit': (argument) => start(state, argument),
    'svc.stopInlineEdit': (argument) => {
      const key = keyOf(argument);
      const one = key === undefined ? undefined : runs.get(key);
      for (const { abort } of one ? [one] : runs.values()) abort.abort();
    },
    'svc.keepInlineEdit': (argument) => {
      const result = resultOf(state, argument);
      if (result) keepResult(state, result);
    },
    'svc.undoInlineEdit': async (argument) => {
      const result = resultOf(state, argument);
      if (result) await deps.pending.undoHunks(result.place.uri, hunksOf(state, result));
    },
    'svc.retryInlineEdit': async (argument) => {
      const result = resultOf(state, argument);
      if (result) await run(state, { ...result.job, place: result.place });
    },
    'svc.refineInlineEdit': async (argument) => {
      const result = resultOf(state, argument);
      if (result) await refine(state, result);
    },
    'svc.olderInstruction': () => input.step(1),
    'svc.newerInstruction': () => input.step(-1),
  };
}

async function start(state: State, argument: unknown, begun?: BegunInstruction): Promise<void> {
  const { deps, runs } = state;
  const parsed = argumentSchema.safeParse(argument ?? {});
  const editor = begun?.editor ?? vscode.window.activeTextEditor;
  if (editor === undefined) return showMessage(vscode.l10n.t('Open the file you want to edit first.'));
  const { document } = editor;
  const { uri } = document;
  if (runs.get(uri.toString())?.writes)
    return showMessage(vscode.l10n.t('An edit to this file is in progress. Stop it first.'));
  if (isReadOnlyInEditor(uri)) {
    return showMessage(vscode.l10n.t("This file can't be changed."));
  }
  if (!(await mayAttach(uri))) return;
  const { selection } = editor;
  const place = { uri, scope: clamp(document, chooseScope(selection, [])) };
  const isTooLong = () => textOf(document, place.scope).length > maxScopeCharacters;
  const given = parsed.success ? parsed.data.instruction?.trim() : undefined;
  if (isTooLong()) {
    begun?.box.dispose();
    return refuseLong({ place, instruction: given ?? begun?.box.value ?? '' });
  }
  const waiting = new AbortController();
  const found = selection.isEmpty ? widen(deps, document, place, waiting.signal) : Promise.resolve();
  const shown = { place, model: deps.model(), files: [], begun };
  const asked = given ? { ...shown, instruction: given } : await ask(state, document, shown, found);
  if (asked === undefined) return;
  await Promise.race([found, deps.reading.clock.sleep(maxWaitMs, waiting.signal)]);
  waiting.abort();
  if (isTooLong()) return refuseLong({ place, instruction: asked.instruction });
  // What was typed is kept where the key for the service is not given now.
  if (!(await deps.ensureReady())) return given ? undefined : deps.history.add(asked.instruction);
  await run(state, { place, source: textOf(document, place.scope), ...asked });
}

/** Extends the place to the symbol around it. A language that has just begun to load answers after seconds, or never. */
async function widen(
  deps: InlineEditDeps,
  document: vscode.TextDocument,
  place: Job['place'],
  waiting: AbortSignal,
): Promise<void> {
  const { version } = document;
  const entries = await deps.outline(place.uri).catch(() => undefined);
  if (entries === undefined || waiting.aborted) return undefined;
  if (document.version !== version) return widen(deps, document, place, waiting);
  const cursor = { line: place.scope.first, character: 0 };
  place.scope = clamp(document, chooseScope({ start: cursor, end: cursor }, entries));
}

async function refuseLong(job: Pick<Job, 'place' | 'instruction'>): Promise<void> {
  const open = vscode.l10n.t('Open in Chat');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'The code is too long for an inline edit, which rewrites all of it. Select fewer lines, or ask in the chat.',
    ),
    open,
  );
  if (answer === open) await openInChat({ ...job, files: [] });
}

async function ask(
  state: State,
  document: vscode.TextDocument,
  { place, model, files, begun }: Pick<Job, 'place' | 'model' | 'files'> & { begun?: BegunInstruction | undefined },
  found: Promise<void>,
): Promise<EnteredInstruction<AddedFile> | undefined> {
  const { deps, runs, places, refresh } = state;
  const key = document.uri.toString();
  let price: Price | undefined;
  const priced = found.then(() => {
    price = createPrice(state, document, place);
    refresh();
    return price.definitionsAsked;
  });
  places.add(place);
  const own = { place, writes: false, preview: '', abort: new AbortController() };
  runs.set(key, own);
  refresh();
  try {
    return await state.input.ask({
      place: () => nameOfScope(document, place.scope),
      model,
      files,
      nameOf: deps.nameOf,
      pickModel: deps.pickModel,
      pickFile: deps.pickFile,
      price: (asked) => price?.words(asked) ?? vscode.l10n.t('Finding the code around the cursor…'),
      changes: [found, priced],
      history: deps.history.get(),
      onAbandoned: deps.history.add,
      begun,
    });
  } finally {
    // The box may be asked for anew before it is known that this one was left.
    if (runs.get(key) === own) runs.delete(key);
    places.delete(place);
    refresh();
  }
}

interface Price {
  words(asked: EnteredInstruction<AddedFile>): string;
  definitionsAsked: Promise<unknown>;
}

/** Counts the request once and, with each keystroke, only the instruction. The answer is assumed to repeat the part. */
function createPrice(
  { deps: { estimator, reading } }: State,
  document: vscode.TextDocument,
  place: Job['place'],
): Price {
  const source = textOf(document, place.scope);
  let definitions: readonly NamedText[] = [];
  let counted: { key: readonly unknown[]; prompt: number; answer: number } | undefined;
  const count = (model: string, files: EnteredInstruction<AddedFile>['files']) => {
    const key = [model, files, definitions];
    if (counted === undefined || counted.key.some((part, at) => part !== key[at])) {
      const messages = messagesOf(document, { place, source, files, instruction: '' }, definitions);
      const expects = { of: 'inline', tokens: estimator.text(model, source).tokens };
      const { tokens: prompt, reply: answer = expects.tokens } = estimator.prompt({ model, messages, expects });
      counted = { key, prompt, answer };
    }
    return counted;
  };
  const money = (tokens: number) => formatMicroUsd(costMicroUsd(tokens), true, vscode.env.language);
  const words = ({ model, files, instruction }: EnteredInstruction<AddedFile>) => {
    const { prompt, answer } = count(model, files);
    const tokens = prompt + estimator.text(model, instruction).tokens;
    const unknown = unknownTo(document, { place, source, files, instruction }, definitions);
    const tools = unknown.files.length + unknown.symbols.length === 0 ? [] : toolDefinitions(reading.tools(model));
    const look = tools.length === 0 ? 0 : estimator.prompt({ model, messages: [], tools }).tokens;
    const sentences = [
      ...(files.length === 0 ? [] : [vscode.l10n.t('With {0}', files.map(({ name }) => name).join(', '))]),
      vscode.l10n.t(
        '≈ {0} tokens in, ≈ {1} out, {2}',
        tokens.toLocaleString(vscode.env.language),
        answer.toLocaleString(vscode.env.language),
        money(tokens + answer),
      ),
      ...(tools.length === 0
        ? []
        : [
            vscode.l10n.t('at most {0} if it reads files', money(maxTokensOf({ prompt: tokens, tools: look, answer }))),
          ]),
    ];
    return sentences.join(' · ');
  };
  const sent = { first: place.scope.first - linesSentAround, last: place.scope.last + linesSentAround };
  const definitionsAsked = reading.definitions(document, { part: place.scope, sent, names: [] }).then((found) => {
    definitions = found;
  });
  return { words, definitionsAsked };
}

async function refine(state: State, { job, place }: Result): Promise<void> {
  const document = await vscode.workspace.openTextDocument(place.uri);
  place.scope = clamp(document, place.scope);
  const asked = await ask(state, document, { ...job, place }, Promise.resolve());
  if (!asked) return;
  const instruction = `${job.instruction}\nThat has been done. Now: ${asked.instruction}`;
  const source = textOf(document, place.scope);
  await run(state, { ...asked, place, source, instruction }, asked.instruction);
}

/** Typing inside a part of the result keeps that part. What a formatter does on save is not typing. */
function keepWhatIsTypedIn(state: State): vscode.Disposable {
  const { pending } = state.deps;
  const saving = new Set<string>();
  return vscode.Disposable.from(
    vscode.workspace.onWillSaveTextDocument(({ document }) => saving.add(document.uri.toString())),
    vscode.workspace.onDidSaveTextDocument(({ uri }) => saving.delete(uri.toString())),
    pending.onDidType(({ uri, hunks }) => {
      const result = state.results.get(uri.toString());
      if (result === undefined || state.runs.has(uri.toString()) || saving.has(uri.toString())) return;
      const own = hunks.filter((hunk) => isIn(result.place.scope, hunk));
      if (own.length > 0) pending.keep(uri, { hunks: own });
    }),
  );
}

function markEditor({ runs, results }: Pick<State, 'runs' | 'results'>): void {
  const editor = vscode.window.activeTextEditor;
  const key = editor?.document.uri.toString() ?? '';
  const isRunning = runs.get(key)?.writes === true;
  const result = results.get(key);
  const line = editor?.selection.active.line ?? 0;
  const isInside = result !== undefined && line >= result.place.scope.first && line <= result.place.scope.last;
  setContextKey('svc.inlineEditRunning', isRunning);
  setContextKey('svc.inlineEditActive', isRunning || result !== undefined);
  setContextKey('svc.cursorInInlineEdit', isInside && !runs.has(key));
}

function keyOf(argument: unknown): string | undefined {
  return typeof argument === 'string' ? argument : vscode.window.activeTextEditor?.document.uri.toString();
}

function resultOf({ results }: State, argument: unknown): Result | undefined {
  const key = keyOf(argument);
  const result = key === undefined ? undefined : results.get(key);
  if (!result) showMessage(vscode.l10n.t('This file has no pending inline edit.'));
  return result;
}
