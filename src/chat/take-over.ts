import { createEmitter, type Event } from '../base/emitter.ts';

export interface TakeOver {
  underWay(): boolean;
  run(): Promise<void>;
  onDidChange: Event;
}

export function createTakeOver(takeOver: () => Promise<boolean>, refused: () => void): TakeOver {
  const listeners = createEmitter();
  let underWay = false;
  const set = (value: boolean) => {
    underWay = value;
    listeners.fire();
  };
  return {
    underWay: () => underWay,
    async run() {
      if (underWay) return;
      set(true);
      try {
        if (!(await takeOver())) refused();
      } finally {
        set(false);
      }
    },
    onDidChange: listeners.event,
  };
}
