import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { economise } from '../../../src/agent/economy.ts';
import type { ToolKind } from '../../../src/agent/economy-steps.ts';
import type { ToolDefinition } from '../../../src/service/contract.ts';
import { buildRequestBody } from '../../../src/service/request.ts';
import { type Fact, requestLengths, type Session } from './session.ts';

/** What one request cost and which facts it no longer answers. */
export interface Request {
  tokens: number;
  known: number;
  lost: Fact[];
}

export const model = 'svc/kimi-k3';

const kinds: Readonly<Record<string, ToolKind>> = {
  read_file: 'read',
  search_text: 'search',
  list_directory: 'list',
  run_command: 'command',
  edit_file: 'edit',
  update_plan: 'plan',
};

export const toolKind = (name: string): ToolKind => kinds[name] ?? 'other';

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

/** Counts tokens of a body and looks for every fact that the messages before it brought. */
export function judge(session: Session, body: string, length: number): Request {
  const planted = session.facts.filter((fact) => fact.plantedAt < length);
  const lost = planted.filter(({ answer }) => !body.includes(JSON.stringify(answer).slice(1, -1)));
  return { tokens: encode(body).length, known: planted.length, lost };
}

export function judgeAll(session: Session, bodies: Iterable<string>): Request[] {
  const lengths = requestLengths(session);
  return [...bodies].map((body, index) => judge(session, body, lengths[index] ?? 0));
}
