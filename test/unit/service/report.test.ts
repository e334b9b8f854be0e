import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isoTime } from '../../../src/base/iso-time.ts';
import { supportReport } from '../../../src/service/check/report.ts';
import { createRedactor } from '../../../src/service/redact.ts';
import type { Failure } from '../../../src/shared/failure/failure.ts';
import type { Attempt } from '../../../src/shared/messages.ts';

const canary = 'sk-svc-canary-0123456789abcdef';
const startedAt = Date.parse('2026-11-20T10:00:00Z');

const failure: Failure = {
  kind: 'capacity-model',
  message: 'POST /chat/completions answered 503: the model is at capacity (svc/kimi-k3)',
  serverMessage: `Model svc/kimi-k3 is at capacity\nkey ${canary} was fine`,
  status: 503,
  model: 'svc/kimi-k3',
  namedModel: 'svc/kimi-k3',
  endpoint: 'POST /chat/completions',
  at: '2026-11-20T11:00:02.500+01:00',
};

const attempt: Attempt = {
  requestId: 'r1',
  model: 'svc/kimi-k3',
  startedAt,
  durationMs: 812,
  status: 503,
  outcome: 'failed',
  failure,
  charge: 'no',
};

const versions = { extensionVersion: '0.1.0', vscodeVersion: '1.139.0', platform: 'linux x64' };
const redact = createRedactor(() => [canary]);

describe('supportReport', () => {
  it('S15 X39 a support report holds exactly what support asks for', () => {
    const answered: Attempt = {
      ...attempt,
      requestId: 'r2',
      status: 200,
      outcome: 'complete',
      failure: undefined,
      firstEventMs: 95,
      charge: 'yes',
    };
    const stopped: Attempt = {
      ...attempt,
      requestId: 'r3',
      status: undefined,
      outcome: 'stopped',
      failure: undefined,
      charge: 'maybe',
    };
    const time = isoTime(startedAt);
    assert.equal(
      supportReport({ failure, attempts: [attempt, answered, stopped], ...versions, now: startedAt, redact }),
      `svc Assistant support report

Time: 2026-11-20T11:00:02.500+01:00
Endpoint: POST /chat/completions
Model: svc/kimi-k3
HTTP status: 503
Error body:
  Model svc/kimi-k3 is at capacity
  key sk-svc-cana… was fine
Failure: capacity-model
Model named by the service: svc/kimi-k3

Attempts:
1. ${time} svc/kimi-k3: status 503, failed (capacity-model), 812 ms, not charged
2. ${time} svc/kimi-k3: status 200, complete, first event after 95 ms, 812 ms, charged
3. ${time} svc/kimi-k3: status none, stopped, 812 ms, possibly charged

Versions: svc Assistant 0.1.0, VS Code 1.139.0, linux x64
`,
    );
  });

  it('S15 X15 a key in any field is cut to its first characters', () => {
    const leaky: Failure = { ...failure, model: canary, endpoint: `POST /${canary}`, facts: { cause: canary } };
    const text = supportReport({
      failure: leaky,
      attempts: [{ ...attempt, model: canary }],
      ...versions,
      platform: canary,
      now: startedAt,
      redact,
    });
    assert.doesNotMatch(text, /canary-/);
    assert.match(text, /sk-svc-cana…/);
  });

  it('S7 of a page only the title is reported, of a network failure its cause', () => {
    const portal: Failure = { ...failure, serverMessage: undefined, facts: { title: 'Hotel Wi-Fi' } };
    assert.match(
      supportReport({ failure: portal, attempts: [], ...versions, now: startedAt, redact }),
      /Error body: a web page titled “Hotel Wi-Fi”/,
    );
    const dead: Failure = {
      kind: 'unreachable',
      message: 'm',
      at: failure.at,
      facts: { cause: 'dns', code: 'ENOTFOUND', listReachable: 'no' },
    };
    const text = supportReport({ failure: dead, attempts: [], ...versions, now: startedAt, redact });
    assert.match(
      text,
      /HTTP status: none\nError body: none\nFailure: unreachable\nCause: dns ENOTFOUND\nModel list reachable: no/,
    );
    assert.match(text, /Attempts: none was sent/);
  });

  it('S15 a support report can be made when nothing failed', () => {
    const text = supportReport({
      attempts: [{ ...attempt, failure: undefined, status: 200, outcome: 'complete' }],
      ...versions,
      now: startedAt,
      redact,
    });
    assert.match(text, new RegExp(`Time: ${isoTime(startedAt).replaceAll('+', '\\+')}`));
    assert.match(text, /Failure: none/);
  });
});

describe('isoTime', () => {
  it('S15 a time in a report carries its zone', () => {
    assert.equal(isoTime(startedAt, 60), '2026-11-20T11:00:00.000+01:00');
    assert.equal(isoTime(startedAt, -210), '2026-11-20T06:30:00.000-03:30');
    assert.equal(isoTime(startedAt, 0), '2026-11-20T10:00:00.000+00:00');
    assert.equal(Date.parse(isoTime(startedAt)), startedAt);
  });
});
