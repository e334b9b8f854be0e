import * as l10n from '@vscode/l10n';
import { parseJson } from '../../base/parse-json.ts';
import type { Reply, ReplyCall, StreamEvent } from '../contract.ts';
import { type Chunk, type ReportedUsage, readChunk, unwrapped } from './chunk-schema.ts';
import { createDeltaJoiner } from './delta-joiner.ts';
import { isEndMarker, isEndName, splitGlued } from './end-markers.ts';
import { createCallFolder } from './fold-calls.ts';
import { readLeakedCalls } from './leaked-calls.ts';
import { createPlainChunks } from './plain-chunks.ts';
import { createRepetitionGuard } from './repetition.ts';
import { createStreamEnd, type StreamEndKind } from './stream-end.ts';
import { createMarkupFilter, type MarkupOptions } from './tool-markup.ts';
import { laterReport, readReport } from './usage.ts';
import { isWholeCall, looksWhole } from './whole-text.ts';

/** Go on reading, or one of the three ways in which an event ends it. */
export type FoldSignal =
  | { kind: 'more' }
  | { kind: 'done' }
  | { kind: 'error-body'; body: unknown }
  | { kind: 'repetition' };

export interface ChunkFolder {
  /** One event of the stream. Deltas are told at the next `flush`. */
  fold(data: string, event: string | undefined): FoldSignal;
  /** A whole reply in one JSON value; what is neither reply nor error counts as an error body. */
  foldWhole(json: unknown): FoldSignal;
  /** An event behind `[DONE]`: only its report of tokens counts. */
  foldLate(data: string): void;
  flush(): void;
  /** The body was read to an end that was no fault. */
  closed(): void;
  /** The stream is over: tells what was held back. Call once, before `reply`. */
  end(): void;
  /** A finish reason came and no tool call went on after it. */
  isFinished(): boolean;
  /** Finished, and nothing was written since: only usage and `[DONE]` can follow. */
  isQuiet(): boolean;
  visible(): boolean;
  /** How the stream ended; undefined for a body that was no stream, and for what only looks like an end. */
  streamEnd(): StreamEndKind | undefined;
  reply(): Reply;
}

export interface FoldOptions {
  requestedModel: string;
  model: string;
  /** Names of the tools that the request offers. */
  tools?: ReadonlySet<string>;
  /** Whether a name means a tool that models know from elsewhere. */
  recognises?(name: string): boolean;
  /** How replies of this model are known to end. */
  knownStreamEnd?: StreamEndKind;
  onEvent(event: StreamEvent): void;
}

/** So many lost events are kept, and so many characters of each. */
const maxLost = 8;
const maxLostLength = 500;

const more: FoldSignal = { kind: 'more' };
const done: FoldSignal = { kind: 'done' };

