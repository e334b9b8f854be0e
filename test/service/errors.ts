// Error answers that the interface leaves open, in the shape of its one known error object.
import { servedModels } from './models.ts';

export interface ErrorAnswer {
  status: number;
  body: object;
  headers?: Record<string, string>;
}

/** `{ error: { code, message, type } }`, `code` being the HTTP status. */
export function errorAnswer(
  status: number,
  type: string,
  message: string,
  headers?: Record<string, string>,
): ErrorAnswer {
  return { status, body: { error: { code: status, message, type } }, headers };
}

export function badRequest(message: string): ErrorAnswer {
  return errorAnswer(400, 'invalid_request_error', message);
}

export function unknownModel(status: 400 | 404, id: string): ErrorAnswer {
  return errorAnswer(status, 'model_not_found', `The model \`${id}\` does not exist. Copy an id from GET /v1/models.`);
}

export function balanceExhausted(status: 402 | 403 | 429): ErrorAnswer {
  return errorAnswer(status, 'insufficient_balance', 'Your prepaid balance is exhausted. Top up in the dashboard.');
}

export function rateLimited(
  retryAfter?: string,
  message = 'Rate limit reached: too many requests per minute.',
): ErrorAnswer {
  return errorAnswer(
    429,
    'rate_limit_exceeded',
    message,
    retryAfter === undefined ? undefined : { 'retry-after': retryAfter },
  );
}

/** The interface: "the error names it" (the model). */
export function atCapacity(
  modelId: string,
  options: { named?: boolean; status?: number; retryAfter?: string } = {},
): ErrorAnswer {
  const { named = true, status = 503, retryAfter } = options;
  const message = named
    ? `Model ${modelId} is currently unavailable due to capacity. Try again later or use another model.`
    : 'The engine is currently overloaded, please try again later.';
  return errorAnswer(
    status,
    'overloaded',
    message,
    retryAfter === undefined ? undefined : { 'retry-after': retryAfter },
  );
}

/** `detail` is the shape of validation frameworks, which echo what was sent. */
export function malformedBody(
  status: 400 | 422,
  problem: string,
  format: 'error' | 'detail' = 'error',
  input?: unknown,
): ErrorAnswer {
  if (format === 'error')
    return errorAnswer(status, 'invalid_request_error', `The request body is not valid. ${problem}`);
  return { status, body: { detail: [{ type: 'value_error', loc: ['body'], msg: problem, input }] } };
}

export function noImages(modelId: string): ErrorAnswer {
  const others = servedModels.filter((model) => model.acceptsImages).map((model) => model.id);
  return badRequest(`Model ${modelId} does not support image input. Models that do: ${others.join(', ')}.`);
}
