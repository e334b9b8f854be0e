import type { FailureKind } from '../../../src/shared/failure/kinds.ts';

interface Verdict {
  again: string;
  goesOn: boolean;
  isFull: boolean;
  charged: string;
  shownAsCharged: string;
}

const row = (again: string, goesOn: boolean, isFull: boolean, charged: string, shownAsCharged: string): Verdict => ({
  ...{ again, goesOn, isFull, charged, shownAsCharged },
});

/** What follows from each kind, written out by hand; the entries of the kinds are judged by it. */
export const verdicts: Record<FailureKind, Verdict> = {
  'no-address': row('no', false, false, 'no', 'none'),
  'no-key': row('no', false, false, 'no', 'none'),
  'over-budget': row('no', false, false, 'no', 'none'),
  'not-served': row('no', false, false, 'no', 'none'),
  'unknown-model-id': row('no', false, false, 'no', 'none'),
  'key-rejected': row('no', false, false, 'no', 'no'),
  'wrong-address': row('no', false, false, 'no', 'no'),
  'wrong-method': row('no', false, false, 'no', 'no'),
  'browser-refused': row('no', false, false, 'no', 'no'),
  redirected: row('no', false, false, 'no', 'no'),
  'not-the-service': row('no', false, false, 'no', 'no'),
  unreachable: row(
    'absent yes, 200 yes, 400 yes, 403 yes, 408 yes, 424 no, 429 yes, 500 yes, 503 yes, 529 yes',
    true,
    false,
    'no',
    'no',
  ),
  certificate: row('no', false, false, 'no', 'no'),
  'proxy-sign-in': row('no', false, false, 'no', 'no'),
  forbidden: row('no', false, false, 'no', 'no'),
  'origin-down': row(
    'absent yes, 200 yes, 400 yes, 403 yes, 408 yes, 424 no, 429 yes, 500 yes, 503 yes, 529 yes',
    true,
    false,
    'no',
    'no',
  ),
  timeout: row(
    'absent no, 200 yes, 400 yes, 403 yes, 408 yes, 424 yes, 429 yes, 500 yes, 503 yes, 529 yes',
    false,
    false,
    'absent maybe, 200 no, 400 no, 403 no, 408 no, 424 no, 429 no, 500 no, 503 no, 529 no',
    'absent maybe, 200 no, 400 no, 403 no, 408 no, 424 no, 429 no, 500 no, 503 no, 529 no',
  ),
  'capacity-model': row(
    'absent yes, 200 yes, 400 yes, 403 yes, 408 yes, 424 no, 429 yes, 500 yes, 503 yes, 529 yes',
    true,
    true,
    'no',
    'no',
  ),
  'capacity-service': row(
    'absent yes, 200 yes, 400 yes, 403 yes, 408 yes, 424 no, 429 yes, 500 yes, 503 yes, 529 yes',
    true,
    true,
    'no',
    'no',
  ),
  'rate-limited': row(
    'absent yes, 200 yes, 400 yes, 403 yes, 408 yes, 424 no, 429 yes, 500 yes, 503 yes, 529 yes',
    false,
    false,
    'no',
    'no',
  ),
  'server-error': row(
    'absent yes, 200 yes, 400 yes, 403 yes, 408 yes, 424 no, 429 yes, 500 yes, 503 yes, 529 yes',
    true,
    false,
    'no',
    'no',
  ),
  balance: row('no', false, false, 'no', 'no'),
  'context-length': row('no', false, false, 'no', 'no'),
  'unknown-model': row('no', false, false, 'no', 'no'),
  'images-refused': row('no', false, false, 'no', 'no'),
  'tools-refused': row('no', false, false, 'no', 'no'),
  'history-refused': row('no', false, false, 'no', 'no'),
  'parameter-refused': row('no', false, false, 'no', 'no'),
  'bad-request': row('no', false, false, 'no', 'no'),
  'too-large': row('no', false, false, 'no', 'no'),
  'empty-reply': row('no', false, false, 'no', 'no'),
  'cut-off': row('no', true, false, 'maybe', 'maybe'),
  stalled: row('no', true, false, 'maybe', 'maybe'),
  'content-filter': row('no', false, false, 'maybe', 'maybe'),
  repetition: row('no', false, false, 'maybe', 'maybe'),
  'no-progress': row('no', false, false, 'no', 'yes'),
  'malformed-tool-calls': row('no', false, false, 'no', 'yes'),
  protocol: row('no', false, false, 'maybe', 'maybe'),
  storage: row('no', false, false, 'no', 'none'),
  internal: row('no', false, false, 'no', 'none'),
};
