import type { StreamEvent } from '../contract.ts';

type Delta = Extract<StreamEvent, { type: 'text' | 'reasoning' | 'toolForming' }>;

/** Joins neighboring deltas until `flush` and keeps their order, so that a burst becomes one event. */
export interface DeltaJoiner {
  text(text: string): void;
  reasoning(text: string): void;
  forming(key: string, name: string, argumentsDelta: string): void;
  flush(): void;
  /** Returns whether anything was emitted. From then on the request must not be repeated. */
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
