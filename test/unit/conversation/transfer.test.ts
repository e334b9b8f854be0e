import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { exportJson, importJson, withId } from '../../../src/conversation/store/transfer.ts';
import { createSecretMask } from '../../../src/service/redact.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { openStore, turnOf } from './store-samples.ts';

/** Records of any version: ours, later ones, ones with odd names and texts. */
const text = fc.string({
  unit: fc.oneof(fc.string(), fc.constantFrom('\n', '\u2028', '"', '\\', '\ud800', '😀', '__proto__')),
});
const foreign = fc
  .tuple(fc.dictionary(text, fc.jsonValue()), text)
  .map(([fields, type]): object => JSON.parse(JSON.stringify({ ...fields, type: `later-${type}` })));
const conversations = fc
  .tuple(
    fc.uuid(),
    fc.array(
      fc.oneof(
        foreign,
        text.map((title) => ({ type: 'titleChanged', title })),
      ),
    ),
    fc.nat(3),
    text,
  )
  .map(([id, odd, turns, question]): object[] => [
    { type: 'created', conversationId: id, at: 1, later: { field: [1] } },
    ...turnOf(0, question),
    ...odd,
    ...Array.from({ length: turns }, (_, n) => turnOf(n + 1)).flat(),
  ]);

describe('export and import', () => {
  it('E20 what was exported is imported equal, whatever it holds', () => {
    fc.assert(
      fc.property(conversations, (records) => {
        const result = importJson(exportJson(records));
        assert.ok('records' in result);
        assert.deepEqual(result.records, JSON.parse(JSON.stringify(records)));
      }),
    );
  });

  it('E20 a conversation survives export, import and another store', async () => {
    await withTempDir(async (dir) => {
      const [one, two] = [openStore(`${dir}/one`), openStore(`${dir}/two`)];
      await fc.assert(
        fc.asyncProperty(conversations, async (records) => {
          const [id, other] = [randomUUID(), randomUUID()];
          await one.create(id, withId(records as Record<string, unknown>[], id));
          const stored = await one.readRecords(id);
          const result = importJson(exportJson(stored ?? []));
          assert.ok('records' in result && result.id === id);
          await two.create(id, result.records);
          assert.deepEqual(await two.readRecords(id), stored);
          assert.deepEqual(await two.read(id), await one.read(id));
          // The id is taken: the copy has its own and nothing is overwritten.
          await assert.rejects(two.create(id, result.records));
          await two.create(other, withId(result.records, other));
          assert.deepEqual(await two.readRecords(id), stored);
        }),
        { numRuns: 30 },
      );
      assert.ok((await two.list()).length > 0);
    });
  });

  it('X15 E19 what goes through the mask for keys, there or back, holds none and is as good as before', () => {
    const key = 'sk-svc-AbCd1234EfGh5678IjKl';
    const mask = createSecretMask(() => [key]);
    fc.assert(
      fc.property(conversations, fc.nat(), (records, seed) => {
        const [first = {}, ...others] = records;
        const leaking = [
          first,
          { type: 'titleChanged', title: `${key}${seed}`, [key]: [{ deep: `a${key}` }] },
          ...others,
        ];
        const text = exportJson(leaking.map(mask));
        assert.ok(!text.includes(key));
        const result = importJson(exportJson(leaking));
        assert.ok('records' in result);
        assert.deepEqual(importJson(text), { ...result, records: result.records.map(mask) });
      }),
    );
  });

  it('F39 what is imported works in no worktree, whatever folder it names', () => {
    const worktree = { folder: '/home/somebody', repository: '/', roots: [{ name: 'x', path: '' }], files: 0 };
    const records = [
      { type: 'created', conversationId: 'a', at: 1 },
      { type: 'worktreeChanged', worktree },
      ...turnOf(0, 'q'),
    ];
    const result = importJson(exportJson(records));
    assert.ok('records' in result);
    assert.deepEqual(
      result.records.map(({ type }) => type),
      ['created', ...turnOf(0, 'q').map((record) => Reflect.get(record, 'type'))],
    );
  });

  it('E22 says why a file cannot be taken in, and never throws', () => {
    const problemOf = (content: string) => {
      const result = importJson(content);
      return 'problem' in result ? result.problem : 'none';
    };
    const message = JSON.stringify(turnOf(1)[0]);
    const head = '{"format":"svc-assistant.conversation","version":';
    assert.equal(problemOf('# Markdown'), 'not-json');
    assert.equal(problemOf(`${head}1,"events":[`), 'not-json');
    assert.equal(problemOf('[]'), 'not-a-conversation');
    assert.equal(problemOf('{"format":"other","version":1,"events":[]}'), 'not-a-conversation');
    assert.equal(problemOf(`${head}1,"events":[7]}`), 'not-a-conversation');
    assert.equal(problemOf(`${head}2,"events":[${message}]}`), 'later-version');
    assert.equal(problemOf(`${head}1,"events":[]}`), 'empty');
    assert.equal(problemOf(`\ufeff${head}1,"events":[${message}]}`), 'none');
    assert.equal(
      problemOf(`${head}1,"events":[{"type":"userMessage","__proto__":{"polluted":true}},${message}]}`),
      'none',
    );
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (raw, value) => {
        importJson(raw);
        importJson(JSON.stringify(value));
        importJson(`${head}1,"events":${JSON.stringify(value)}}`);
      }),
    );
  });
});
