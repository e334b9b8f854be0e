import type { StreamEvent } from '../contract.ts';

type Delta = Extract<StreamEvent, { type: 'text' | 'reasoning' | 'toolForming' }>;

/**
 * Joins neighbouring deltas until `flush`, so that a burst that arrived in one piece is told in one piece. Order is
 * kept; how deltas are joined says nothing, only the joined text does.
 */
export interface DeltaJoiner {
  text(text: string): void;
  reasoning(text: string): void;
  forming(key: string, name: string, argumentsDelta: string): void;
  flush(): void;
  /** Whether anything was told yet: from then on a reply may not be asked for again. */
  visible(): boolean;
}

export function createDeltaJoiner(onEvent: (event: StreamEvent) => void): DeltaJoiner {
  let pending: Delta | undefined;
  let visible = false;
  const flush = () => {
    if (pending === undefined) return;
    const event = pending;
    pending = undefined;
    onEvent(event);
  };
  const begin = (delta: Delta) => {
    flush();
    visible = true;
    pending = delta;
  };
  return {
    text: (text) => {
      if (text === '') return;
      if (pending?.type === 'text') pending.text += text;
      else begin({ type: 'text', text });
    },
    reasoning: (text) => {
      if (text === '') return;
      if (pending?.type === 'reasoning') pending.text += text;
      else begin({ type: 'reasoning', text });
    },
    forming: (key, name, argumentsDelta) => {
      if (pending?.type === 'toolForming' && pending.key === key && pending.name === name) {
        pending.argumentsDelta += argumentsDelta;
      } else begin({ type: 'toolForming', key, name, argumentsDelta });
    },
    flush,
    visible: () => visible,
  };
}
