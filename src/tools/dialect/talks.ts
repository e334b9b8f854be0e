import type { ToolDialect } from '../../agent/dialect/dialect.ts';
import { byPlainName, textOf } from './words.ts';

const stateOfMark: Readonly<Record<string, string>> = {
  x: 'done',
  X: 'done',
  '-': 'active',
  '~': 'active',
  ' ': 'pending',
};

export const planDialect: ToolDialect = {
  names: ['todowrite', 'todo', 'writetodos', 'managetodolist', 'settodolist', 'updatetodolist', 'todolist'],
  translate(args) {
    const list = [...byPlainName(args)].find(([name]) =>
      ['items', 'todos', 'todolist', 'plan', 'tasks', 'steps'].includes(name),
    )?.[1];
    if (typeof list === 'string') {
      const items = list.split('\n').flatMap((line) => {
        const [, mark = ' ', text = ''] = /^(?:[-*] )?\[([ xX~-])\](.*)$/.exec(line.trim()) ?? [];
        return text.trim() === '' ? [] : [{ text: text.trim(), state: stateOfMark[mark] ?? 'pending' }];
      });
      if (items.length > 0) return [{ name: 'update_plan', arguments: { items } }];
    }
    if (!Array.isArray(list)) return [{ name: 'update_plan', arguments: args }];
    const isCancelled = (item: unknown) =>
      typeof item === 'object' &&
      item !== null &&
      'status' in item &&
      /^cancell?ed$|^deleted$/.test(String(item.status));
    return [{ name: 'update_plan', arguments: { items: list.filter((item) => !isCancelled(item)) } }];
  },
};

export const questionDialect: ToolDialect = {
  names: ['askfollowupquestion', 'askuserquestion', 'askquestion', 'askquestions', 'followupquestion'],
  translate(args) {
    const questions = byPlainName(args).get('questions');
    const asked = Array.isArray(questions) && questions.length > 0 ? questions : [args];
    return asked.map((one: unknown) => {
      if (typeof one !== 'object' || one === null) return { name: 'ask_user', arguments: { question: one } };
      const plain = byPlainName(one as Record<string, unknown>);
      const choices = plain.get('options') ?? plain.get('followup') ?? plain.get('choices') ?? plain.get('suggestions');
      const options = Array.isArray(choices) ? choices.map(labelOf).filter((label) => label !== '') : [];
      return {
        name: 'ask_user',
        arguments: {
          question: textOf(plain, ['question', 'text', 'prompt', 'message']) ?? '',
          ...(options.length > 0 && { options: options.slice(0, 6) }),
        },
      };
    });
  },
};

function labelOf(option: unknown): string {
  if (typeof option === 'string') return option;
  if (typeof option !== 'object' || option === null) return '';
  return textOf(byPlainName(option as Record<string, unknown>), ['label', 'text', 'title', 'value']) ?? '';
}
