import { createEmitter } from '../base/emitter.ts';

export function createTakeOver(takeOver: () => Promise<boolean>, refused: () => void) {
  const listeners = createEmitter();
  let underWay = false;
  const set = (value: boolean) => {
    underWay = value;
    listeners.fire();
  };
  return {
    underWay: () => underWay,
    async run(): Promise<void> {
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
