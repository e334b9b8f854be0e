import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import path from 'node:path';

/** Where this build of VS Code asks for it. */
const keyPath = '/mint-key';

/**
 * VS Code in a browser keeps secrets across reloads only where its host gives it half of the encryption key; the bare
 * server gives none, and every reload would forget the API key. This stands in front of the server, adds that one path and
 * passes everything else through.
 */
export async function startSecretKeeper(options: {
  port: number;
  serverPort: number;
  /** The key's half is kept here, so that secrets outlive a restart. */
  dataDir: string;
}): Promise<{ close(): Promise<void> }> {
  const key = await loadKey(path.join(options.dataDir, 'secret-key'));
  const target = { host: '127.0.0.1', port: options.serverPort };
  const sockets = new Set<Socket>();
  const server = createServer((incoming, outgoing) => {
    if (incoming.method === 'POST' && incoming.url === keyPath) {
      outgoing.end(key);
      return;
    }
    passThrough(target, incoming, outgoing);
  });
  server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    const upstream = connect(target.port, target.host, () => {
      upstream.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${headerLines(incoming)}\r\n\r\n`);
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function passThrough(
  target: { host: string; port: number },
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const { method, url, headers } = incoming;
  const upstream = request({ ...target, method, path: url, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
  });
  upstream.on('error', () => outgoing.destroy());
  outgoing.on('close', () => upstream.destroy());
  incoming.pipe(upstream);
}

function headerLines({ rawHeaders }: IncomingMessage): string {
  const lines: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2)
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  return lines.join('\r\n');
}

async function loadKey(file: string): Promise<Buffer> {
  const stored = await readFile(file).catch(() => undefined);
  if (stored?.length === 32) return stored;
  const key = randomBytes(32);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, key, { mode: 0o600 });
  return key;
}
