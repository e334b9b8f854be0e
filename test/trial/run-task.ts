import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { canonicalJson } from '../../src/agent/canonical-json.ts';
import type { Conversation } from '../../src/conversation/conversation.ts';
import type { ChatRequest, Reply, ServiceClient } from '../../src/service/contract.ts';
import { isStored } from '../../src/shared/event-traits.ts';
import type { ChatEvent } from '../../src/shared/events.ts';
import { imageSize } from '../../src/shared/image-size.ts';
import type { Asked } from '../../src/shared/interaction.ts';
import type { Attachment, Attempt } from '../../src/shared/messages.ts';
import { type Deeds, judge } from './judge.ts';
import { openProduct, type ProductDeps } from './product.ts';
import { copyFolder, type TrialTask } from './task.ts';

export interface TaskResult {
  task: string;
  ability: string;
  language: string;
  model: string;
  /** `solved` and `failed` are the hidden tests' word; with any other end there was nothing to judge. */
  end: 'solved' | 'failed' | 'cap' | 'stopped' | 'broke';
  /** Why it did not get to the end, and what the hidden tests printed last. */
  detail: string;
  trespassed: string[];
  attempts: Attempt[];
  seconds: number;
  steps: number;
  calls: number;
  looseCalls: number;
  leaks: number;
  refusals: number;
  reminders: number;
}

export interface TaskRun {
  deps: ProductDeps;
  /** Empty and of this run alone. */
  dir: string;
  model: string;
  signal: AbortSignal;
  maxMs: number;
  keep?(event: ChatEvent): void;
}

const maxPrinted = 1000;

/** Runs one task by one model in a copy of its files, and lets the hidden tests judge. Never rejects. */
export async function runTask(task: TrialTask, run: TaskRun): Promise<TaskResult> {
  const { deps, model } = run;
  const startedAt = deps.clock.now();
  const { name, ability, language } = task;
  const counts = { steps: 0, calls: 0, looseCalls: 0, leaks: 0, refusals: 0, reminders: 0 };
  const result: TaskResult = {
    ...{ task: name, ability, language, model, end: 'broke', detail: '', trespassed: [] },
    ...{ attempts: [], seconds: 0, ...counts },
  };
  try {
    Object.assign(result, await attempt(task, run, result));
  } catch (error) {
    result.detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  result.seconds = Math.round((deps.clock.now() - startedAt) / 100) / 10;
  return result;
}

async function attempt(
  task: TrialTask,
  { deps, dir, model, signal, maxMs, keep }: TaskRun,
  result: TaskResult,
): Promise<Pick<TaskResult, 'end' | 'detail'> & Partial<TaskResult>> {
  const [work, fresh] = [path.join(dir, 'work', task.name), path.join(dir, 'judged', task.name)];
  await copyFolder(path.join(task.dir, 'files'), work);
  const deeds: Deeds & { calls: string[]; asked: string[] } = { answer: '', plan: '', calls: [], asked: [] };
  const replies: Reply[] = [];
  const product = await openProduct(
    {
      ...deps,
      metered: (...asked) => countReplies(deps.metered(...asked), result, (reply) => replies.push(reply)),
    },
    {
      ...{ folder: work, dir: path.join(dir, 'store'), mode: task.mode, model },
      ...(task.maxTokens && { maxTokens: task.maxTokens }),
      onPlan: (text) => {
        deeds.plan = text;
      },
    },
  );
  const { conversation } = product;
  conversation.onDidEmit((events) => {
    for (const event of events) {
      if (isStored(event)) keep?.(event);
      note(event, result, deeds, replies);
    }
    // A question is answered once everything that came with it is told.
    for (const event of events) if (event.type === 'asked') answer(conversation, event, task, { result, deeds });
  });
  const stop = () => conversation.stop();
  const cancel = deps.clock.after(maxMs, stop);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const attachments = await attachmentsOf(task, deps);
    const { outcome, failure, text } = await conversation.send({ text: task.prompt, attachments, model });
    deeds.answer = text;
    const told = failure ? `${failure.kind}: ${failure.serverMessage ?? failure.message}` : '';
    if (failure?.kind === 'over-budget') return { end: 'cap', detail: told };
    if (outcome === 'stopped')
      return {
        end: 'stopped',
        detail: signal.aborted ? 'stopped by its user' : `not ready after ${maxMs / 60_000} min`,
      };
    // What a model left behind when its turn failed is judged all the same.
    const run = (line: string, folder: string) => deps.commands.judge(line, folder, signal);
    const { solved, trespassed, output } = await judge({ run }, task, { work, fresh, deeds });
    if (signal.aborted) return { end: 'stopped', detail: 'stopped by its user' };
    const printed = output.replaceAll(fresh, '.').trim();
    const detail = [told, printed.slice(-maxPrinted)].filter(Boolean).join('\n');
    return { end: solved ? 'solved' : 'failed', detail, trespassed };
  } finally {
    cancel();
    signal.removeEventListener('abort', stop);
    await product.close();
  }
}

