import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/**
 * This process runs alone in the network of a conversation: it opens the ports there, passes them to the extension,
 * which accepts connections, and closes its own copies. It never reads what commands send.
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
