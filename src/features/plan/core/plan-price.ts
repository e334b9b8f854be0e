import type { ReplyExpectation } from '../../../service/contract.ts';
import type { ChatState } from '../../../shared/chat/chat-state.ts';
import type { ChatEvent } from '../../../shared/events.ts';
import { costMicroUsd, wholeCents } from '../../../shared/money.ts';
import type { Estimator } from '../../../spend/estimate.ts';

export interface PlanPrice {
  steps: number;
  /** This price is for a run in a conversation that holds only the task and the plan. */
  freshMicroUsd: number;
  /** This price is for a run where the plan was made, with everything that was read there sent again each time. */
  hereMicroUsd: number;
  capMicroUsd: number;
  /** This many tokens were expected of a step, before earlier runs corrected it. */
  stepTokens: number;
}

const requestsPerStep = 3;
const [fixedTokens, addedTokens] = [1500, 750];
const capFactor = 4;

export function planPrice(plan: string, tokens: Beginning, usual: UsualTokens): PlanPrice {
  return runPrice(stepsIn(plan), tokens, usual);
}

type Beginning = { task: number; history: number };
type UsualTokens = (expects: ReplyExpectation) => number;

export function runPrice(steps: number, tokens: Beginning, usual: UsualTokens): PlanPrice {
  const requests = steps * requestsPerStep;
  const grown = (addedTokens * requests * (requests - 1)) / 2;
  const expected = (begins: number) => Math.round((fixedTokens + begins) * requests + grown);
  const stepTokens = Math.round(expected(tokens.task) / steps);
  const fresh = usual({ of: 'run', tokens: stepTokens }) * steps;
  const freshMicroUsd = costMicroUsd(fresh);
  return {
    steps,
    stepTokens,
    freshMicroUsd,
    hereMicroUsd: costMicroUsd(fresh + expected(tokens.history) - expected(tokens.task)),
    capMicroUsd: wholeCents(freshMicroUsd * capFactor),
  };
}

export function learnRun(
  estimator: Pick<Estimator, 'learnReply'>,
  { budgetRun, items, model }: ChatState,
  events: readonly ChatEvent[],
): void {
  const ended = events.find((event) => event.type === 'turnEnded');
  const others = items.filter(({ kind }) => kind === 'user').length !== 1;
  if (budgetRun === undefined || ended?.outcome !== 'finished' || others) return;
  const answers = items.filter((item) => item.kind === 'answer');
  const tokens = answers.reduce((sum, { cost }) => sum + (cost?.totalTokens ?? 0), 0);
  const expects = { of: 'run', tokens: budgetRun.stepTokens };
  estimator.learnReply({ model, expects }, Math.round(tokens / budgetRun.steps));
}

/** Counts numbered lines that are not indented; where there are none, list items, then headings below the first. */
export function stepsIn(plan: string): number {
  const count = (line: RegExp) => plan.match(line)?.length ?? 0;
  return count(/^\d{1,3}[.)] /gm) || count(/^[-*+] /gm) || Math.max(1, count(/^#{1,6} /gm) - 1);
}

export function runMessage(task: string, plan: string): string {
  return `${task.trim()}\n\nThe user has agreed to this plan. Carry it out step by step:\n\n${plan.trim()}`;
}

/** Makes the message that starts a run. It includes the plan only where the model does not know its current text. */
export function goOnMessage(plan: string, seen: string): string {
  return plan === seen ? 'Carry out the plan.' : `Carry out the plan. I have changed it; it is now:\n\n${plan.trim()}`;
}
