import { createHash, randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { systemClock } from '../../../base/clock.ts';
import type { Notice } from '../../../shared/events.ts';
import { maxSidePx, readDataUrl } from '../../../shared/image.ts';
import type { ImageStore } from '../../../storage/image-store.ts';
import type { RequestSettings } from '../../../vscode/host/settings.ts';
import { withSignal } from '../../../vscode/host/with-signal.ts';
import { answerNative, type NativeOutput } from './native-answer.ts';
import { nativeFailureText } from './native-failure.ts';
import { type NativeMessage, type NativePart, nativeTools, toHistoryMessages } from './native-history.ts';
import type { NativeModelsDeps, NativeRequests } from './native-models.ts';

export function createNativeRequests(deps: NativeModelsDeps): NativeRequests {
  const { models, settings, estimator } = deps;
  const toMessages = (messages: readonly vscode.LanguageModelChatRequestMessage[]) =>
    Promise.all(messages.map((message) => toNativeMessage(message, deps.images)));
  return {
    async respond(model, messages, options, progress, token) {
      const tools = nativeTools(options.tools ?? []);
      if (tools.leftOut.length > 0) deps.log.info(`Too many tools, left out: ${tools.leftOut.join(', ')}`);
      const request = {
        model: model.id,
        messages: toHistoryMessages(await toMessages(messages), model.id, tools.alias),
        tools,
        mustCall: options.toolMode === vscode.LanguageModelChatToolMode.Required,
        request: { ...settings.request(), ...parameters(options.modelOptions) },
      };
      const answerDeps = {
        client: deps.metered({ surface: 'native-chat', turnId: randomUUID() }),
        newCallId: () => `call_${randomUUID()}`,
        epochMs: systemClock.epochMs,
        onNotice: (notice: Notice) => logNotice(notice, deps),
      };
      const failure = await withSignal(token, (signal) =>
        answerNative(answerDeps, request, (output) => report(output, progress, tools.definitions.length > 0), signal),
      );
      if (token.isCancellationRequested) throw new vscode.CancellationError();
      if (failure !== undefined) throw new Error(nativeFailureText(failure, models.nameOf, deps.titleOf));
    },
    async countTokens(model, text) {
      if (typeof text === 'string') return estimator.text(model, text).tokens;
      const messages = toHistoryMessages([await toNativeMessage(text, deps.images)], model, (name) => name);
      return estimator.prompt({ model, messages }).tokens;
    },
  };
}

function report(
  output: NativeOutput,
  progress: vscode.Progress<vscode.LanguageModelResponsePart>,
  isConversation: boolean,
): void {
  switch (output.kind) {
    case 'text':
      progress.report(new vscode.LanguageModelTextPart(output.text));
      return;
    case 'call':
      progress.report(new vscode.LanguageModelToolCallPart(output.callId, output.name, output.input));
      return;
    case 'usage': {
      // VS Code's context meter reads it. Titles and the like come without tools and must not set the meter back.
      if (!isConversation) return;
      const { promptTokens, completionTokens, totalTokens } = output.usage;
      const counts = { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: totalTokens };
      progress.report(vscode.LanguageModelDataPart.json(counts, 'usage'));
    }
  }
}

/** A notice inside a reply would end up in commit messages and files, so it is shown in the window instead. */
function logNotice(notice: Notice, { log, models }: NativeModelsDeps): void {
  log.info(`Notice for VS Code's chat: ${JSON.stringify(notice)}`);
  if (notice.kind !== 'fallback' || !notice.answered) return;
  vscode.window.setStatusBarMessage(
    vscode.l10n.t(
      "svc: {0} couldn't answer, so {1} is answering.",
      models.nameOf(notice.from),
      models.nameOf(notice.to),
    ),
    noticeShownMs,
  );
}

const noticeShownMs = 15_000;

/** Accepts the names that callers of `vscode.lm` use. Nothing else is sent, because nobody guarantees its meaning. */
function parameters(options: { readonly [name: string]: unknown } = {}): RequestSettings {
  const number = (name: string) => (typeof options[name] === 'number' ? options[name] : undefined);
  const stop = [options.stop].flat().filter((text) => typeof text === 'string');
  const given = {
    maxTokens: number('max_tokens'),
    temperature: number('temperature'),
    topP: number('top_p'),
    seed: number('seed'),
    stop: stop.length > 0 ? stop : undefined,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

async function toNativeMessage(
  { role, content }: vscode.LanguageModelChatRequestMessage,
  images: Pick<ImageStore, 'add'>,
): Promise<NativeMessage> {
  const parts = await Promise.all(content.map((part) => toNativePart(part, images)));
  return { role: roleOf(role), parts: parts.flatMap((part) => part ?? []) };
}

function roleOf(role: vscode.LanguageModelChatMessageRole): NativeMessage['role'] {
  if (role === vscode.LanguageModelChatMessageRole.Assistant) return 'assistant';
  return role === vscode.LanguageModelChatMessageRole.User ? 'user' : 'system';
}

/** Resolves undefined for what cannot be sent: reasoning of other models, the usage of an earlier reply, audio. */
async function toNativePart(part: unknown, images: Pick<ImageStore, 'add'>): Promise<NativePart | undefined> {
  if (part instanceof vscode.LanguageModelTextPart) return { kind: 'text', text: part.value };
  if (part instanceof vscode.LanguageModelToolCallPart) {
    return { kind: 'call', callId: part.callId, name: part.name, input: part.input };
  }
  if (part instanceof vscode.LanguageModelToolResultPart) {
    return { kind: 'result', callId: part.callId, text: part.content.map(resultText).join('\n') };
  }
  if (part instanceof vscode.LanguageModelDataPart) return toImage(part, images);
  return undefined;
}

function resultText(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  if (part instanceof vscode.LanguageModelPromptTsxPart) return JSON.stringify(part.value);
  if (part instanceof vscode.LanguageModelDataPart && /^text\/|json/.test(part.mimeType)) {
    return new TextDecoder().decode(part.data);
  }
  return '[a part that is no text was left out]';
}

/** VS Code does not report the size in pixels, so the estimate assumes the biggest size that is ever sent. */
async function toImage(
  { data, mimeType }: vscode.LanguageModelDataPart,
  images: Pick<ImageStore, 'add'>,
): Promise<NativePart | undefined> {
  const url = `data:${mimeType};base64,${Buffer.from(data).toString('base64')}`;
  const read = readDataUrl(url);
  if (read === undefined) return undefined;
  const hash = await images.add(url);
  const label = createHash('sha256').update(data).digest('hex').slice(0, 8);
  return { kind: 'image', image: { hash, ...read, width: maxSidePx, height: maxSidePx, label } };
}
