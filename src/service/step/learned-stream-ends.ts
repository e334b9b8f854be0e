import { isoTime } from '../../base/iso-time.ts';
import { type StreamEndKind, streamEndKinds } from '../wire/stream-end.ts';
import type { Learned } from './learned.ts';

/**
 * Returns how streams of this model end when all is well. The service does not publish it, so it is learned, from this
 * model or, while all models end alike, from any. Streams that just close are believed to be whole only
 * while no model has ended one in another way.
 */
export function knownStreamEnd(learned: Learned, model: string): StreamEndKind | undefined {
  const own = learned.get(model).streamEnd?.how;
  if (own !== undefined && own !== 'close') return own;
  const all = new Set([...learned.all().values()].flatMap(({ streamEnd }) => streamEnd?.how ?? []));
  return all.size === 1 ? [...all][0] : undefined;
}

const evidence: Readonly<Record<StreamEndKind, string>> = {
  close: 'a reply ended without a word',
  usage: 'a reply ended with its token count',
  marker: 'a reply ended with an end marker',
  finish: 'a reply named the reason of its end',
};

/** Learns only stronger signs than the one that is known, because a weaker one may be a failure. */
export function learnStreamEnd(learned: Learned, model: string, how: StreamEndKind | undefined, epochMs: number): void {
  if (how === undefined) return;
  const known = learned.get(model).streamEnd?.how;
  if (known !== undefined && streamEndKinds.indexOf(known) >= streamEndKinds.indexOf(how)) return;
  learned.learn(model, { streamEnd: { how, at: isoTime(epochMs), evidence: evidence[how] } });
}
