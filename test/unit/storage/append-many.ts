import { openAppendLog } from '../../../src/storage/append-log.ts';

/** A window of its own: appends numbered records to a file that others append to as well, one by one and in bursts. */
const [file = '', window = '', count = '0'] = process.argv.slice(2);
const log = openAppendLog(file);
let burst: Promise<void>[] = [];
for (let n = 0; n < Number(count); n++) {
  burst.push(log.append({ window, n, text: 'x'.repeat((n * 31) % 200) }));
  if (n % 100 < 20 || burst.length === 80) {
    await Promise.all(burst);
    burst = [];
  }
}
await Promise.all(burst);
await log.close();
