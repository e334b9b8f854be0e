import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { economise } from '../../../src/agent/economy.ts';
import type { ToolDefinition } from '../../../src/service/contract.ts';
import { buildRequestBody } from '../../../src/service/request.ts';
import { toolKind } from '../../../src/tools/tool-kind.ts';
import { type Fact, requestLengths, type Session } from './session.ts';

/** What one request cost and which facts it no longer answers. */
export interface Request {
  tokens: number;
  known: number;
  lost: Fact[];
  /** Facts in lines that nothing marks: all, those that are not there, and those of these whose file is not even named. */
  plain: { known: number; lost: number; unnamed: number };
}

export const model = 'svc/kimi-k3';

/** The bodies that the product sends for a session: `whole` as stored, else after the economy. */
export function* ourBodies(session: Session, tools: readonly ToolDefinition[], whole: boolean): Generator<string> {
  for (const length of requestLengths(session)) {
    const stored = [{ role: 'system' as const, text: session.system }, ...session.messages.slice(0, length)];
    const messages = whole ? stored : economise(stored, { model, toolKind }).messages;
    yield buildRequestBody(
      { model, messages, tools, surface: 'chat' },
      { parameters: {} },
      { stream: true, strength: 'normal' },
    );
  }
}

/**
 * Counts tokens of a body and looks for every fact that the messages before it brought: a fact of a file in a message that
 * names the file, or nobody could tell what it is a fact of.
 */
export function judge(session: Session, body: string, length: number): Request {
  const { messages }: { messages: object[] } = JSON.parse(body);
  const texts = messages.map((message) => JSON.stringify(message));
  const holds = (...parts: readonly string[]) => {
    const wanted = parts.map((part) => JSON.stringify(JSON.stringify(part).slice(1, -1)).slice(1, -1));
    const plain = parts.map((part) => JSON.stringify(part).slice(1, -1));
    return texts.some((text) => [wanted, plain].some((some) => some.every((part) => text.includes(part))));
  };
  const planted = session.facts.filter((fact) => fact.plantedAt < length);
  const missing = planted.filter(({ answer, path }) => !holds(answer, ...(path === undefined ? [] : [path])));
  const plain = missing.filter((fact) => fact.plain);
  return {
    tokens: encode(body).length,
    known: planted.filter((fact) => !fact.plain).length,
    lost: missing.filter((fact) => !fact.plain),
    plain: {
      known: planted.filter((fact) => fact.plain).length,
      lost: plain.length,
      unnamed: plain.filter(({ path }) => path === undefined || !holds(path)).length,
    },
  };
}

export function judgeAll(session: Session, bodies: Iterable<string>): Request[] {
  const lengths = requestLengths(session);
  return [...bodies].map((body, index) => judge(session, body, lengths[index] ?? 0));
}
