import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { classifyErrorBody, classifyPage, classifyResponse } from '../../../src/service/failure/classify.ts';
import { readErrorValue } from '../../../src/service/failure/classify-body.ts';
import { findNamedModel } from '../../../src/service/failure/named-model.ts';
import { knownModels } from '../../../src/service/models.ts';
import type { Failure } from '../../../src/shared/failure/failure.ts';
import { type FailureKind, failureKinds } from '../../../src/shared/failure/kinds.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const modelIds = knownModels.map((model) => model.id);
const context = {
  model: 'svc/kimi-k3',
  modelIds,
  endpoint: 'POST /chat/completions',
  at: '2026-11-20T10:00:00.000+01:00',
  redact: (text: string) => text.replace(/sk-svc-\S+/g, 'sk-svc-…'),
};

function classify(status: number, body: unknown, headers: Record<string, string> = {}, model = context.model): Failure {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const html = /^\s*</.test(text);
  const contentType = headers['content-type'] ?? (html ? 'text/html' : 'application/json');
  return classifyResponse({ ...context, model, status, contentType, body: text, headers: new Headers(headers) });
}

function inStream(body: unknown): Failure {
  return classifyErrorBody({ ...context, body });
}

const error = (message: string, more: object = {}): object => ({ error: { message, ...more } });

type Row = [id: string, status: number, body: unknown, kind: FailureKind, namedModel?: string];

/** Kinds that a row leads to. */
const recognised = new Set<FailureKind>();

function table(rows: readonly Row[]): void {
  for (const [, , , kind] of rows) recognised.add(kind);
  for (const [id, status, body, kind, namedModel] of rows) {
    it(`${id} ${status} ${JSON.stringify(body).slice(0, 70)} is ${kind}`, () => {
      const failure = classify(status, body);
      assert.equal(failure.kind, kind);
      assert.equal(failure.namedModel, namedModel);
      assert.equal(failure.status, status);
    });
  }
}

describe('classify: status alone', () => {
  const expected = (status: number): FailureKind => {
    if (status < 300) return 'protocol';
    if (status < 400) return 'redirected';
    if (status >= 520 && status <= 527) return 'origin-down';
    const special: Record<number, FailureKind> = {
      401: 'key-rejected',
      402: 'balance',
      403: 'forbidden',
      404: 'wrong-address',
      405: 'wrong-method',
      407: 'proxy-sign-in',
      408: 'timeout',
      413: 'too-large',
      414: 'too-large',
      424: 'server-error',
      429: 'rate-limited',
      431: 'too-large',
      498: 'capacity-service',
      511: 'not-the-service',
      529: 'capacity-service',
      530: 'origin-down',
    };
    return special[status] ?? (status >= 500 ? 'server-error' : 'bad-request');
  };

  it('T01 S7 every status from 201 to 599 with a page has one kind, and the page is never quoted', () => {
    for (let status = 201; status <= 599; status++) {
      const failure = classify(status, '<html><title>Oops</title><body>model svc/kimi-k3 overloaded</body></html>');
      const wanted = status < 300 ? 'not-the-service' : expected(status);
      assert.equal(failure.kind, wanted, `status ${status}`);
      assert.equal(failure.serverMessage, undefined);
      assert.equal(failure.facts?.title, 'Oops');
    }
  });

  it('T01 every status from 201 to 599 with a JSON body of no known words has one kind', () => {
    for (let status = 201; status <= 599; status++) {
      const wanted = status === 404 ? 'bad-request' : expected(status);
      assert.equal(classify(status, error('zzz')).kind, wanted, `status ${status}`);
    }
  });

  it('S6 the 401 of the interface is a rejected key', () => {
    const failure = classify(401, { error: { code: 401, message: 'unauthorized', type: 'invalid_auth' } });
    assert.equal(failure.kind, 'key-rejected');
    assert.equal(failure.serverMessage, 'unauthorized');
  });

  table([
    ['T01', 203, '{}', 'protocol'],
    ['T01', 302, '', 'redirected'],
    ['T01', 405, '', 'wrong-method'],
    ['T01', 407, '', 'proxy-sign-in'],
    ['T01', 408, '', 'timeout'],
    ['T01', 203, '<html><title>Sign in</title>', 'not-the-service'],
    ['C-62', 401, error('Model svc/kimi-k3 is overloaded, at capacity'), 'key-rejected'],
    ['C-63 HTML', 404, '<html><h1>Not Found</h1>', 'wrong-address'],
    ['C-63 JSON', 404, error('The model `svc/kimi-k9` does not exist'), 'unknown-model'],
    ['S1', 404, { detail: 'Not Found' }, 'wrong-address'],
    ['S1', 404, '404 page not found', 'wrong-address'],
    ['S20', 400, 'Disallowed CORS origin', 'browser-refused'],
    ['B-17', 522, '<title>svc | 522: Connection timed out</title>', 'origin-down'],
    ['B-17', 522, error('svc/kimi-k3 overloaded'), 'capacity-model', 'svc/kimi-k3'],
    ['B-17', 522, error('error code: 522'), 'origin-down'],
    ['C forbidden', 403, '<html><title>Access denied | svc used Cloudflare</title>error 1020', 'forbidden'],
    ['C too-large', 413, '413 Request Entity Too Large', 'too-large'],
    ['C too-large', 413, '<html><title>413 Request Entity Too Large</title>', 'too-large'],
    ['rule 5', 503, '{"error": {"message": "svc/kimi-k3 is at capacity', 'server-error'],
    ['rule 6', 429, { error: { message: 'Slow down' }, input: 'insufficient balance' }, 'rate-limited'],
  ]);
});

