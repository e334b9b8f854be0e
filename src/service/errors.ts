import type { Failure } from '../shared/failure.ts';

/** Carries a `Failure` through a rejection. Thrown only inside this folder: the client's methods never reject with it. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}
