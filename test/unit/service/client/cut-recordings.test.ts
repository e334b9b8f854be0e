import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { describe, it } from 'mocha';
import { someOf } from '../../../support/effort.ts';
import { bodyOf, readRecordings } from '../../../support/provider-streams.ts';
import { type Answer, createHarness, delta, events, reply } from './harness.ts';

const stream =
  (body: string): Answer =>
  () =>
    new Response(body, { headers: { 'content-type': 'text/event-stream' } });
const alone = { fallback: () => ({ enabled: false, order: [] }) };
const elsewhere = events(delta(' and then it goes'));
const unmarked = events(delta('All of it is here.'));

/** A service that names no reason, counts nothing and writes no marker, but says the same. */
function withoutMarks(event: string): string[] {
  const data = event.replace(/^data: ?/, '');
  if (!event.startsWith('data:') || data === '[DONE]') return [];
  try {
    const chunk = JSON.parse(data) as { choices?: { finish_reason?: unknown }[]; usage?: unknown };
    delete chunk.usage;
    for (const choice of chunk.choices ?? []) delete choice.finish_reason;
    return (chunk.choices ?? []).length === 0 ? [] : [`data: ${JSON.stringify(chunk)}`];
  } catch {
    return [event];
  }
}

/** Ends as a sentence does, so nothing but a mark tells that more would come. */
const endsSentence = (text: string) =>
  /[.!?。！？:]["'”’)\]*`]*\s*$|```\s*$|[}\])]\s*$|\|\s*$|\p{Extended_Pictographic}\uFE0F?\s*$/u.test(text);

const recordings = readRecordings().filter(
  ({ meant }) => meant.error === undefined && (meant.text.trim() !== '' || meant.calls.length > 0),
);

const endsCall = (calls: readonly { arguments: string }[]) =>
  calls.length > 0 && calls.every(({ arguments: written }) => written.trim().endsWith('}'));

describe('client: recorded replies, cut between any two events', () => {
  const variants = [true, false].flatMap((marks) =>
    [true, false].flatMap((fallback) => [true, false].map((taught) => ({ marks, fallback, taught }))),
  );
  for (const { marks, fallback, taught } of variants) {
    const how = `${marks ? 'with' : 'without'} marks of an end, ${fallback ? 'with' : 'without'} fallback, ${taught ? 'taught' : 'fresh'}`;
    it(`W24 W91 ${how}, ${recordings.length} replies: never complete but where the whole text came`, async () => {
      let [cuts, complete] = [0, 0];
      for (const recording of someOf(recordings, 10)) {
        const all = bodyOf(recording)
          .replaceAll('\r\n', '\n')
          .split('\n\n')
          .filter((event) => event.trim() !== '');
        const sent = marks ? all : all.flatMap(withoutMarks);
        const { text: whole, calls } = recording.meant;
        for (let at = 1; at < sent.length; at++) {
          const part = stream(`${sent.slice(0, at).join('\n\n')}\n\n`);
          const lessons = taught ? [marks ? reply('Hi.') : unmarked, marks ? reply('Hi.') : unmarked] : [];
          // Where another model goes on, its reply is cut, too, and elsewhere.
          const harness = createHarness([...lessons, part, elsewhere], fallback ? {} : alone);
          for (const _ of lessons) await harness.send();
          const result = await harness.send();
          const text = result.reply.text.trim();
          if (fallback && text.endsWith('it goes')) assert.notEqual(result.outcome, 'done', recording.file);
          if (text === whole.trim() && isDeepStrictEqual(result.reply.toolCalls, calls)) continue;
          cuts += 1;
          if (result.outcome !== 'done') continue;
          complete += 1;
          assert.ok(
            !marks && taught && (endsSentence(text) || endsCall(result.reply.toolCalls)),
            `${recording.file} at ${at}: ${text.slice(-60)}`,
          );
        }
      }
      assert.ok(cuts > 0);
      if (process.env.SVC_TEST_TELL) console.log(`${how}: ${complete} of ${cuts}`);
    });
  }
});
