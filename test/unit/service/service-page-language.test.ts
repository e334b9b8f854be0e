import assert from 'node:assert/strict';
import * as l10n from '@vscode/l10n';
import { after, before, describe, it } from 'mocha';
import { systemClock } from '../../../src/base/clock.ts';
import { capabilitiesMarkdown } from '../../../src/service/check/capabilities.ts';
import { checkService } from '../../../src/service/check/check.ts';
import { checkReportText, toMarkdown } from '../../../src/service/check/check-page.ts';
import { modelsMarkdown } from '../../../src/service/check/models-page.ts';
import { createCapacityBoard } from '../../../src/service/step/capacity-board.ts';
import { createLearned } from '../../../src/service/step/learned.ts';
import type { Transport } from '../../../src/service/wire/transport.ts';
import { pseudoBundle } from '../../l10n/pseudo.ts';

/** Of HTTP and of the service, the same in every language. */
const names = /^(?:GET|POST|OPTIONS|JSON|HTML|invalid_auth|B|T|br)$/;
/** What a page says in plain letters: the pseudo-locale has none, so this was not translated. */
const untranslated = (page: string): string[] =>
  page
    .replace(/`[^`]*`|&#\d+;|\b(?:svc|https?:|[\w-]*\/)[\w./:{}-]*|\/[\w./-]+/g, ' ')
    .match(/[A-Za-z][A-Za-z_]*/g)
    ?.filter((word) => !names.test(word)) ?? [];

describe('the page about the service in another language', () => {
  before(() => l10n.config({ contents: pseudoBundle() }));
  after(() => l10n.config({ contents: {} }));

  const check = (transport: Transport, baseUrl = 'https://svc.invalid/v1') =>
    checkService(
      { baseUrl: () => baseUrl, key: async () => 'sk-svc-0', transport, clock: systemClock, redact: (text) => text },
      new AbortController().signal,
    );
  const list = JSON.stringify({ data: [{ id: 'svc/a' }] });
  /** What answers, for each status to each request; 0 is none. */
  const answers = [0, 200, 301, 400, 401, 402, 404, 405, 407, 422, 500, 522].flatMap((status) =>
    ['', '{}', list, '<title>1</title>', '{"error":{"type":"invalid_auth"}}'].map((body) => ({ status, body })),
  );

  it('ux 1.10 says every finding of the check in it, and all around them', async () => {
    const failures = ['ENOTFOUND', 'ECONNREFUSED', 'SELF_SIGNED_CERT_IN_CHAIN', 'ETIMEDOUT', 'EPIPE', 'ERR_PROXY_AUTH'];
    for (const { status, body } of answers) {
      // The list is right or this answer too: what follows it is asked only of the service.
      for (const listed of [true, false]) {
        const transport: Transport = async (url) => {
          if (status === 0) throw new TypeError('0', { cause: Object.assign(new Error('0'), { code: failures[0] }) });
          if (listed && url.endsWith('/v1/models')) return new Response(list);
          return new Response(body, { status });
        };
        assert.deepEqual(untranslated(toMarkdown(await check(transport))), [], `${status} ${body}`);
      }
    }
    for (const code of failures) {
      const transport: Transport = async () => {
        throw new TypeError('0', { cause: Object.assign(new Error('0'), { code }) });
      };
      assert.deepEqual(untranslated(toMarkdown(await check(transport))), [], code);
    }
    const none: Transport = async () => new Response('');
    for (const baseUrl of ['', 'https://svc.invalid']) {
      assert.deepEqual(untranslated(toMarkdown(await check(none, baseUrl))), [], baseUrl);
    }
  });

  it('ux 1.10 writes the report for support in English, whichever language it is', async () => {
    const report = await check(async () => new Response(list));
    const text = checkReportText(report, { extensionVersion: '0', vscodeVersion: '0', platform: 'linux' });
    assert.match(text, /^POST \/chat\/completions with the key and an unreadable body: 200, JSON \(expected: ≠ 401; /m);
    assert.doesNotMatch(text, /⟦/);
  });

  it('ux 1.10 says in it what is served and what is known of each model', () => {
    assert.deepEqual(untranslated(capabilitiesMarkdown().replaceAll('top_p', '')), []);
    const learned = createLearned(undefined, () => undefined);
    const fact = { works: false, at: '2026-11-20', evidence: '1' };
    const board = createCapacityBoard(
      undefined,
      () => undefined,
      () => 0,
    );
    const page = () =>
      modelsMarkdown({
        onProject: () => undefined,
        models: [{ id: 'svc/a', name: '1' }],
        learned,
        board,
        order: ['svc/a'],
        orderIsSet: false,
        formatTime: () => '1',
      });
    assert.deepEqual(untranslated(page()), []);
    learned.learn('svc/a', {
      streaming: fact,
      streamOptions: fact,
      tools: { ...fact, works: true },
      images: fact,
      plainHistory: fact,
      contextTokens: 8192,
      reasoningEcho: 'refused',
    });
    assert.deepEqual(untranslated(page()), []);
  });
});
