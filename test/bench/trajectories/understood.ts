import { understandCalls } from '../../../src/agent/dialect/understand-calls.ts';
import { parseArguments } from '../../../src/agent/parse-arguments.ts';
import type { Tool } from '../../../src/agent/tool.ts';
import { applyEdits, type EditBlock } from '../../../src/edits/match/apply-edits.ts';
import type { HistoryMessage, ToolCall } from '../../../src/shared/messages.ts';
import { toolDialect, toolSpecs } from '../../../src/tools/all-tools.ts';
import { meaningOf, ownMeaning, type Task } from './meaning.ts';
import type { Trajectory } from './read.ts';

export interface Understanding {
  calls: number;
  /** Became calls of ours that are valid, or the end of the turn. */
  understood: number;
  /** Of the others: were answered with a sentence that names what there is, or says what to do instead. */
  verdicts: number;
  /** Ask for something else than the agent did. */
  misunderstood: string[];
  /** Edits of files whose whole text is known: done as the agent did them, refused, or giving another text. */
  edits: { same: number; refused: number; other: string[] };
}

const offered = toolSpecs as readonly Tool[];

export function understand({ name, agent, messages, failed }: Trajectory): Understanding {
  const all: Understanding = {
    calls: 0,
    understood: 0,
    verdicts: 0,
    misunderstood: [],
    edits: { same: 0, refused: 0, other: [] },
  };
  let count = 0;
  const before: HistoryMessage[] = [];
  const texts = new Map<string, string>();
  const tasks: Task[] = [];
  for (const message of messages) {
    for (const call of message.role === 'assistant' ? message.toolCalls : []) {
      all.calls += 1;
      const deps = { tools: offered, dialect: toolDialect, newCallId: () => `o${++count}` };
      const { calls, verdicts, ending } = understandCalls(deps, [call], { namesExplained: new Set(), before });
      before.push({ role: 'assistant', text: '', model: '', toolCalls: calls });
      const isRefused = calls.some(({ id }) => 'refusal' in (verdicts.get(id) ?? {}));
      const isValid = calls.every((one) => isReadable(one)) && !isRefused;
      if (!isValid) {
        if (isRefused) all.verdicts += 1;
        continue;
      }
      all.understood += 1;
      const own = ending === undefined ? calls.map(ownMeaning) : [`end ${ending}`];
      const meant = meaningOf(agent, call, tasks);
      if (own.join('\0') !== meant?.join('\0'))
        all.misunderstood.push(
          `${name}: ${call.name} ${call.arguments.slice(0, 200)} as ${own.join(' & ').slice(0, 200)}`,
        );
      if (!failed.has(call.id)) followTexts(all.edits, texts, calls, name);
    }
  }
  return all;
}

function isReadable(call: ToolCall): boolean {
  const tool = offered.find(({ name }) => name === call.name);
  return tool !== undefined && parseArguments(tool, call.arguments).ok;
}

function followTexts(
  edits: Understanding['edits'],
  texts: Map<string, string>,
  calls: readonly ToolCall[],
  name: string,
): void {
  for (const call of calls) {
    const args = JSON.parse(call.arguments) as { path?: string; content?: string; edits?: EditBlock[] };
    const { path = '', content, edits: blocks } = args;
    if (call.name === 'create_file') texts.set(path, content ?? '');
    if (call.name === 'delete_file' || call.name === 'rename_file') texts.delete(path);
    const text = texts.get(path);
    if (call.name !== 'edit_file' || text === undefined || blocks === undefined) continue;
    const theirs = blocks.reduce<string | undefined>((now, { search, replace, replaceAll }) => {
      if (now === undefined || !now.includes(search)) return undefined;
      return replaceAll ? now.replaceAll(search, () => replace) : now.replace(search, () => replace);
    }, text);
    if (theirs === undefined) {
      texts.delete(path);
      continue;
    }
    const ours = applyEdits(text, blocks, path);
    if (!ours.ok) edits.refused += 1;
    else if (ours.text === theirs) edits.same += 1;
    else edits.other.push(`${name}: ${path}`);
    texts.set(path, theirs);
  }
}