describe('classify: capacity and overload', () => {
  table([
    [
      'S9',
      503,
      error('Model svc/kimi-k3 is currently unavailable due to capacity.', { type: 'overloaded' }),
      'capacity-model',
      'svc/kimi-k3',
    ],
    [
      'B-01',
      429,
      {
        error: {
          message: 'Provider returned error',
          code: 429,
          metadata: {
            raw: 'deepseek/deepseek-chat-v3-0324:free is temporarily rate-limited upstream',
            provider_name: 'Chutes',
          },
        },
      },
      'capacity-service',
    ],
    [
      'B-01',
      429,
      {
        error: {
          message: 'Provider returned error',
          code: 429,
          metadata: { raw: 'moonshotai/kimi-k3 is overloaded upstream' },
        },
      },
      'capacity-model',
      'svc/kimi-k3',
    ],
    ['B-02', 503, error('The server is overloaded or not ready yet'), 'capacity-service'],
    ['B-04', 429, error('Model busy, retry later'), 'capacity-service'],
    [
      'B-05',
      429,
      error('The engine is currently overloaded, please try again later', { type: 'engine_overloaded_error' }),
      'capacity-service',
    ],
    [
      'B-06',
      429,
      error('The service may be temporarily overloaded, please try again later', { code: '1305' }),
      'capacity-service',
    ],
    ['B-06', 429, error('zzz', { code: 1305 }), 'capacity-service'],
    ['B-07', 503, error('The engine is currently overloaded'), 'capacity-service'],
    ['B-07', 429, error('Concurrency limit reached'), 'rate-limited'],
    ['B-08', 498, error('Flex tier', { code: 'capacity_exceeded' }), 'capacity-service'],
    ['B-10', 429, { error: 'Model is overloaded', error_type: 'overloaded' }, 'capacity-service'],
    [
      'B-12',
      503,
      error('The model is overloaded. Please try again later.', { status: 'UNAVAILABLE' }),
      'capacity-service',
    ],
    ['B-12', 429, error('No capacity available for model kimi-k3'), 'capacity-model', 'svc/kimi-k3'],
    ['B-13', 429, error('Selected model is at capacity. Please try a different model.'), 'capacity-service'],
    ['B-14', 529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'capacity-service'],
    ['B-15', 503, { error: 'Server overloaded, please retry shortly' }, 'capacity-service'],
    ['B-16', 503, error('No providers available for this model'), 'capacity-service'],
    ['B-16', 503, 'no healthy upstream', 'capacity-service'],
    ['B2 named', 503, error('glm-5.3-flash cannot answer now'), 'capacity-model', 'svc/glm-5.3-flash'],
    ['B2 named', 500, error('Kimi K3 Fast: queue full'), 'capacity-model', 'svc/kimi-k3-fast'],
    ['B2 named', 502, error('svc/qwen-3.8-27b is not available'), 'capacity-model', 'svc/qwen-3.8-27b'],
    ['B2 named', 504, error('deepseek-v4-pro is experiencing high demand'), 'capacity-model', 'svc/deepseek-v4-pro'],
    ['B2 named', 429, error('kimi-k3 has no free slots'), 'capacity-model', 'svc/kimi-k3'],
    ['B2 rate', 429, error('Rate limit reached for kimi-k3: 10 requests per minute'), 'rate-limited'],
    ['B2 rate', 503, error('rate limit for svc/kimi-k3, service unavailable'), 'rate-limited'],
    ['B2 minus', 503, error('kimi-k3 is down for maintenance'), 'server-error'],
    ['B2 minus', 503, error('Unable to load model kimi-k3'), 'server-error'],
    ['B2 minus', 500, error('Internal error while kimi-k3 was unavailable'), 'server-error'],
    ['B2 wide only', 500, error('The backend is unavailable'), 'server-error'],
    ['B2 bare 503', 503, error('Service Unavailable'), 'server-error'],
    ['B2 bare 503', 503, '<html><title>503 Service Temporarily Unavailable</title>', 'server-error'],
    ['B2 500 named', 500, error('kimi-k3 failed'), 'server-error'],
    ['rule 6 echo', 400, error("[{'msg': 'Bad body', 'input': 'insufficient balance'}]"), 'bad-request'],
    ['openclaw#98101', 429, error('overloaded'), 'capacity-service'],
    [
      'rule 6 echo',
      400,
      error("[{'type': 'x', 'msg': 'Bad body', 'input': 'the engine is overloaded 429'}]"),
      'bad-request',
    ],
  ]);

  it('B2 kimi-k3-fast is not kimi-k3, with or without prefix, in any case, at the end of a sentence', () => {
    assert.equal(findNamedModel('svc/kimi-k3-fast is busy', modelIds).id, 'svc/kimi-k3-fast');
    assert.equal(findNamedModel('kimi-k3-fast-2 is busy', modelIds).id, undefined);
    assert.equal(findNamedModel('busy: KIMI-K3.', modelIds).id, 'svc/kimi-k3');
    assert.equal(findNamedModel('glm-5.3.1 is busy', modelIds).id, undefined);
    assert.equal(findNamedModel('The model GLM-5.3 Flash is busy', modelIds).id, 'svc/glm-5.3-flash');
    assert.equal(findNamedModel('mykimi-k3 is busy', modelIds).id, undefined);
  });

  it('B2 of several names the one that was asked for counts, else the first', () => {
    const text = 'glm-5.3 is free, kimi-k3 is at capacity';
    assert.equal(findNamedModel(text, modelIds, 'svc/kimi-k3').id, 'svc/kimi-k3');
    assert.equal(findNamedModel(text, modelIds, 'svc/deepseek-v4-pro').id, 'svc/glm-5.3');
  });
});

