import type { ChatEvent } from '../../../src/shared/events.ts';
import { ask, kimi, snapshot } from '../../panel/fixtures.ts';
import { openPanel } from '../../panel/panel-page.ts';
import { createRandom } from '../seeded-random.ts';
import { sentence } from './answers.ts';

/** Steps whose cost is told, each the mean of itself and the four steps on either side. */
export const measuredSteps = [10, 50, 125, 225] as const;
const around = 4;
const turnId = 'turn-1';

/**
 * Milliseconds of CPU on the page's main thread for one step of a turn that goes on and on, by its number: reasoning and a
 * sentence that stream, then a call that is written, runs and ends; an edit at every fifth, a failure at every twentieth.
 */
export async function measureSteps(seed: number): Promise<Record<(typeof measuredSteps)[number], number>> {
  const panel = await openPanel({ fresh: true });
  try {
    const session = await panel.page.context().newCDPSession(panel.page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const taskSeconds = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
    };
    await panel.send(snapshot(ask('Rename the parser everywhere.')));
    const random = createRandom(seed);
    const taken: number[] = [];
    const last = Math.max(...measuredSteps) + around;
    for (let step = 0; step <= last; step++) {
      const frames = framesOf(step, random);
      const before = await taskSeconds();
      await panel.page.evaluate(play, frames);
      taken.push((await taskSeconds()) - before);
    }
    const middle = (step: number) => {
      const near = taken.slice(step - around, step + around + 1);
      return (near.reduce((sum, seconds) => sum + seconds, 0) / near.length) * 1000;
    };
    return { 10: middle(10), 50: middle(50), 125: middle(125), 225: middle(225) };
  } finally {
    await panel.close();
  }
}

/** The events of a step, by the frame in which they arrive. */
function framesOf(step: number, random: () => number): ChatEvent[][] {
  const thought = Array.from({ length: 6 }, () => `${sentence(random, 6)} `);
  const said = Array.from({ length: 6 }, () => `${sentence(random, 4)} `);
  const path = `src/${sentence(random, 2).replaceAll(' ', '-')}-${step}.ts`;
  const isEdit = step % 5 === 4;
  const [name, title] = isEdit ? ['edit_file', `Edit ${path}`] : ['read_file', `Read ${path}`];
  const written = ['{"path":', `"${path}"`, '}'];
  const callId = `c${step}`;
  const output = isEdit
    ? `Edited ${path}: +1 −1, line 3\n@@ -3,1 +3,1 @@\n-${sentence(random, 5)}\n+${sentence(random, 5)}`
    : sentence(random, 80);
  return [
    [{ type: 'requestSent', turnId, step, model: kimi, at: 0 }],
    ...thought.map((text): ChatEvent[] => [{ type: 'reasoningDelta', turnId, step, text }]),
    ...said.map((text): ChatEvent[] => [{ type: 'textDelta', turnId, step, text }]),
    ...written.map((argumentsDelta): ChatEvent[] => [
      { type: 'toolForming', turnId, step, key: 'k0', name, argumentsDelta },
    ]),
    [
      {
        ...{ type: 'stepFinished', turnId, step, requestedModel: kimi, model: kimi, finish: 'stop', complete: true },
        text: said.join(''),
        reasoning: thought.join(''),
        toolCalls: [{ id: callId, name, arguments: written.join('') }],
        attempts: [],
      },
      { type: 'toolStarted', turnId, step, callId, name, title, at: 0 },
    ],
    [
      {
        ...{ type: 'toolFinished', turnId, step, callId, name, title, forModel: output, durationMs: 20 },
        state: step % 20 === 19 ? 'failed' : 'done',
      },
    ],
  ];
}

/** Runs in the page: what arrives in one frame is drawn in it. */
async function play(frames: ChatEvent[][]): Promise<void> {
  for (const events of frames) {
    window.dispatchEvent(new MessageEvent('message', { data: { type: 'events', events } }));
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  }
}
