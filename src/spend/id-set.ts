/**
 * Remembers ids as 64-bit fingerprints in one flat table: a million ids take 16 MiB and no strings. In a whole set of
 * a million, two different ids share a fingerprint with a probability of 3 in 10⁸.
 */
export interface IdSet {
  has(id: string): boolean;
  add(id: string): boolean;
  /** Returns the table in its stored form; it is valid until the next `add`. */
  bytes(): Uint8Array;
  size(): number;
}

const smallest = 1024;

export function createIdSet(): IdSet {
  return idSet(new Uint32Array(smallest * 2), 0);
}

export function restoreIdSet(stored: Uint8Array, size: number): IdSet | undefined {
  const slots = stored.byteLength / 8;
  const isTable = slots >= smallest && Number.isInteger(Math.log2(slots)) && size <= slots / 2;
  if (!isTable) return undefined;
  return idSet(new Uint32Array(new Uint8Array(stored).buffer), size);
}

function idSet(stored: Uint32Array<ArrayBuffer>, storedSize: number): IdSet {
  let table = stored;
  let size = storedSize;

  function grow(): void {
    const old = table;
    table = new Uint32Array(old.length * 2);
    for (let at = 0; at < old.length; at += 2) {
      const [high = 0, low = 0] = [old[at], old[at + 1]];
      if (high !== 0 || low !== 0) put(table, high, low);
    }
  }

  return {
    has: (id) => {
      const [high, low] = fingerprint(id);
      return table[slotOf(table, high, low) + 1] === low;
    },
    add: (id) => {
      const [high, low] = fingerprint(id);
      if (!put(table, high, low)) return false;
      size += 1;
      if (size * 4 > table.length) grow();
      return true;
    },
    bytes: () => new Uint8Array(table.buffer),
    size: () => size,
  };
}

function put(table: Uint32Array, high: number, low: number): boolean {
  const slot = slotOf(table, high, low);
  if (table[slot + 1] === low) return false;
  table[slot] = high;
  table[slot + 1] = low;
  return true;
}

function slotOf(table: Uint32Array, high: number, low: number): number {
  const mask = table.length - 1;
  let slot = (high * 2) & mask;
  while (table[slot + 1] !== 0 && (table[slot] !== high || table[slot + 1] !== low)) slot = (slot + 2) & mask;
  return slot;
}

/** Computes cyrb53 without its cut to 53 bits. The low word is never 0, because 0 marks an empty slot. */
function fingerprint(id: string): [high: number, low: number] {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let index = 0; index < id.length; index++) {
    const code = id.charCodeAt(index);
    a = Math.imul(a ^ code, 2_654_435_761);
    b = Math.imul(b ^ code, 1_597_334_677);
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
  return [b >>> 0, a >>> 0 || 1];
}
