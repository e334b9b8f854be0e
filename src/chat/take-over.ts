import { createEmitter, type Event } from '../base/emitter.ts';

export interface TakeOver {
  underWay(): boolean;
  /** Does nothing while one is under way. */
  run(): Promise<void>;
  onDidChange: Event;
}

/** Goes on here with a conversation that another window runs a turn of. `refused` tells that it did not give way. */
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
