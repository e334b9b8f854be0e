export type SniffedServer = { kind: 'tls' | 'http'; host?: string } | { kind: 'other' };

/** No client sends more than this before it gets an answer. */
const maxBytes = 32 * 1024;

const handshakeRecord = 22;
const clientHello = 1;

export function sniffServerName(bytes: Buffer): SniffedServer | undefined {
  if (bytes.length === 0) return undefined;
  const found = bytes[0] === handshakeRecord ? readTls(bytes) : readHttp(bytes);
  return found ?? (bytes.length > maxBytes ? { kind: 'other' } : undefined);
}

function readTls(bytes: Buffer): SniffedServer | undefined {
  const parts: Buffer[] = [];
  let at = 0;
  for (; at + 5 <= bytes.length && bytes[at] === handshakeRecord; at += 5 + bytes.readUInt16BE(at + 3)) {
    parts.push(bytes.subarray(at + 5, at + 5 + bytes.readUInt16BE(at + 3)));
  }
  const hello = Buffer.concat(parts);
  if (hello.length < 4) return undefined;
  if (hello[0] !== clientHello) return { kind: 'other' };
  const length = hello.readUIntBE(1, 3);
  if (hello.length < 4 + length) return undefined;
  try {
    const host = serverNameIn(hello.subarray(4, 4 + length));
    return host === undefined ? { kind: 'tls' } : { kind: 'tls', host };
  } catch {
    return { kind: 'other' };
  }
}

function serverNameIn(hello: Buffer): string | undefined {
  // Version and random bytes; then three lists, each with its length before it.
  let at = 34;
  at += 1 + hello.readUInt8(at);
  at += 2 + hello.readUInt16BE(at);
  at += 1 + hello.readUInt8(at);
  const end = at + 2 + hello.readUInt16BE(at);
  for (at += 2; at < end; at += 4 + hello.readUInt16BE(at + 2)) {
    if (hello.readUInt16BE(at) !== 0 || hello.readUInt8(at + 6) !== 0) continue;
    const length = hello.readUInt16BE(at + 7);
    return hello.toString('latin1', at + 9, at + 9 + length).toLowerCase();
  }
  return undefined;
}

function readHttp(bytes: Buffer): SniffedServer | undefined {
  const text = bytes.toString('latin1', 0, maxBytes);
  if (!/^[A-Z]{1,20}(?: |$)/.test(text.slice(0, 21))) return { kind: 'other' };
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [request = '', ...headers] = text.slice(0, end).split('\r\n');
  const named = headers.flatMap((line) => /^host:[ \t]*([^\s:]+)(?::\d{1,5})?[ \t]*$/i.exec(line)?.[1] ?? []);
  const isPlain =
    /^[A-Z]+ \/\S* HTTP\/1\.[01]$/.test(request) && headers.every((line) => /^[\w!#$%&'*+.^`|~-]+:/.test(line));
  const [host] = named;
  if (!isPlain || named.length !== 1 || host === undefined) return { kind: 'http' };
  return { kind: 'http', host: host.toLowerCase() };
}

const deniedTls = Buffer.from([21, 3, 3, 0, 2, 2, 49]);
const deniedText = 'Not allowed by the user: the sandbox lets commands reach only hosts that were agreed to.\n';

export function denial({ kind }: SniffedServer): Buffer {
  if (kind === 'tls') return deniedTls;
  if (kind === 'other') return Buffer.alloc(0);
  const head = `HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\ncontent-length: ${deniedText.length}\r\nconnection: close\r\n\r\n`;
  return Buffer.from(head + deniedText);
}