describe('classify: balance', () => {
  table([
    ['C-01', 402, error('Insufficient Balance'), 'balance'],
    [
      'C-02',
      402,
      error(
        'This request requires more credits, or fewer max_tokens. You requested up to 4096 tokens, but can only afford 12',
      ),
      'balance',
    ],
    ['C-03', 402, { error: 'You have exceeded your monthly included credits for Inference Providers.' }, 'balance'],
    ['C-04', 403, error('Your team has used all available credits or reached its monthly spending limit.'), 'balance'],
    ['C-05', 429, error('Your team has used all available credits or reached its monthly spending limit.'), 'balance'],
    [
      'C-06',
      429,
      error('You exceeded your current quota, please check your plan and billing details.', {
        type: 'insufficient_quota',
      }),
      'balance',
    ],
    [
      'C-07',
      429,
      error('Your account is suspended, please check your plan', { type: 'exceeded_current_quota_error' }),
      'balance',
    ],
    ['C-08', 403, { code: 403, reason: 'NOT_ENOUGH_BALANCE', message: 'not enough balance' }, 'balance'],
    ['C-09', 400, error('Your credit balance is too low to access the API.'), 'balance'],
    ['C-10', 400, error('Budget has been exceeded! Current cost: 1.2, Max budget: 1.0'), 'balance'],
    ['C-11', 402, '<html>Payment Required</html>', 'balance'],
    [
      'S26',
      403,
      error('Your prepaid balance is exhausted. Top up in the dashboard.', { type: 'insufficient_balance' }),
      'balance',
    ],
    ['B2', 500, error('Insufficient balance at upstream'), 'server-error'],
    ['B2', 429, error('Insufficient quota: 10 requests per minute'), 'rate-limited'],
  ]);
});

