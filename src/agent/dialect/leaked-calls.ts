import type { Reply, ReplyCall } from '../../service/contract.ts';
import type { HistoryMessage } from '../../shared/messages.ts';
import { parseArguments } from '../parse-arguments.ts';
import type { UnderstandDeps } from './understand-calls.ts';

/**
 * Decides about whole calls that were written in the text of a complete reply. They run like proper calls where
 * nothing is in doubt, and calls in the reasoning only where they read. Anything that a file, a page, a rule or a
 * person wrote is a quotation, whoever repeats it. Undefined means that the model has to make the call again.
 */
export function readLeaked(
  deps: Pick<UnderstandDeps, 'tools' | 'dialect'>,
  { leaked, text, finish, damagedEvents }: Reply,
  before: readonly HistoryMessage[],
): { calls: readonly ReplyCall[] } | 'quotation' | undefined {
  const isCut = finish === 'length' || finish === 'content-filter' || finish === 'error';
  if (leaked === undefined || damagedEvents > 0 || isCut) return undefined;
  const said = lettersOf(before.flatMap((one) => (one.role === 'assistant' ? [] : [one.text])).join('\n'));
  if (leaked.calls.some(({ source }) => said.includes(lettersOf(source)))) return 'quotation';
  if (leaked.place === 'reasoning' && text.trim() !== '') return undefined;
  const isSure = leaked.calls.every((call) => isCertain(deps, call, leaked.place === 'reasoning'));
  return isSure ? { calls: leaked.calls } : undefined;
}

function isCertain(
  { tools, dialect }: Pick<UnderstandDeps, 'tools' | 'dialect'>,
  call: ReplyCall,
  mustRead: boolean,
): boolean {
  const understood = dialect?.understand(call, tools) ?? { kind: 'calls' as const, calls: [call] };
  if (understood.kind !== 'calls') return !mustRead;
  return understood.calls.every((one) => {
    const tool = tools.find(({ name }) => name === one.name);
    if (tool === undefined || (mustRead && tool.access !== 'read')) return false;
    const parsed = parseArguments(tool, one.arguments);
    return parsed.ok && parsed.ignored.length + parsed.comments.length === 0;
  });
}

/** Line numbers, indentation and wrapping are ignored, because they differ where a text is shown. */
function lettersOf(text: string): string {
  return text.replaceAll(/[\s\d]/g, '');
}
