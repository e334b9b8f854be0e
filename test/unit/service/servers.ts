import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, request, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { HttpResponse } from '../../../src/service/wire/http-response.ts';

export interface RunningServer {
  port: number;
  /** Connections accepted so far. */
  connections(): number;
  sockets(): readonly Socket[];
  close(): Promise<void>;
}

export async function listen(server: Server): Promise<RunningServer> {
  const open = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    // A test that breaks connections breaks them on this side too.
    socket.on('error', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    sockets: () => [...open],
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

export function serve(listener: RequestListener): Promise<RunningServer> {
  return listen(createServer(listener));
}

export function serveSecurely(listener: RequestListener, key: string, cert: string): Promise<RunningServer> {
  return listen(createSecureServer({ key, cert }, listener));
}

/** A port where nobody listens. */
export async function refusedPort(): Promise<number> {
  const server = await serve(() => undefined);
  await server.close();
  return server.port;
}

/** A certificate that no machine trusts, for 127.0.0.1 or a name; undefined where openssl is missing. */
export function makeCertificate(folder: string, host = 'IP:127.0.0.1'): { key: string; cert: string } | undefined {
  const key = join(folder, 'key.pem');
  const cert = join(folder, 'cert.pem');
  const subject = ['-subj', '/CN=test', '-addext', `subjectAltName=${host}`];
  try {
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
        ...subject,
        '-keyout',
        key,
        '-out',
        cert,
      ],
      { stdio: 'ignore' },
    );
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}

export interface Proxy extends RunningServer {
  /** What clients asked it to connect to. */
  targets: string[];
}

/** A forward proxy that tunnels every CONNECT to `port` on this machine, whatever name was asked for. */
export async function serveProxy(port: number): Promise<Proxy> {
  const targets: string[] = [];
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on('connect', (asked, client) => {
    targets.push(asked.url ?? '');
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client);
      client.pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
  });
  return { ...(await listen(server)), targets };
}

/** One request through the proxy's tunnel: what the editor's `fetch` does where a proxy is set. */
export function fetchThrough(proxyPort: number, url: string, body: string): Promise<Response> {
  const { host, pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    const tunnel = request({ port: proxyPort, host: '127.0.0.1', method: 'CONNECT', path: host });
    tunnel.on('error', reject);
    tunnel.on('connect', (_, socket) => {
      const sent = request({ createConnection: () => socket, method: 'POST', path: pathname, headers: { host } });
      sent.on('error', reject);
      sent.on('response', (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (piece: string) => {
          text += piece;
        });
        answer.on('end', () => resolve(new Response(text, { status: answer.statusCode })));
      });
      sent.end(body);
    });
    tunnel.end();
  });
}

/** The whole body of an answer. */
export async function textOf({ body }: HttpResponse): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  for (let text = ''; ; ) {
    const read = await reader?.read();
    if (read === undefined || read.done) return text + decoder.decode();
    text += decoder.decode(read.value, { stream: true });
  }
}