describe('classify: context length', () => {
  const texts: [number, unknown][] = [
    [400, error("This model's maximum context length is 8192 tokens. However, your request has 9000 input tokens.")],
    [400, error("This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens")],
    [400, error('Your request exceeded model token limit: 262144 (requested: 270000)')],
    [400, error('Range of input length should be [1, 30720]')],
    [
      422,
      {
        error:
          'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 200 `max_new_tokens`',
        error_type: 'validation',
      },
    ],
    [403, error('Input is too long: inputs tokens + max_new_tokens must be <= 32769')],
    [413, ''],
    [400, error('the request exceeds the available context size. try increasing the context size')],
    [
      400,
      error(
        "'max_tokens' or 'max_completion_tokens' is too large: 5000. This model's maximum context length is 4096 tokens and your request has 1000 input tokens",
      ),
    ],
    [400, error('context_length_exceeded', { code: 'context_length_exceeded' })],
    [400, error('prompt is too long: 210000 tokens > 200000 maximum')],
    [400, error('The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).')],
    [400, error('Please reduce the length of the messages or completion.')],
    [400, error("This model's maximum prompt length is 131072 but the request contains 140000 tokens.")],
    [400, error('too many tokens: size limit exceeded')],
    [400, error('Prompt contains 70000 tokens, too large for model with 65536 maximum context length')],
    [400, error('The prompt length exceeds the context window of this model')],
    [413, error('Request too long: exceeds maximum context length')],
    [400, error('input length 33000 exceeds the limit of this model')],
    [400, error('invalid params, context window exceeds limit')],
    [400, error('tokens in request more than max tokens allowed: prompt too long')],
    [422, { detail: [{ msg: 'the conversation is too long', type: 'value_error', loc: ['body', 'messages'] }] }],
    [400, error('Model context limit reached')],
    [400, error('The sum of prompt tokens exceeds the model limit of 32768 tokens')],
  ];
  table(texts.map(([status, body], index): Row => [`C-${12 + index}`, status, body, 'context-length']));

  table([
    [
      'C-37',
      413,
      error('Request too large for model on tokens per minute (TPM): Limit 6000, Requested 9000'),
      'rate-limited',
    ],
    ['C-38', 500, error('internal error computing context length'), 'server-error'],
    ['C veto', 413, error('Request exceeds the maximum tokens allowed: 6000 per minute'), 'rate-limited'],
    ['C veto', 429, error('context window tokens per minute'), 'rate-limited'],
  ]);

  it('C context: the limit, the size of the request and a lower max_tokens are read out of the text', () => {
    const facts = (index: number) => classify(...(texts[index] ?? [0, ''])).facts;
    assert.deepEqual(facts(0), { limit: 8192 });
    assert.deepEqual(facts(1), { limit: 131072 });
    assert.deepEqual(facts(2), { limit: 262144 });
    assert.deepEqual(facts(3), { limit: 30720 });
    assert.deepEqual(facts(8), { limit: 4096, maxTokensLimit: 3096 });
  });
});

