import { costMicroUsd, wholeCents } from '../../../shared/money.ts';

export interface PlanPrice {
  steps: number;
  /** This price is for a run in a conversation that holds only the task and the plan. */
  freshMicroUsd: number;
  /** This price is for a run where the plan was made, with everything that was read there sent again each time. */
  hereMicroUsd: number;
  capMicroUsd: number;
}

const requestsPerStep = 3;
const [fixedTokens, addedTokens] = [1500, 750];
const capFactor = 4;

export function planPrice(plan: string, tokens: { task: number; history: number }): PlanPrice {
  return runPrice(stepsIn(plan), tokens);
}

export function runPrice(steps: number, tokens: { task: number; history: number }): PlanPrice {
  const requests = steps * requestsPerStep;
  const grown = (addedTokens * requests * (requests - 1)) / 2;
  const usual = (begins: number) => costMicroUsd(Math.round((fixedTokens + begins) * requests + grown));
  const freshMicroUsd = usual(tokens.task);
  return {
    steps,
    freshMicroUsd,
    hereMicroUsd: usual(tokens.history),
    capMicroUsd: wholeCents(freshMicroUsd * capFactor),
  };
}

/** Counts numbered lines that are not indented; where there are none, list items, then headings below the first. */
export function stepsIn(plan: string): number {
  const count = (line: RegExp) => plan.match(line)?.length ?? 0;
  return count(/^\d{1,3}[.)] /gm) || count(/^[-*+] /gm) || Math.max(1, count(/^#{1,6} /gm) - 1);
}

export function runMessage(task: string, plan: string): string {
  return `${task.trim()}\n\nThe user has agreed to this plan. Carry it out step by step:\n\n${plan.trim()}`;
}

/** Includes the plan only where the model does not know its current text. */
export function goOnMessage(plan: string, seen: string): string {
  return plan === seen ? 'Carry out the plan.' : `Carry out the plan. I have changed it; it is now:\n\n${plan.trim()}`;
}
