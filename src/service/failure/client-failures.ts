import { isoTime } from '../../base/iso-time.ts';
import type { Failure } from '../../shared/failure/failure.ts';
import { type ClientDeps, chatEndpoint } from '../client-deps.ts';
import type { FailureContext } from './classify.ts';
import { classifyNetworkError } from './classify-network.ts';
import { describeFailure } from './describe-failure.ts';

export function makeFailure(deps: ClientDeps, kind: Failure['kind'], model?: string, detail?: string): Failure {
  const message = deps.redact(describeFailure(kind, { endpoint: chatEndpoint, model, detail }));
  return { kind, message, model, endpoint: chatEndpoint, at: isoTime(deps.clock.epochMs()) };
}

export function failureContext(deps: ClientDeps, model?: string, endpoint = chatEndpoint): FailureContext {
  return { model, modelIds: deps.modelIds(), endpoint, at: isoTime(deps.clock.epochMs()), redact: deps.redact };
}

export function networkFailure(
  deps: ClientDeps,
  model: string | undefined,
  error: unknown,
  endpoint = chatEndpoint,
): Failure {
  const at = isoTime(deps.clock.epochMs());
  const facts = deps.networkFacts?.();
  const failure = classifyNetworkError(error, { model, endpoint, at, redact: deps.redact, facts });
  if (failure.kind === 'internal') logFault(deps, error);
  if (failure.kind !== 'wrong-address') return failure;
  return { ...failure, facts: { ...failure.facts, address: deps.baseUrl() } };
}

export function logFault(deps: ClientDeps, error: unknown): void {
  deps.log(deps.redact(error instanceof Error ? (error.stack ?? error.message) : String(error)));
}
