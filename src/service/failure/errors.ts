import type { Failure } from '../../shared/failure/failure.ts';

/**
 * Carries a `Failure` through a rejection inside the client. The client's own methods never reject with it: they
 * resolve to the failure.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}