/** Chunks in, events out while they come, one reply at the end. Tool calls exist only in the reply. */
export function createChunkFolder(options: FoldOptions): ChunkFolder {
  const { requestedModel, model, tools = new Set(), recognises, onEvent } = options;
  const written = createWritten(onEvent, { tools, ...(recognises && { recognises }) });
  const streamEnd = createStreamEnd();
  const plain = createPlainChunks();
  let usage: ReportedUsage | undefined;
  let reportedModel: string | undefined;
  let damagedEvents = 0;
  let wasWhole = false;
  /** Damaged events after which the reply has not gone on yet: without that nothing tells them from a cut. */
  const missing: string[] = [];
  const lost: string[] = [];

  /** The reply goes on behind what is missing: the place is marked, so that no sentence is shorter without a word. */
  const markMissing = (): void => {
    if (missing.length === 0) return;
    lost.push(...missing.splice(0));
    written.mark(` ${l10n.t('[… a part was lost here …]')} `);
  };

  const addChunk = (chunk: Chunk): FoldSignal => {
    markMissing();
    usage = laterReport(usage, chunk.usage);
    reportedModel = chunk.model ?? reportedModel;
    const repeats = written.add(chunk);
    streamEnd.add(chunk);
    if (chunk.error !== undefined) return { kind: 'error-body', body: chunk.error };
    return repeats ? { kind: 'repetition' } : more;
  };

  const finish = (): FoldSignal => {
    markMissing();
    streamEnd.done();
    return done;
  };

  const foldOne = (data: string, json: unknown): FoldSignal => {
    if (isEndMarker(data)) return finish();
    const chunk = readChunk(json);
    if (chunk === undefined) {
      damagedEvents += 1;
      // After the end only a count can be lost, and a value that is no object holds no words.
      if (json === undefined && !streamEnd.isQuiet() && lost.length + missing.length < maxLost) {
        missing.push(data.slice(0, maxLostLength));
      }
      return more;
    }
    plain.learn(data, chunk);
    const signal = addChunk(chunk.whole ? written.unsaid(chunk) : chunk);
    return chunk.last && signal.kind === 'more' ? finish() : signal;
  };

  const fold = (data: string, event: string | undefined): FoldSignal => {
    const known = event === undefined ? plain.read(data) : undefined;
    if (known !== undefined) return addChunk(known);
    if (isEndMarker(data)) return finish();
    const json = parseJson(data);
    if (event === 'error') return { kind: 'error-body', body: json ?? data };
    const glued = json === undefined ? splitGlued(data) : undefined;
    if (glued !== undefined) {
      for (const piece of glued) {
        const signal = foldOne(piece, parseJson(piece));
        if (signal.kind !== 'more') return signal;
      }
      return isEndName(event) ? finish() : more;
    }
    const isEnd = isEndName(event);
    if (isEnd && readChunk(json) === undefined) return finish();
    const signal = foldOne(data, json);
    return isEnd && signal.kind === 'more' ? finish() : signal;
  };

  /** Nothing shows that a piece is missing. */
  const isWhole = (): boolean => {
    const { text, calls, dropped } = written.result();
    if (damagedEvents + dropped > 0 || calls.some((call) => !isWholeCall(call))) return false;
    return calls.length > 0 ? true : looksWhole(text);
  };

  return {
    fold,
    foldWhole: (json) => {
      const chunk = readChunk(json);
      const reply = unwrapped(json);
      const isReply = typeof reply === 'object' && reply !== null && 'choices' in reply;
      if (chunk === undefined || !isReply) return { kind: 'error-body', body: json };
      // A JSON text that parses has arrived in full: that is as good as `[DONE]`.
      streamEnd.done();
      wasWhole = true;
      return addChunk(chunk);
    },
    foldLate: (data) => {
      usage = laterReport(usage, readChunk(parseJson(data))?.usage);
    },
    flush: written.flush,
    closed: streamEnd.closed,
    end: written.end,
    isFinished: streamEnd.isFinished,
    isQuiet: streamEnd.isQuiet,
    visible: written.visible,
    streamEnd: () => {
      const kind = streamEnd.kind();
      // A whole body has no end to learn, and what was surely cut teaches nothing.
      return wasWhole || (kind === 'close' && !isWhole()) ? undefined : kind;
    },
    reply: () => {
      const { dropped, calls, leaked, ...rest } = written.result();
      const evidence = streamEnd.evidence(options.knownStreamEnd, isWhole());
      const finish = streamEnd.reason();
      // Those of a reply that reached its length limit are never run, but whoever asked must know that they were made.
      const mayCall = evidence !== 'none' && finish !== 'error' && finish !== 'content-filter';
      const toolCalls = mayCall ? calls : [];
      const reply: Reply = {
        requestedModel,
        model,
        ...rest,
        toolCalls,
        finish,
        evidence,
        damagedEvents: damagedEvents + dropped,
        ...(lost.length > 0 && { lost }),
        ...(leaked !== undefined && calls.length === 0 && { leaked }),
      };
      const counted = usage === undefined ? undefined : readReport(usage, reply);
      if (counted) reply.usage = counted;
      if (usage?.promptTokens) reply.countedPrompt = usage.promptTokens;
      if (usage?.completionTokens) reply.countedCompletion = usage.completionTokens;
      if (reportedModel !== undefined && !isSameModel(reportedModel, model)) {
        reply.reportedModel = reportedModel.slice(0, 100).replace(/\p{C}/gu, '');
      }
      return reply;
    },
  };
}

