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
import { newerUsage, readReport } from './usage.ts';
import { endsSentence, isWholeCall } from './whole-text.ts';

export type FoldSignal =
  | { kind: 'more' }
  | { kind: 'done' }
  | { kind: 'error-body'; body: unknown }
  | { kind: 'unread' }
  | { kind: 'repetition' };

export interface ChunkCollector {
  fold(data: string, event: string | undefined): FoldSignal;
  foldWhole(json: unknown): FoldSignal;
  /** Takes an event behind `[DONE]`, of which only the token counts are used. */
  foldLate(data: string): void;
  flush(): void;
  closed(): void;
  /** Emits the text that was held back. It must be called once, before `reply`. */
  end(): void;
  isFinished(): boolean;
  isQuiet(): boolean;
  /** Servers that send calls whole are silent while one is written: behind a name, thoughts or a sentence. */
  mayBeCalling(): boolean;
  visible(): boolean;
  /** Returns undefined for a body that was no stream and for a stream that only seems to have ended. */
  streamEnd(): StreamEndKind | undefined;
  reply(): Reply;
}

export interface FoldOptions {
  requestedModel: string;
  model: string;
  tools?: ReadonlySet<string>;
  recognises?(name: string): boolean;
  knownStreamEnd?: StreamEndKind;
  onEvent(event: StreamEvent): void;
}

const maxLost = 8;
const maxLostLength = 500;

const more: FoldSignal = { kind: 'more' };
const done: FoldSignal = { kind: 'done' };

/** Emits events while chunks arrive. Tool calls exist only in the final reply. */
export function createChunkCollector(options: FoldOptions): ChunkCollector {
  const { requestedModel, model, tools = new Set(), recognises, onEvent } = options;
  const written = createWritten(onEvent, { tools, recognises });
  const streamEnd = createStreamEnd();
  const plain = createPlainChunks();
  let usage: ReportedUsage | undefined;
  let reportedModel: string | undefined;
  let damagedEvents = 0;
  let wasWhole = false;
  let arrived: Reply['arrived'];
  /**
   * Damaged events count as lost only once the reply goes on behind them; before that they cannot be distinguished
   * from a cut.
   */
  const missing: string[] = [];
  const lost: string[] = [];

  const markMissing = (): void => {
    if (missing.length === 0) return;
    lost.push(...missing.splice(0));
    written.mark(` ${l10n.t('[… a part was lost here …]')} `);
  };

  const addChunk = (chunk: Chunk): FoldSignal => {
    markMissing();
    if (arrived !== 'unread') arrived = chunk.foreign ? 'unread' : 'events';
    usage = newerUsage(usage, chunk.usage);
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
      arrived = 'unread';
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

  const isWhole = (): boolean => {
    const { text, calls, dropped } = written.result();
    if (damagedEvents + dropped > 0 || calls.some((call) => !isWholeCall(call))) return false;
    return calls.length > 0 || endsSentence(text);
  };

  return {
    fold,
    foldWhole: (json) => {
      const chunk = readChunk(json);
      const reply = unwrapped(json);
      const isReply = typeof reply === 'object' && reply !== null && 'choices' in reply;
      if (chunk?.error !== undefined) return { kind: 'error-body', body: json };
      if (chunk === undefined || !isReply) return { kind: 'unread' };
      // A JSON text that parses has arrived in full: that is as good as `[DONE]`.
      streamEnd.done();
      wasWhole = true;
      return addChunk(chunk);
    },
    foldLate: (data) => {
      usage = newerUsage(usage, readChunk(parseJson(data))?.usage);
    },
    flush: written.flush,
    closed: streamEnd.closed,
    end: written.end,
    isFinished: streamEnd.isFinished,
    isQuiet: streamEnd.isQuiet,
    mayBeCalling: () => tools.size > 0 && written.mayBeCalling(),
    visible: written.visible,
    streamEnd: () => {
      const kind = streamEnd.kind();
      // A whole body has no end to learn, and what may be cut teaches nothing.
      return wasWhole || (kind === 'close' && !isWhole()) ? undefined : kind;
    },
    reply: () => {
      const { dropped, calls, leaked, ...rest } = written.result();
      const evidence = streamEnd.evidence(options.knownStreamEnd, isWhole());
      const finish = streamEnd.reason();
      // Those of a reply that reached its length limit are never run, but whoever asked must know that they were made.
      const mayCall = evidence !== 'none' && finish !== 'error' && finish !== 'content-filter';
      const toolCalls = mayCall ? calls : [];
      const lostCall = tools.size > 0 && calls.length === 0 && streamEnd.announcedCalls();
      const reply: Reply = {
        requestedModel,
        model,
        ...rest,
        toolMarkup: rest.toolMarkup || lostCall,
        toolCalls,
        finish,
        evidence,
        damagedEvents: damagedEvents + dropped,
        ...(lost.length > 0 && { lost }),
        arrived,
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
  add(chunk: Chunk): boolean;
  /**
   * Returns the part of a whole message that was not sent yet, because some servers repeat everything at the end or
   * in each event.
   */
  unsaid(chunk: Chunk): Chunk;
  mark(text: string): void;
  flush(): void;
  end(): void;
  visible(): boolean;
  mayBeCalling(): boolean;
  result(): Pick<Reply, 'text' | 'reasoning' | 'toolMarkup' | 'leaked'> & { calls: ReplyCall[]; dropped: number };
}

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
  const said = { text: '', reasoning: '' };
  const emitReasoning = (text: string): void => {
    if (text === '') return;
    reasoning += text;
    deltas.reasoning(text);
  };
  const markup = createMarkupFilter({ ...names, onReasoning: emitReasoning });
  const thoughts = createMarkupFilter(names);
  let holdsThought = false;

  const settleThought = (): void => {
    if (!holdsThought) return;
    holdsThought = false;
    emitReasoning(thoughts.end());
  };
  const emitText = (text: string): void => {
    settleThought();
    deltas.text(markup.push(text));
  };
  const addText = (text: string): boolean => {
    said.text += text;
    emitText(text);
    return textGuard.push(text);
  };
  const addReasoning = (text: string): boolean => {
    said.reasoning += text;
    holdsThought = true;
    emitReasoning(thoughts.push(text));
    return reasoningGuard.push(text);
  };
  /** A call in the reasoning is a draft, unless nothing follows it. */
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
      else emitText(text);
    },
    flush: deltas.flush,
    end: () => {
      settleThought();
      deltas.text(markup.end());
      deltas.flush();
    },
    visible: deltas.visible,
    mayBeCalling: () => calls.calls().length > 0 || !/[\p{L}\p{N},]$/u.test(said.text.slice(-80).trimEnd()),
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

function behind(said: string, all: string): string {
  if (said === '') return all;
  return all.startsWith(said) ? all.slice(said.length) : '';
}

function isSameModel(reported: string, asked: string): boolean {
  return reported === asked || `svc/${reported}` === asked;
}
