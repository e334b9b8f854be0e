import { openAppendLog } from '../../../src/storage/append-log.ts';
import { readLog } from '../../../src/storage/read-log.ts';

/** A process of its own: appends numbered records, tells its parent of each that is in the file, until it is killed. */
const [file = ''] = process.argv.slice(2);
const log = openAppendLog(file);
let n = (await readLog(file)).records.length;
for (;;) {
  await log.append({ n, text: 'x'.repeat((n * 7919) % 50_000) });
  process.send?.(n);
  n += 1;
}
