import { parseJson } from '../../../src/base/parse-json.ts';
import { type Deed, turnFactsOf } from '../../../src/chat/turn-facts/turn-facts.ts';
import type { TurnFacts } from '../../../src/shared/events.ts';
import type { ToolCall } from '../../../src/shared/messages.ts';
import { toolSpecs } from '../../../src/tools/all-tools.ts';
import { inOwnWords } from './own-words.ts';
import type { Trajectory } from './read.ts';

/** Answers at the end of a turn, and what would stand under them. */
export interface JudgedEndings {
  answers: number;
  lines: { turn: string; ending: TurnFacts }[];
}

/** Of the lines, those that were read beside the recording and found to say what did not happen: none so far. */
export const wrongLines: ReadonlySet<string> = new Set();

const specs = new Map(toolSpecs.map((spec) => [spec.name, spec]));

interface Turn {
  deeds: Deed[];
  changed: string[];
  said: string[];
  answer: string;
}

/** As if each turn had been one of ours. Of commands only the exit code is known, not what they changed. */
export function judgeEndings(session: Trajectory): JudgedEndings {
  const messages = inOwnWords(session.messages);
  const results = new Map(messages.flatMap((one) => (one.role === 'tool' ? [[one.callId, one.text] as const] : [])));
  const before: string[] = [];
  const judged: JudgedEndings = { answers: 0, lines: [] };
  let turn: Turn = { deeds: [], changed: [], said: [], answer: '' };
  let number = 0;
  const close = () => {
    const { said, ...rest } = turn;
    if (turn.answer !== '') {
      judged.answers += 1;
      const ending = turnFactsOf({ ...rest, said: said.join('\n'), canEdit: true });
      if (ending) judged.lines.push({ turn: `${session.name}#${number}`, ending });
    }
    before.push(...turn.changed);
    turn = { deeds: [], changed: [], said: [], answer: '' };
    number += 1;
  };
  for (const message of messages) {
    if (message.role === 'user') close();
    if (message.role !== 'assistant') continue;
    turn.said.push(message.text);
    turn.answer = message.toolCalls.length > 0 ? '' : message.text;
    for (const call of message.toolCalls) {
      const deed = deedOf(call, results.get(call.id) ?? '');
      if (deed) turn.deeds.push(deed);
      if (deed?.kind === 'edit') turn.changed.push(deed.path);
    }
  }
  close();
  return judged;
}

function deedOf({ name, arguments: raw }: ToolCall, result: string): Deed | undefined {
  const args = parseJson(raw) as Record<string, unknown>;
  const spec = specs.get(name);
  if (spec?.kind === 'edit') {
    return /^\s*(?:<tool_use_error>|Error)/.test(result) ? undefined : { kind: 'edit', path: String(args.path) };
  }
  if (spec?.kind === 'command') {
    const code = /(?:Exit code:?|exited with code) (\d+)/.exec(`${result.slice(0, 300)}${result.slice(-300)}`)?.[1];
    const end = args.background === true ? {} : { exitCode: Number(code ?? 0) };
    return { kind: 'command', line: String(args.command), end, watched: false };
  }
  const looks = spec !== undefined && spec.access !== 'write' && spec.access !== 'execute';
  return looks ? undefined : { kind: 'unknown' };
}
