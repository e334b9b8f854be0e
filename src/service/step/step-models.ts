import type { Failure } from '../../shared/failure/failure.ts';
import { asksAboutImages } from '../wire/images.ts';
import { nextModel } from './fallback.ts';
import { emitAsking, emitNotice, type Step, type StepState } from './step-state.ts';

export function avoidTrippedModel(step: Step, state: StepState): void {
  const failure = step.deps.breaker.tripped(step.request.model);
  if (failure !== undefined) switchModel(step, state, failure);
}

export function emitImages(step: Step, { model }: StepState): void {
  const { messages } = step.request;
  if (step.deps.learned.get(model).images?.works !== false || messages.at(-1)?.role !== 'user') return;
  if (asksAboutImages(messages)) emitNotice(step, { kind: 'degraded', model, feature: 'images' });
}

export function switchModel(step: Step, state: StepState, failure: Failure, to = findModel(step, state)): boolean {
  if (failure.namedModel !== undefined) state.tried.add(failure.namedModel);
  if (to === undefined) return false;
  const from = state.model;
  state.tried.add(to);
  state.model = to;
  state.capacityFailures = 0;
  step.deps.log(`${from} failed (${failure.kind}): ${to} is asked instead`);
  emitAsking(step, state, { kind: 'fallback', from, to, failure, continued: state.shown !== undefined });
  return true;
}

export function findModel(
  { deps, request: asked }: Step,
  { tried }: StepState,
  { request = asked, rules = deps.fallback() } = {},
): string | undefined {
  const { learned, breaker, promptTokens } = deps;
  return nextModel({ rules, modelIds: deps.modelIds(), tried, request, learned, breaker, promptTokens });
}