describe('classify: what a model refuses', () => {
  table([
    ['C-39', 404, error('The model `x` does not exist.', { type: 'NotFoundError' }), 'unknown-model'],
    ['C-40', 400, error('x is not a valid model ID'), 'unknown-model'],
    ['C-41', 400, error('Model Not Exist', { type: 'invalid_request_error' }), 'unknown-model'],
    ['C-42', 404, error('Model not found, inaccessible, and/or not deployed', { code: 'NOT_FOUND' }), 'unknown-model'],
    ['C-43', 400, error('zzz', { code: 'model_not_found' }), 'unknown-model'],
    ['C-44', 404, error('No endpoints found that support image input'), 'images-refused'],
    ['C-45', 400, error('svc/qwen-3.8-27b is not a multimodal model'), 'images-refused'],
    ['C-46', 400, error('At most 0 image(s) may be provided in one prompt.'), 'images-refused'],
    [
      'C-47',
      422,
      error('Failed to deserialize the JSON body: unknown variant `image_url`, expected `text`'),
      'images-refused',
    ],
    ['C-48', 400, error("messages[0].content[1].type: allowed values: ['text']"), 'images-refused'],
    ['C-49', 400, error('Model svc/glm-5.3 does not support image input.'), 'images-refused'],
    ['C-50', 400, error('image_url is not supported by this model'), 'images-refused'],
    ['C-51', 404, error('No endpoints found that support tool use'), 'tools-refused'],
    [
      'C-52',
      400,
      error('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
      'tools-refused',
    ],
    ['C-53', 400, error('registry/model does not support tools'), 'tools-refused'],
    ['C-54', 400, error("tool_choice 'specified' is incompatible with thinking enabled"), 'tools-refused'],
    [
      'C-55',
      422,
      {
        detail: [{ type: 'extra_forbidden', loc: ['body', 'tools'], msg: 'Extra inputs are not permitted', input: [] }],
      },
      'tools-refused',
    ],
    [
      'C-56 H02',
      400,
      error(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
      ),
      'history-refused',
    ],
    ['C-57 H03', 400, error("message at position 3 with role 'assistant' must not be empty"), 'history-refused'],
    [
      'C-58 H05',
      400,
      error('The `reasoning_content` in the thinking mode must be passed back to the API.'),
      'history-refused',
    ],
    [
      'C-59 H05',
      400,
      error('thinking is enabled but reasoning_content is missing in assistant tool call message at index 2'),
      'history-refused',
    ],
    [
      'C-60 H09',
      400,
      error('Failed to parse the request body as JSON: messages[1].content: lone leading surrogate in hex escape'),
      'history-refused',
    ],
    ['C-61 H01', 400, error("Expecting ',' delimiter: line 1 column 20 (char 19)"), 'history-refused'],
    [
      'H05',
      400,
      {
        detail: [
          {
            type: 'extra_forbidden',
            loc: ['body', 'messages', 1, 'reasoning_content'],
            msg: 'reasoning_content: Extra inputs are not permitted',
          },
        ],
      },
      'history-refused',
    ],
    ['H10', 400, error('invalid temperature: only 1 is allowed for this model'), 'parameter-refused'],
    ['C param', 400, error('Unrecognized request argument supplied: seed'), 'parameter-refused'],
    ['C-36', 400, error('max_tokens must be at most 16384', { code: 'max_tokens_exceeded' }), 'parameter-refused'],
    [
      'W67',
      422,
      { detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }] },
      'parameter-refused',
    ],
    ['S22', 400, error('Streaming is not supported for this model'), 'parameter-refused'],
    ['S26', 422, { detail: [{ type: 'missing', loc: ['body', 'zzz'], msg: 'zzz' }] }, 'bad-request'],
    ['content', 400, error('Content Exists Risk'), 'content-filter'],
  ]);

  it('H05 tells a demand for reasoning from a refusal of it', () => {
    assert.deepEqual(classify(400, error('The `reasoning_content` in the thinking mode must be passed back')).facts, {
      reasoning: 'required',
    });
    assert.deepEqual(classify(400, error('unknown field `reasoning_content`')).facts, { reasoning: 'refused' });
    assert.deepEqual(classify(400, error('reasoning_content: Extra inputs are not permitted')).facts, {
      reasoning: 'refused',
    });
  });

  it('S4 H10 W67 S22 names the parameter that was refused', () => {
    const named = (status: number, body: unknown) => classify(status, body).facts?.parameter;
    assert.equal(named(400, error('invalid temperature: only 1 is allowed for this model')), 'temperature');
    assert.equal(named(400, error('Unsupported parameter', { param: 'top_p' })), 'top_p');
    assert.equal(
      named(422, {
        detail: [
          {
            type: 'extra_forbidden',
            loc: ['body', 'stream_options', 'include_usage'],
            msg: 'Extra inputs are not permitted: stream_options',
          },
        ],
      }),
      'stream_options',
    );
    assert.equal(named(400, error('stream_options is not supported with stream')), 'stream_options');
    assert.equal(named(400, error('This model does not support streaming')), 'stream');
  });

  it('S3 a refused id brings the nearest right one along', () => {
    assert.equal(classify(404, error('The model does not exist'), {}, 'kimi-k3').facts?.nearestModel, 'svc/kimi-k3');
    assert.equal(classify(404, error('The model does not exist'), {}, 'svc/kimi-k3').facts?.nearestModel, undefined);
  });
});

