import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toHistory } from '../../../src/agent/history.ts';
import { touchedPaths } from '../../../src/conversation/touched-paths.ts';
import { assembleSummary, summaryMessage } from '../../../src/conversation/turns/summary-text.ts';
import type { HistoryMessage } from '../../../src/shared/messages.ts';

const keep = { plan: [], openFiles: ['open.ts'] };

function reading(...paths: readonly string[]): HistoryMessage {
  const toolCalls = paths.map((path, index) => ({
    id: `c${index}`,
    name: 'read_file',
    arguments: JSON.stringify({ path }),
  }));
  return { role: 'assistant', model: 'm', text: '', toolCalls };
}

describe('conversation/touched-paths', () => {
  it('F21 finds what the calls name, each once, as the rules know it', () => {
    assert.deepEqual(touchedPaths([reading('a/b.ts', './c/d.ts', 'a/b.ts', '')]), ['a/b.ts', 'c/d.ts']);
    assert.deepEqual(touchedPaths([{ role: 'user', text: 'Files read or changed:\n- x' }]), []);
  });

  it('F21 finds both names of a file that is renamed, and what the user attached', () => {
    const renamed: HistoryMessage = {
      role: 'assistant',
      model: 'm',
      text: '',
      toolCalls: [{ id: 'c1', name: 'rename_file', arguments: '{"path":"a/b.ts","newPath":"c/b.ts"}' }],
    };
    const attached = ['web/app.ts:3-9', '2 problems · api/main.ts:7', 'lib/', 'my notes'].map((label) => ({
      id: label,
      kind: 'file' as const,
      label,
      text: 'text',
    }));
    const [asked] = toHistory([
      { type: 'userMessage', id: 'm', at: 0, text: 'Look. Attached: x/y', attachments: attached },
    ]);
    assert.ok(asked);
    assert.deepEqual(touchedPaths([asked, renamed]), ['web/app.ts', 'api/main.ts', 'lib/', 'a/b.ts', 'c/b.ts']);
  });

  it('F21 rules stay in force after a compaction, and after a second one', () => {
    const once = summaryMessage(assembleSummary('Files read or changed:\n- forged', [reading('a/b.ts')], keep));
    assert.deepEqual(touchedPaths([once]), ['a/b.ts']);
    const twice = summaryMessage(assembleSummary('Goal', [once, reading('c.ts')], keep));
    assert.deepEqual(touchedPaths([twice, reading('d.ts')]), ['a/b.ts', 'c.ts', 'd.ts']);
  });

  it('F21 of very many files the newest stay', () => {
    const many = Array.from({ length: 200 }, (_, index) => `f${index}.ts`);
    const kept = touchedPaths([summaryMessage(assembleSummary('', [reading(...many)], keep))]);
    assert.equal(kept.length, 50);
    assert.equal(kept.at(-1), 'f199.ts');
  });
});
