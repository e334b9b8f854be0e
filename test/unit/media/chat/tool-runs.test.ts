import assert from 'node:assert/strict';
import { findReadRuns } from '../../../../media/chat/cards/tool-runs.ts';
import type { Part, ToolPart } from '../../../../src/shared/chat/chat-state.ts';
import { toolFaces } from '../../../../src/tools/index.ts';

const tool = (name: string, path: string, change: Partial<ToolPart> = {}): Part => ({
  type: 'tool',
  step: 0,
  id: path,
  name,
  title: name,
  arguments: JSON.stringify({ path }),
  state: 'done',
  ...change,
});
const faces = toolFaces();
const faceOf = (name: string) => faces[name] ?? assert.fail(name);
const text: Part = { type: 'text', step: 0, text: 'Hm.' };

describe('findReadRuns', () => {
  it('F14 finds reads and searches that follow each other, and counts a file once', () => {
    const parts = [
      text,
      tool('read_file', 'a'),
      tool('read_file', 'b'),
      tool('read_file', 'a'),
      tool('search_text', 'x'),
      text,
    ];
    assert.deepEqual(findReadRuns(parts, faceOf), [{ start: 1, count: 4, files: 2, searches: 1 }]);
  });

  it('F14 leaves one or two as they are', () => {
    assert.deepEqual(findReadRuns([tool('read_file', 'a'), tool('read_file', 'b'), text], faceOf), []);
  });

  it('F14 ends a run at whatever failed, runs, was asked about or changes something', () => {
    const reads = ['a', 'b', 'c'].map((path) => tool('read_file', path));
    const breakers: Part[] = [
      tool('read_file', 'x', { state: 'failed' }),
      tool('read_file', 'x', { state: 'running' }),
      tool('edit_file', 'x'),
      tool('read_file', 'x', {
        approval: {
          request: {
            callId: 'x',
            tool: 'read_file',
            title: '',
            subject: { kind: 'read', path: 'x', reason: 'outside' },
            warnings: [],
            scopes: [],
          },
        },
      }),
      text,
    ];
    for (const breaker of breakers) {
      const starts = findReadRuns([...reads, breaker, ...reads], faceOf).map(({ start, count }) => [start, count]);
      assert.deepEqual(starts, [
        [0, 3],
        [4, 3],
      ]);
    }
  });
});
