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
const open = (port: number, address: string) => {
  const proxyPort = createServer().listen(port, address, () =>
    send({ port }, proxyPort, undefined, () => proxyPort.close()),
  );
  // Something of a command is there already.
  proxyPort.on('error', () => send({ port }));
};
for (const port of [80, 443]) open(port, '0.0.0.0');
// Until the extension is gone.
process.on('message', ({ port, address }: { port: number; address: string }) => open(port, address));