/** Counts what is seen only between the loop and the service: leaks, and notes that remind the model of something. */
function countReplies(client: ServiceClient, result: TaskResult, onReply: (reply: Reply) => void): ServiceClient {
  const stream: ServiceClient['stream'] = async (request, ...rest) => {
    result.reminders = Math.max(result.reminders, remindersIn(request));
    const done = await client.stream(request, ...rest);
    onReply(done.reply);
    if (done.reply.toolMarkup || done.reply.leaked !== undefined) result.leaks += 1;
    return done;
  };
  return { ...client, stream };
}

function remindersIn({ messages }: ChatRequest): number {
  return messages.filter(({ role, text }) => role === 'user' && text.startsWith('[Automatic note')).length;
}

function note(event: ChatEvent, result: TaskResult, deeds: { calls: string[] }, replies: readonly Reply[]): void {
  if (event.type === 'stepFinished') {
    result.steps += 1;
    result.attempts.push(...event.attempts);
    const { toolCalls = [], leaked } = replies.at(-1) ?? {};
    const written = toolCalls.length > 0 ? toolCalls : (leaked?.calls ?? []);
    result.looseCalls += event.toolCalls.filter(
      (call, at) =>
        written[at] === undefined ||
        written[at].name !== call.name ||
        canonicalJson(written[at].arguments) !== canonicalJson(call.arguments),
    ).length;
  }
  if (event.type === 'subagentPaid' || event.type === 'compacted' || event.type === 'summaryDropped')
    result.attempts.push(...(event.attempts ?? []));
  if (event.type === 'toolFinished') {
    result.calls += 1;
    deeds.calls.push(event.name);
  }
}

/** Everything inside the copy is allowed, and nothing outside of it. */
function answer(
  conversation: Conversation,
  { id, ...asked }: Asked,
  { reply = 'Decide yourself.' }: TrialTask,
  { result, deeds }: { result: TaskResult; deeds: { asked: string[] } },
): void {
  if (asked.kind === 'approval') {
    const { subject } = asked.about;
    const isInside =
      subject.kind === 'edit' ||
      subject.kind === 'delete' ||
      subject.kind === 'rename' ||
      (subject.kind === 'command' && subject.place === 'sandbox');
    if (!isInside) result.refusals += 1;
    conversation.answer({
      ...{ id, kind: 'approval' },
      value: isInside
        ? { decision: 'allow', scope: 'once' }
        : { decision: 'deny', reason: 'Nothing outside of this folder, and no network.' },
    });
  }
  if (asked.kind === 'question') {
    // A question about a command is about what the sandbox held back; its second option refuses.
    const { command, options, text } = asked.about;
    if (command === undefined) deeds.asked.push(text);
    else result.refusals += 1;
    conversation.answer({ id, kind: 'question', value: command === undefined ? reply : (options[1] ?? '') });
  }
  if (asked.kind === 'cost' || asked.kind === 'compact') conversation.answer({ id, kind: asked.kind, value: true });
}

async function attachmentsOf({ dir, image }: TrialTask, { images }: ProductDeps): Promise<Attachment[]> {
  if (image === undefined) return [];
  const bytes = await readFile(path.join(dir, image));
  const { width = 0, height = 0 } = imageSize(bytes) ?? {};
  const hash = await images.add(`data:image/png;base64,${bytes.toString('base64')}`);
  return [
    {
      ...{ id: 'image', label: image, text: '', kind: 'image' },
      image: { hash, mediaType: 'image/png', width, height, bytes: bytes.length },
    },
  ];
}
