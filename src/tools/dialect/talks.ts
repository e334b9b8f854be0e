import { meantName, otherValues } from '../../agent/argument-habits.ts';
import type { Arguments, ToolDialect } from '../../agent/dialect/dialect.ts';
import { isObject } from '../../base/parse-json.ts';
import type { PlanItem } from '../../shared/approval.ts';
import { readNamed } from './named-arguments.ts';

const stateOfMark: Readonly<Record<string, string>> = { x: 'done', X: 'done', '-': 'active', '~': 'active' };
const maxTextLength = 200;

export const planDialect: ToolDialect = {
  names: 'todowrite todo writetodos managetodolist settodolist updatetodolist todolist taskcreate taskupdate',
  translate(args, called, plan) {
    const given = readNamed(args);
    if (called === 'taskcreate' || called === 'taskupdate') return oneTask(args, called, plan());
    const list = given.value('items todos todolist plan tasks steps');
    if (typeof list === 'string') {
      const items = list.split(/\n|\\n(?= {0,9}(?:[-*] )?\[)/).flatMap((line) => {
        const [, mark = ' ', text = ''] = /^(?:[-*] )?\[([ xX~-])\](.*)$/.exec(line.trim()) ?? [];
        return text.trim() === '' ? [] : [{ text: text.trim(), state: stateOfMark[mark] ?? 'pending' }];
      });
      if (items.length > 0) return [{ name: 'update_plan', arguments: { items } }];
    }
    if (!Array.isArray(list)) return [{ name: 'update_plan', arguments: args }];
    const isGone = (item: unknown) => isObject(item) && /^cancell?ed$|^deleted$/.test(String(item.status));
    const items = lastOfEach(list.filter((item) => !isGone(item))).map(withKnownState);
    return [{ name: 'update_plan', arguments: { items } }];
  },
};

/** A step that is given again with its id is the same step, as it is now. */
function lastOfEach(list: readonly unknown[]): unknown[] {
  const keyOf = (item: unknown, at: number) =>
    isObject(item) && 'id' in item ? JSON.stringify({ ...item, status: undefined, state: undefined }) : at;
  return [...new Map(list.map((item, at) => [keyOf(item, at), item])).values()];
}

/** A state that we do not have, such as `failed`, is not done. */
function withKnownState(item: unknown): unknown {
  if (!isObject(item)) return item;
  const key = 'state' in item ? 'state' : 'status';
  const isKnown = meantName(String(item[key]), ['pending', 'active', 'done'], otherValues) !== undefined;
  return isKnown || item[key] === undefined ? item : { ...item, [key]: 'pending' };
}

/** Other agents make and change a plan task by task; the ids of tasks count from 1. */
function oneTask(args: Arguments, called: string, plan: readonly PlanItem[]) {
  const given = readNamed(args);
  const text = given.text('subject title content')?.slice(0, maxTextLength).toWellFormed();
  const state = given.text('status state');
  if (called === 'taskcreate') {
    return [{ name: 'update_plan', arguments: { items: [...plan, { text, state: state ?? 'pending' }] } }];
  }
  if (text === undefined && state === undefined) return 'Not run: a step has a text and a state, and nothing else.';
  const id = Number(given.text('taskid id'));
  if (plan[id - 1] === undefined) return `There is no task ${String(id)}: give the whole plan with update_plan.`;
  const isDeleted = state === 'deleted';
  const items = plan.map((item, at) =>
    at === id - 1 ? { text: text ?? item.text, state: isDeleted ? 'done' : (state ?? item.state) } : item,
  );
  return [{ name: 'update_plan', arguments: { items } }];
}

export const questionDialect: ToolDialect = {
  names: 'askfollowupquestion askuserquestion askquestion askquestions followupquestion',
  translate(args) {
    const questions = readNamed(args).value('questions');
    const asked = Array.isArray(questions) && questions.length > 0 ? questions : [args];
    return asked.map((one: unknown) => {
      if (!isObject(one)) return { name: 'ask_user', arguments: { question: one } };
      const given = readNamed(one);
      const choices = given.value('options followup choices suggestions');
      const options = Array.isArray(choices) ? choices.map(labelOf).filter((label) => label !== '') : [];
      const question = given.text('question text prompt message') ?? '';
      return { name: 'ask_user', arguments: { question, ...(options.length > 0 && { options: options.slice(0, 6) }) } };
    });
  },
};

function labelOf(option: unknown): string {
  if (typeof option === 'string') return option;
  return isObject(option) ? (readNamed(option).text('label text title value') ?? '') : '';
}