describe('classify: errors inside a 200', () => {
  const rows: [string, unknown, FailureKind, string?][] = [
    ['W22', { error: { message: 'Model svc/kimi-k3 is at capacity', code: 503 } }, 'capacity-model', 'svc/kimi-k3'],
    ['W22', { error: { message: 'svc/kimi-k3 is not available right now' } }, 'capacity-model', 'svc/kimi-k3'],
    ['W22', { error: { message: 'Model svc/kimi-k3 is not available right now' } }, 'capacity-model', 'svc/kimi-k3'],
    [
      'W23',
      { error: { message: 'Provider disconnected', code: 502 }, choices: [{ finish_reason: 'error' }] },
      'server-error',
    ],
    ['W23b', { object: 'error', message: 'The engine is overloaded', code: 500 }, 'capacity-service'],
    ['W23c', { error: 'Model is overloaded', error_type: 'overloaded' }, 'capacity-service'],
    ['W23d', 'something broke', 'server-error'],
    ['W28b', { error: { code: 401, message: 'unauthorized', type: 'invalid_auth' } }, 'key-rejected'],
    ['W28b', { error: { code: 402, message: 'Insufficient Balance' } }, 'balance'],
    ['W28b', { error: { code: 429, message: 'Rate limit reached' } }, 'rate-limited'],
    ['W28b', { error: { message: 'Too many requests' } }, 'rate-limited'],
    ['W28b', { error: { code: 404, message: 'nothing here' } }, 'bad-request'],
    ['W28b', { error: { code: 400, message: 'maximum context length is 8192 tokens' } }, 'context-length'],
    ['W28b', { error: { message: 'The model does not exist' } }, 'unknown-model'],
    ['W28b', null, 'protocol'],
    ['W28b', { hello: 'world' }, 'protocol'],
  ];
  for (const [id, body, kind, namedModel] of rows) {
    it(`${id} ${JSON.stringify(body).slice(0, 60)} is ${kind}`, () => {
      const failure = inStream(body);
      assert.equal(failure.kind, kind);
      assert.equal(failure.namedModel, namedModel);
      assert.equal(failure.status, 200);
    });
  }
});

