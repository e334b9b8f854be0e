import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/**
 * Runs alone in the network of a conversation, as a process of its own: opens the doors there, hands them to the extension, which
 * accepts what comes, and closes its own copies. It never reads what commands send.
 */
const send = process.send?.bind(process);
if (send === undefined) process.exit(1);
process.on('disconnect', () => process.exit());

const names = createSocket('udp4');
names.bind(53, '127.0.0.1', () => send('names', names, undefined, () => names.close()));
for (const port of [80, 443]) {
  const door = createServer().listen(port, '0.0.0.0', () => send({ port }, door, undefined, () => door.close()));
}
// Until the extension is gone.
process.on('message', () => undefined);
