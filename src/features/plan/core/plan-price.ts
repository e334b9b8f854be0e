import { costMicroUsd } from '../../../spend/price.ts';

/** Estimated before a plan is started: usually so much. Micro-dollars. */
export interface PlanPrice {
  /** Steps of the plan. */
  steps: number;
  /** In a conversation that holds nothing but the task and the plan. */
  freshMicroUsd: number;
  /** Where it was planned, with everything that was looked at sent again each time. */
  hereMicroUsd: number;
  /** Where a run in a conversation of its own stops. */
  capMicroUsd: number;
}

/** Requests for a step of a plan: look, change, check. */
const requestsPerStep = 3;
/** Tokens: what each request carries before anybody has said anything, and what each of them adds to those after it. */
const [fixedTokens, addedTokens] = [1500, 750];
const capFactor = 4;
const cent = 10_000;

/** `tokens`: of the task with the plan, and of what the conversation sends now. */
export function planPrice(plan: string, tokens: { task: number; history: number }): PlanPrice {
  return runPrice(stepsIn(plan), tokens);
}

/** Prices a run of so many steps, planned or not. */
export function runPrice(steps: number, tokens: { task: number; history: number }): PlanPrice {
  const requests = steps * requestsPerStep;
  const grown = (addedTokens * requests * (requests - 1)) / 2;
  const usual = (begins: number) => costMicroUsd(Math.round((fixedTokens + begins) * requests + grown));
  const freshMicroUsd = usual(tokens.task);
  return {
    steps,
    freshMicroUsd,
    hereMicroUsd: usual(tokens.history),
    capMicroUsd: Math.ceil((freshMicroUsd * capFactor) / cent) * cent,
  };
}

/** Numbered lines that are not indented; where there are none, list items, then headings below the first. */
export function stepsIn(plan: string): number {
  const count = (line: RegExp) => plan.match(line)?.length ?? 0;
  return count(/^\d{1,3}[.)] /gm) || count(/^[-*+] /gm) || Math.max(1, count(/^#{1,6} /gm) - 1);
}

/** The first message of a run: the task as it was given, and the plan as its user has it. */
export function runMessage(task: string, plan: string): string {
  return `${task.trim()}\n\nThe user has agreed to this plan. Carry it out step by step:\n\n${plan.trim()}`;
}

/** As the next message of the conversation that planned; the plan is told only where the model does not know it as it is. */
export function goOnMessage(plan: string, seen: string): string {
  return plan === seen ? 'Carry out the plan.' : `Carry out the plan. I have changed it; it is now:\n\n${plan.trim()}`;
}