describe('classify: what a failure carries', () => {
  it('X15 S15 the words of the service are redacted, and the endpoint, model and time are kept', () => {
    const failure = classify(400, error('Bad key sk-svc-canary-123456'));
    assert.equal(failure.serverMessage, 'Bad key sk-svc-…');
    assert.equal(failure.endpoint, 'POST /chat/completions');
    assert.equal(failure.model, 'svc/kimi-k3');
    assert.equal(failure.at, context.at);
    assert.match(failure.message, /^POST \/chat\/completions answered 400: /);
  });

  it('S7 a page inside a JSON string is not quoted either', () => {
    const failure = classify(502, {
      error: { message: 'Bad gateway', metadata: { raw: '<!DOCTYPE html><html>secret</html>' } },
    });
    assert.equal(failure.serverMessage, 'Bad gateway');
  });

  it('C context a wordless 400 is about length only when much was sent', () => {
    const wordless = (sentCharacters: number) =>
      classifyResponse({ ...context, status: 400, contentType: '', body: '', headers: new Headers(), sentCharacters })
        .kind;
    assert.equal(wordless(60_000), 'context-length');
    assert.equal(wordless(6_000), 'bad-request');
  });

  it('W78 a failure carries the wait that Retry-After names', () => {
    assert.equal(classify(429, error('zzz'), { 'retry-after': '7' }).retryAfterMs, 7000);
  });

  it('W77 a redirect names the host it leads to and nothing more of the address', () => {
    const failure = classify(302, '', { location: 'https://login.example.net/path?token=abc' });
    assert.equal(failure.kind, 'redirected');
    assert.deepEqual(failure.facts, { host: 'login.example.net' });
  });

  it('W29 a page with status 200 keeps its host and title only', () => {
    const failure = classifyPage({ ...context, title: 'Hotel Wi-Fi', host: 'svc.example' });
    assert.equal(failure.kind, 'not-the-service');
    assert.deepEqual(failure.facts, { title: 'Hotel Wi-Fi', host: 'svc.example' });
  });

  it('B2 at most 4 KB of a text is kept, and never half a character', () => {
    const said = classify(400, error(`${'a'.repeat(4095)}😀`)).serverMessage;
    assert.ok(said !== undefined && said.length <= 4096 && said.isWellFormed());
  });

  it('X33 hostile texts do not make the patterns slow', async () => {
    const pieces = [
      'a',
      ' ',
      'model ',
      'context ',
      'tokens ',
      'not support ',
      'tool_call_id ',
      'account ',
      '<title',
      '"input" ',
    ];
    const spent = await cpuMs(() => {
      for (const piece of pieces) {
        classify(400, error(piece.repeat(20_000)));
        classify(400, piece.repeat(20_000));
      }
    });
    assert.ok(spent < 10_000, `${spent} ms`);
  });

  it('X32 a hostile error object is read to a bounded depth and length', () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 20_000; level++) deep = [deep];
    assert.equal(classifyErrorBody({ ...context, body: { error: { message: deep } } }).kind, 'protocol');
    const many = Array.from({ length: 20 }, (_, at) => ({
      message: `first ${at}`,
      detail: `second ${at}`,
      msg: `third ${at}`,
    }));
    assert.equal(readErrorValue({ errors: many }).texts.length, 20);
  });

  it('every kind that is made here is a kind that has words', () => {
    for (let status = 300; status <= 599; status++) assert.ok(failureKinds.includes(classify(status, '').kind));
  });

  /** What no response says, and the file that finds it out. */
  const elsewhere: Partial<Record<FailureKind, string>> = {
    'no-address': 'service/client.ts',
    'no-key': 'service/client.ts',
    'unknown-model-id': 'service/client.ts',
    'not-served': 'service/check/capabilities.ts',
    'over-budget': 'spend/metered-client.ts',
    unreachable: 'service/failure/classify-network.ts',
    certificate: 'service/failure/classify-network.ts',
    'cut-off': 'service/step/attempt.ts',
    stalled: 'service/step/attempt.ts',
    repetition: 'service/wire/reply-end.ts',
    'empty-reply': 'service/step/attempt.ts',
    'no-progress': 'agent/loop.ts',
    'malformed-tool-calls': 'agent/loop.ts',
    storage: 'vscode/edits/edit-review.ts',
    internal: 'service/failure/client-failures.ts',
  };

  it('T01 every kind is recognised in a row above, or by a file that is named here', async () => {
    for (const kind of failureKinds.filter((one) => !recognised.has(one))) {
      const file = elsewhere[kind];
      assert.ok(file, `nothing recognises ${kind}: give it a row, or name the file that makes it`);
      const source = await readFile(path.join(import.meta.dirname, '../../../src', file), 'utf8');
      assert.ok(source.includes(`'${kind}'`), `${file} does not make ${kind}`);
    }
  });
});
