import { createLedger } from '../../../src/spend/ledger.ts';
import { ledgerEntry } from './ledger-samples.ts';

/** A window of its own: enters `count` attempts, half of them one by one and half in bursts, and ends. */
const [dir = '', window = '', count = '0', at = '0'] = process.argv.slice(2);
const ledger = createLedger({ dir, clock: { epochMs: () => Number(at) } });
await ledger.refresh();
let burst: Promise<void>[] = [];
for (let n = 0; n < Number(count); n++) {
  burst.push(ledger.record(ledgerEntry({ id: `${window}-${n}`, at: Number(at), totalTokens: n })));
  if (n % 100 < 50 || burst.length === 50) {
    await Promise.all(burst);
    burst = [];
  }
}
await Promise.all(burst);
await ledger.close();
