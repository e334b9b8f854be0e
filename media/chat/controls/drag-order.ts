import { useState } from 'preact/hooks';

/** With a private type, a dragged row cannot be dropped into the message, and nothing else into the list. */
const type = 'application/x-svc-queued';

export interface DragOrder {
  classOf(index: number): string | undefined;
  handlers(index: number): {
    draggable: true;
    onDragStart: (event: DragEvent) => void;
    onDragOver: (event: DragEvent) => void;
    onDragLeave: (event: DragEvent) => void;
    onDrop: (event: DragEvent) => void;
    onDragEnd: () => void;
  };
}

/** Calls `onMove` with the row at `from` and the distance to move it, negative for up and never 0. */
export function useDragOrder(onMove: (from: number, by: number) => void): DragOrder {
  const [from, setFrom] = useState<number | undefined>(undefined);
  const [target, setTarget] = useState<{ index: number; after: boolean } | undefined>(undefined);
  const end = () => {
    setFrom(undefined);
    setTarget(undefined);
  };
  const placesTo = ({ index, after }: { index: number; after: boolean }): number => {
    if (from === undefined) return 0;
    const gap = after ? index + 1 : index;
    return (gap > from ? gap - 1 : gap) - from;
  };
  return {
    classOf(index) {
      if (index === from) return 'dragged';
      if (index !== target?.index || placesTo(target) === 0) return undefined;
      return target.after ? 'drop-after' : 'drop-before';
    },
    handlers: (index) => ({
      draggable: true,
      onDragStart(event) {
        event.dataTransfer?.setData(type, String(index));
        if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move';
        setFrom(index);
      },
      onDragOver(event) {
        if (from === undefined) return;
        event.preventDefault();
        setTarget({ index, after: isLowerHalf(event) });
      },
      onDragLeave(event) {
        const { currentTarget, relatedTarget } = event;
        if (currentTarget instanceof Node && relatedTarget instanceof Node && currentTarget.contains(relatedTarget))
          return;
        setTarget((last) => (last?.index === index ? undefined : last));
      },
      onDrop(event) {
        if (from === undefined) return;
        event.preventDefault();
        const by = placesTo({ index, after: isLowerHalf(event) });
        if (by !== 0) onMove(from, by);
        end();
      },
      onDragEnd: end,
    }),
  };
}

function isLowerHalf(event: DragEvent): boolean {
  const box = event.currentTarget instanceof HTMLElement ? event.currentTarget.getBoundingClientRect() : undefined;
  return box !== undefined && event.clientY > box.top + box.height / 2;
}