interface Written {
  /** In the order in which a reply is written. True: it repeats itself without end. */
  add(chunk: Chunk): boolean;
  /** The part of a whole message that was not said yet: some servers send all of it once more, or all of it each time. */
  unsaid(chunk: Chunk): Chunk;
  /** Says something about the reply in the place where it is. */
  mark(text: string): void;
  flush(): void;
  end(): void;
  visible(): boolean;
  result(): Pick<Reply, 'text' | 'reasoning' | 'toolMarkup' | 'leaked'> & { calls: ReplyCall[]; dropped: number };
}

/** The three channels of a model's reply, watched for repetition and leaked markup, told as they grow. */
function createWritten(
  onEvent: (event: StreamEvent) => void,
  names: Pick<MarkupOptions, 'tools' | 'recognises'>,
): Written {
  const deltas = createDeltaJoiner(onEvent);
  const calls = createCallFolder(deltas.forming);
  const textGuard = createRepetitionGuard();
  const reasoningGuard = createRepetitionGuard();
  const argumentsGuard = createRepetitionGuard({ isCode: true });
  let reasoning = '';
  /** As they came, before anything was taken out. */
  const said = { text: '', reasoning: '' };
  const tellReasoning = (text: string): void => {
    if (text === '') return;
    reasoning += text;
    deltas.reasoning(text);
  };
  const markup = createMarkupFilter({ ...names, onReasoning: tellReasoning });
  const thoughts = createMarkupFilter(names);
  let holdsThought = false;

  /** Held-back reasoning is told before the text that follows it. */
  const settleThought = (): void => {
    if (!holdsThought) return;
    holdsThought = false;
    tellReasoning(thoughts.end());
  };
  const tellText = (text: string): void => {
    settleThought();
    deltas.text(markup.push(text));
  };
  const addText = (text: string): boolean => {
    said.text += text;
    tellText(text);
    return textGuard.push(text);
  };
  const addReasoning = (text: string): boolean => {
    said.reasoning += text;
    holdsThought = true;
    tellReasoning(thoughts.push(text));
    return reasoningGuard.push(text);
  };
  /** A call in the reasoning is a draft, unless it is the last that came. */
  const hasLeak = (): boolean =>
    markup.found() || (thoughts.found() && markup.text().trim() === '' && calls.calls().length === 0);
  const leaked = (): Reply['leaked'] => {
    if (!hasLeak()) return undefined;
    const place = markup.found() ? 'text' : 'reasoning';
    const text = (markup.found() ? markup : thoughts).hidden();
    const calls = text === undefined ? undefined : readLeakedCalls(text);
    return text === undefined || calls === undefined ? undefined : { place, text, calls };
  };
  return {
    add: (chunk) => {
      if (chunk.reasoning !== '' && addReasoning(chunk.reasoning)) return true;
      if (chunk.text !== '' && addText(chunk.text)) return true;
      if (chunk.calls.length > 0) {
        settleThought();
        calls.add(chunk.calls);
      }
      return chunk.calls.some((delta) => argumentsGuard.push(delta.arguments));
    },
    unsaid: (chunk) => ({
      ...chunk,
      text: behind(said.text, chunk.text),
      reasoning: behind(said.reasoning, chunk.reasoning),
      calls: calls.calls().length > 0 ? [] : chunk.calls,
    }),
    mark: (text) => {
      if (reasoning !== '' && markup.text() === '') addReasoning(text);
      else tellText(text);
    },
    flush: deltas.flush,
    end: () => {
      settleThought();
      deltas.text(markup.end());
      deltas.flush();
    },
    visible: deltas.visible,
    result: () => ({
      text: markup.text(),
      reasoning: [reasoning, markup.thought().trim()].filter((part) => part !== '').join('\n\n'),
      toolMarkup: hasLeak(),
      leaked: leaked(),
      calls: calls.calls(),
      dropped: calls.dropped(),
    }),
  };
}

/** The rest of `all` after `said`; empty when `all` says something else: then `said` stands. */
function behind(said: string, all: string): string {
  if (said === '') return all;
  return all.startsWith(said) ? all.slice(said.length) : '';
}

/** Gateways leave out the prefix; that is no other model. */
function isSameModel(reported: string, asked: string): boolean {
  return reported === asked || `svc/${reported}` === asked;
}
