import assert from 'node:assert/strict';
import { createCodeColors } from '../../../../media/chat/markdown/code-colors.ts';
import type { CodeLines } from '../../../../media/chat/markdown/code-lines.ts';
import type { PanelMessage } from '../../../../src/shared/panel/protocol.ts';

/** Code whose last line is being written until it is closed, with a host that answers at once. */
function writeCode(textOf = (line: number) => `line ${line}`, isVisible = true, isDeaf = () => false) {
  const asked: Extract<PanelMessage, { type: 'colorCode' }>[] = [];
  const timers: { at: number; run(): void }[] = [];
  let now = 1000;
  let count = 0;
  let closed = false;
  let reads = 0;
  const lines: CodeLines = {
    update: () => 0,
    count: () => count,
    text(from, to) {
      reads++;
      assert.ok(reads < 1000, 'the lines are read without end');
      return Array.from({ length: to - from }, (_, index) => textOf(from + index)).join('\n');
    },
    color: () => undefined,
    clear: () => undefined,
  };
  const colors = createCodeColors({
    post: (message) => void (message.type === 'colorCode' && asked.push(message)),
    theme: () => '',
    usePalette: () => undefined,
    newId: () => `id-${now}`,
    now: () => now,
    after: (ms, run) => void timers.push({ at: now + ms, run }),
  });
  const code = colors.track('ts', lines, () => count - (closed ? 0 : 1));
  if (isVisible) code.setVisible(true);
  let answered = 0;
  const answer = () => {
    if (isDeaf()) return;
    for (; answered < asked.length; answered++) {
      const { block, from, text } = asked[answered] ?? { block: '', from: 0, text: '' };
      const colored = { from, lines: text.split('\n').map(() => []), colors: [] };
      colors.receive({ type: 'codeColors', block, colored });
    }
  };
  return {
    show: () => {
      code.setVisible(true);
      answer();
    },
    /** The host knows nothing of what was asked before. */
    startAnew: () => {
      colors.receive({ type: 'snapshot' } as Parameters<typeof colors.receive>[0]);
      answer();
    },
    asked: () => asked.map(({ from, text }) => [from, text.split('\n').length]),
    longest: () => Math.max(...asked.map(({ text }) => text.length)),
    grow(by: number) {
      count += by;
      code.changed(count - by - 1);
      answer();
    },
    close() {
      closed = true;
      code.changed(count);
      answer();
    },
    pass(ms: number) {
      now += ms;
      for (const timer of timers.splice(0)) {
        if (timer.at <= now) timer.run();
        else timers.push(timer);
      }
      answer();
    },
  };
}

describe('colours of code that is being written', () => {
  it('P6 are asked for at once, then for all lines of a tenth of a second together, and at once for the rest', () => {
    const code = writeCode();
    code.grow(2);
    assert.deepEqual(code.asked(), [[0, 1]]);
    for (let frame = 0; frame < 12; frame++) {
      code.pass(16);
      code.grow(1);
    }
    assert.deepEqual(code.asked(), [
      [0, 1],
      [1, 6],
    ]);
    code.grow(1);
    code.close();
    assert.deepEqual(code.asked().at(-1), [7, 8]);
  });

  it('P6 are asked for once the code is seen', () => {
    const code = writeCode(undefined, false);
    code.grow(3);
    code.close();
    assert.deepEqual(code.asked(), []);
    code.show();
    assert.deepEqual(code.asked(), [[0, 3]]);
  });

  it('P6 are asked for anew where a host answers that has not heard of the code', () => {
    let isDeaf = true;
    const code = writeCode(undefined, true, () => isDeaf);
    code.grow(3);
    code.close();
    isDeaf = false;
    code.startAnew();
    assert.deepEqual(code.asked().at(-1), [0, 3]);
    assert.ok(code.asked().length > 1);
  });

  it('P6 are asked for also when nothing follows for a while', () => {
    const code = writeCode();
    code.grow(2);
    code.grow(1);
    assert.equal(code.asked().length, 1);
    code.pass(100);
    assert.deepEqual(code.asked().at(-1), [1, 1]);
  });

  it('P6 X49 are asked for in pieces of a bounded size, each line once, and of a line that is longer its beginning', () => {
    const code = writeCode((line) => 'x'.repeat(line === 2 ? 50_000 : 9000));
    code.grow(5);
    code.close();
    assert.equal(code.longest(), 20_000);
    assert.deepEqual(code.asked(), [
      [0, 2],
      [2, 1],
      [3, 2],
    ]);
  });

  it('P6 are asked for two hundred lines at a time', () => {
    const code = writeCode();
    code.grow(450);
    code.close();
    assert.deepEqual(code.asked(), [
      [0, 200],
      [200, 200],
      [400, 50],
    ]);
  });
});
