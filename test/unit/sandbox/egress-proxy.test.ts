import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import fc from 'fast-check';
import { afterEach, describe, it } from 'mocha';
import { notPublicCode } from '../../../src/base/public-address.ts';
import { answerDns, createAddressTable } from '../../../src/sandbox/address-table.ts';
import type { GrantAnswer, GrantQuestion } from '../../../src/sandbox/egress-policy.ts';
import { createEgressPolicy, newCommandSession } from '../../../src/sandbox/egress-policy.ts';
import { createEgressProxy } from '../../../src/sandbox/egress-proxy.ts';
import { createReach } from '../../../src/sandbox/reach.ts';
import { sniffServerName } from '../../../src/sandbox/sniff-server-name.ts';
import { createFakeClock, settle } from '../service/fake-clock.ts';

function question(name: string, type = 1): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  const head = Buffer.from([0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  return Buffer.concat([head, ...labels, Buffer.from([0, 0, type, 0, 1])]);
}

describe('F31 X58 names in the sandbox', () => {
  it('each has an address of its own, which leads back to it, and nobody outside is asked', () => {
    const dnsResponder = createAddressTable();
    const answer = answerDns(question('Registry.Example.org'), dnsResponder);
    const address = [...(answer?.subarray(-4) ?? [])].join('.');
    assert.equal(dnsResponder.nameOf(address), 'registry.example.org');
    assert.match(address, /^127\.64\./);
    assert.equal(dnsResponder.addressOf('registry.example.org'), address);
    assert.notEqual(dnsResponder.addressOf('other.example.org'), address);
    assert.deepEqual([...(answer?.subarray(0, 8) ?? [])], [0x12, 0x34, 0x81, 0x80, 0, 1, 0, 1]);
  });

  it('other types than addresses have no answer, and names that lead nowhere are told as such', () => {
    const codes = (name: string, type?: number) =>
      [...(answerDns(question(name, type), createAddressTable()) ?? [])].slice(3, 8);
    assert.deepEqual(codes('a.example.org', 28), [0x80, 0, 1, 0, 0]);
    for (const name of ['x.test', 'printer.local', 'a.invalid', 'db'])
      assert.deepEqual(codes(name), [0x83, 0, 1, 0, 0]);
  });

  it('of ten thousand the oldest are forgotten, and no address is given to two', () => {
    const dnsResponder = createAddressTable();
    const addresses = Array.from({ length: 10_000 }, (_, at) => dnsResponder.addressOf(`n${at}.example.org`) ?? '');
    assert.equal(new Set(addresses).size, 10_000);
    assert.equal(addresses.filter((address) => dnsResponder.nameOf(address) !== undefined).length, 4096);
    assert.equal(dnsResponder.nameOf(addresses.at(-1) ?? ''), 'n9999.example.org');
  });

  it('forged questions are left alone', () => {
    const loop = Buffer.concat([question('a.b').subarray(0, 12), Buffer.from([0xc0, 12, 0, 1, 0, 1])]);
    const response = question('a.example.org');
    response[2] = 0x81;
    const odd = Buffer.concat([question('a.b').subarray(0, 12), Buffer.from([3, 0x61, 0, 0x62, 0, 0, 1, 0, 1])]);
    for (const forged of [loop, response, odd, Buffer.alloc(0), Buffer.alloc(12), Buffer.alloc(600)]) {
      assert.equal(answerDns(forged, createAddressTable()), undefined);
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        const answer = answerDns(Buffer.from(bytes), createAddressTable());
        return answer === undefined || answer.length <= bytes.length + 16;
      }),
    );
  });
});

/** As a real client says it. */
async function helloFor(servername: string): Promise<Buffer> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  const client = connectTls({ host: '127.0.0.1', port, ...(servername !== '' && { servername }) });
  client.on('error', () => undefined);
  const [socket] = (await once(server, 'connection')) as [Socket];
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  client.destroy();
  socket.destroy();
  server.close();
  return bytes;
}

describe('F31 X58 how a connection begins', () => {
  it('the name that a client of TLS means is read, in one part or in many', async () => {
    const hello = await helloFor('Registry.example.org');
    assert.deepEqual(sniffServerName(hello), { kind: 'tls', host: 'registry.example.org' });
    for (let end = 1; end < hello.length; end += 7) assert.equal(sniffServerName(hello.subarray(0, end)), undefined);
    const body = hello.subarray(5);
    const record = (part: Buffer) =>
      Buffer.concat([Buffer.from([22, 3, 1, part.length >> 8, part.length & 255]), part]);
    const inTwo = Buffer.concat([record(body.subarray(0, 60)), record(body.subarray(60))]);
    assert.deepEqual(sniffServerName(inTwo), { kind: 'tls', host: 'registry.example.org' });
  });

  it('without a name there is none', async () => {
    assert.deepEqual(sniffServerName(await helloFor('')), { kind: 'tls' });
  });

  it('of HTTP only one plain host counts', () => {
    const read = (...lines: string[]) => sniffServerName(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`));
    assert.deepEqual(read('GET /x HTTP/1.1', 'Host: A.example.org:80'), { kind: 'http', host: 'a.example.org' });
    assert.equal(sniffServerName(Buffer.from('GET / HTTP/1.1\r\nHost: a')), undefined);
    const without = { kind: 'http' };
    assert.deepEqual(read('GET / HTTP/1.1', 'Host: a.org', 'Host: b.org'), without);
    assert.deepEqual(read('GET http://b.org/ HTTP/1.1', 'Host: a.org'), without);
    assert.deepEqual(read('GET / HTTP/1.1', ' Host: a.org'), without);
    assert.deepEqual(read('CONNECT b.org:443 HTTP/1.1', 'Host: a.org'), without);
    for (const text of ['SSH-2.0-x\r\n', '\0\0\0', 'get / '])
      assert.deepEqual(sniffServerName(Buffer.from(text)), { kind: 'other' });
  });

  it('nonsense never throws, and is not waited for without end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void sniffServerName(Buffer.from([22, ...bytes]))),
    );
    assert.deepEqual(sniffServerName(Buffer.alloc(33_000, 'GET')), { kind: 'other' });
    assert.deepEqual(sniffServerName(Buffer.concat([Buffer.from('GET '), Buffer.alloc(33_000, 'x')])), {
      kind: 'other',
    });
  });
});

describe('F31 X58 which hosts are reached', () => {
  const open = (answer: (question: GrantQuestion) => Promise<GrantAnswer>) => {
    const clock = createFakeClock();
    const egressPolicy = createEgressPolicy(clock);
    const asked: GrantQuestion[] = [];
    const session = newCommandSession(new AbortController().signal, {
      async ask(question) {
        asked.push(question);
        return answer(question);
      },
    });
    return { clock, egressPolicy, asked, session, leave: egressPolicy.session(session) };
  };

  it('hosts of the same moment share a card, and the answer holds for exactly these', async () => {
    const { clock, egressPolicy, asked } = open(async () => 'allow');
    const first = [
      egressPolicy.mayReach('a.org', 443),
      egressPolicy.mayReach('b.org', 443),
      egressPolicy.mayReach('a.org', 443),
    ];
    await clock.advance(1500);
    assert.deepEqual(await Promise.all(first), [true, true, true]);
    assert.deepEqual(asked, [{ kind: 'hosts', hosts: ['a.org:443', 'b.org:443'] }]);
    assert.equal(await egressPolicy.mayReach('b.org', 443), true);
    for (const [host, port] of [
      ['x.a.org', 443],
      ['a.org', 80],
    ] as const) {
      const next = egressPolicy.mayReach(host, port);
      await clock.advance(1500);
      assert.equal(await next, true);
    }
    assert.equal(asked.length, 3);
  });

  it('a refusal holds, and is told as what was blocked; no answer is none', async () => {
    const answers: GrantAnswer[] = ['refuse', undefined, undefined];
    const { clock, egressPolicy, asked, session } = open(async () => answers.shift());
    const ask = async (host: string) => {
      const next = egressPolicy.mayReach(host, 443);
      await clock.advance(1500);
      return next;
    };
    assert.deepEqual(
      [await ask('a.org'), await ask('a.org'), await ask('b.org'), await ask('b.org')],
      [false, false, false, false],
    );
    assert.equal(asked.length, 3);
    assert.deepEqual(
      [...session.blocked.values()],
      [
        { kind: 'network', host: 'a.org', port: 443, refused: true },
        { kind: 'network', host: 'b.org', port: 443 },
      ],
    );
  });

  it('a client is held for two minutes, and a later answer holds for the next', async () => {
    const answer = Promise.withResolvers<GrantAnswer>();
    const { clock, egressPolicy } = open(() => answer.promise);
    const first = egressPolicy.mayReach('a.org', 443);
    await clock.advance(120_000);
    assert.equal(await first, false);
    answer.resolve('allow');
    await settle();
    assert.equal(await egressPolicy.mayReach('a.org', 443), true);
  });

  it('in the background nobody is asked, and it is refused at once', async () => {
    const egressPolicy = createEgressPolicy(createFakeClock());
    egressPolicy.session(newCommandSession(new AbortController().signal));
    assert.equal(await egressPolicy.mayReach('a.org', 443), false);
  });

  it('X58 above a megabyte a host and command it is asked again, before the part that is too much', async () => {
    const answers: GrantAnswer[] = ['allow', 'refuse', 'refuse'];
    const { egressPolicy, asked, session, leave } = open(async () => answers.shift());
    assert.equal(await egressPolicy.maySend('a.org', 443, 1_000_000), true);
    assert.equal(asked.length, 0);
    assert.equal(await egressPolicy.maySend('a.org', 443, 1), true);
    assert.deepEqual(asked, [{ kind: 'upload', host: 'a.org:443', bytes: 1_000_000 }]);
    assert.equal(await egressPolicy.maySend('a.org', 443, 9_000_000), false);
    assert.equal(session.sent.get('a.org'), 1_000_001);
    leave();
    assert.equal(await egressPolicy.maySend('a.org', 443, 1), false);
  });

  it('X58 requests for what comes are no upload: two hundredths of it, from the host that it came from', async () => {
    const { egressPolicy, asked } = open(async () => 'refuse');
    egressPolicy.addReceived('a.org', 50_000_000);
    assert.equal(await egressPolicy.maySend('a.org', 443, 2_000_000), true);
    assert.equal(asked.length, 0);
    assert.equal(await egressPolicy.maySend('a.org', 443, 1), false);
    assert.equal(await egressPolicy.maySend('b.org', 443, 1_000_001), false);
    assert.equal(asked.length, 2);
  });
});

describe('F31 X58 the doors of the sandbox', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });
  const listen = async (onSocket: (socket: Socket) => void): Promise<number> => {
    const server = createServer({ allowHalfOpen: true }, onSocket);
    servers.push(server);
    await once(server.listen(0, '0.0.0.0'), 'listening');
    return (server.address() as { port: number }).port;
  };
  /** Text that comes back for what a client sends to the address of a name; `heard`: the bytes that left. */
  const knock = async (sent: Buffer | string, { allows = true, to = 'a.example.org' } = {}) => {
    let heard = Buffer.alloc(0);
    const outside = await listen((socket) => {
      socket.on('data', (chunk) => {
        heard = Buffer.concat([heard, chunk as Buffer]);
      });
      socket.once('data', () => socket.end('hello'));
      socket.on('error', () => undefined);
    });
    const dnsResponder = createAddressTable();
    const asked: string[] = [];
    let received = 0;
    const egressProxy = createEgressProxy({
      dnsResponder,
      egressPolicy: {
        async mayReach(host, port) {
          asked.push(`${host}:${port}`);
          return allows;
        },
        mayReachLocal: async () => false,
        maySend: async () => true,
        addReceived(host, bytes) {
          assert.equal(host, to);
          received += bytes;
        },
      },
      reach: async () => {
        const socket = connect({ host: '127.0.0.1', port: outside, allowHalfOpen: true });
        await once(socket, 'connect');
        return socket;
      },
      clock: createFakeClock(),
    });
    const door = await listen((socket) => egressProxy.enter(socket, 443));
    const client = connect({ host: dnsResponder.addressOf(to) ?? '127.0.0.1', port: door });
    client.on('error', () => undefined);
    client.write(sent);
    let back = Buffer.alloc(0);
    client.on('data', (chunk) => {
      back = Buffer.concat([back, chunk as Buffer]);
    });
    await once(client, 'close');
    assert.equal(received, heard.length === 0 ? 0 : back.length);
    return { back: back.toString('latin1'), heard: heard.length, asked };
  };

  it('what was agreed to goes through, both ways', async () => {
    const hello = await helloFor('a.example.org');
    assert.deepEqual(await knock(hello), { back: 'hello', heard: hello.length, asked: ['a.example.org:443'] });
  });

  it('what was not gets an alert that clients know, and not a byte leaves', async () => {
    const hello = await helloFor('a.example.org');
    assert.deepEqual(await knock(hello, { allows: false }), {
      ...{ back: '\x15\x03\x03\0\x02\x02\x31', heard: 0, asked: ['a.example.org:443'] },
    });
    const { back, heard } = await knock('GET / HTTP/1.1\r\nHost: a.example.org\r\n\r\n', { allows: false });
    assert.match(back, /^HTTP\/1\.1 403 /);
    assert.equal(heard, 0);
  });

  it('another name than the one that was asked for, or none, reaches nobody, and nobody is asked', async () => {
    for (const sent of [
      await helloFor('b.example.org'),
      await helloFor(''),
      'GET / HTTP/1.1\r\nHost: b.example.org\r\n\r\n',
      'SSH-2.0-x\r\n',
    ]) {
      const { heard, asked } = await knock(sent);
      assert.deepEqual({ heard, asked }, { heard: 0, asked: [] });
    }
    const { heard, asked } = await knock(await helloFor('localhost'), { to: 'localhost' });
    assert.deepEqual({ heard, asked }, { heard: 0, asked: [] });
  });

  it('a client that was refused and stays is put out after five seconds', async () => {
    const dnsResponder = createAddressTable();
    const clock = createFakeClock();
    const egressPolicy = {
      mayReach: async () => false,
      mayReachLocal: async () => false,
      maySend: async () => true,
      addReceived() {},
    };
    const egressProxy = createEgressProxy({
      dnsResponder,
      egressPolicy,
      reach: () => Promise.reject(new Error('never')),
      clock,
    });
    const sockets: Socket[] = [];
    const door = await listen((socket) => {
      sockets.push(socket);
      egressProxy.enter(socket, 80);
    });
    const client = connect({ host: dnsResponder.addressOf('a.example.org') ?? '', port: door, allowHalfOpen: true });
    client.on('error', () => undefined);
    client.write('GET / HTTP/1.1\r\nHost: a.example.org\r\n\r\n');
    await once(client.resume(), 'end');
    await clock.advance(4999);
    assert.equal(sockets[0]?.destroyed, false);
    await clock.advance(1);
    assert.equal(sockets[0]?.destroyed, true);
    client.destroy();
  });

  it('of two thousand connections that wait, 64 are held', async () => {
    const dnsResponder = createAddressTable();
    let waiting = 0;
    const egressProxy = createEgressProxy({
      dnsResponder,
      egressPolicy: {
        mayReach: () => {
          waiting++;
          return new Promise(() => undefined);
        },
        mayReachLocal: async () => false,
        maySend: async () => true,
        addReceived() {},
      },
      reach: () => Promise.reject(new Error('never')),
      clock: createFakeClock(),
    });
    const door = await listen((socket) => egressProxy.enter(socket, 80));
    const host = dnsResponder.addressOf('a.example.org') ?? '';
    const clients = Array.from({ length: 2000 }, () => {
      const client = connect({ host, port: door });
      client.on('error', () => undefined);
      client.write('GET / HTTP/1.1\r\nHost: a.example.org\r\n\r\n');
      return client;
    });
    let closed = 0;
    await new Promise<void>((resolve) => {
      for (const client of clients) client.once('close', () => ++closed === 2000 - 64 && resolve());
    });
    assert.equal(waiting, 64);
    egressProxy.close();
    for (const client of clients) client.destroy();
  });
});

describe('F31 X58 where an agreed host may lead', () => {
  const reach = (...addresses: string[]) =>
    createReach({
      lookup: ((_name: string, _options: object, done: (error: null, all: object[]) => void) =>
        done(
          null,
          addresses.map((address) => ({ address, family: 4 })),
        )) as never,
      networkInterfaces: () => ({}),
      proxy: () => undefined,
    });

  it('never to this machine or services of its provider, and to a network of its own only when that was asked', async () => {
    for (const address of ['127.0.0.1', '169.254.169.254', '0.0.0.0', '100.100.100.200', '168.63.129.16']) {
      for (const local of [false, true]) {
        await assert.rejects(reach(address)('a.org', 1, { local }), { code: notPublicCode });
      }
    }
    await assert.rejects(reach('93.184.216.34', '127.0.0.1')('a.org', 1, { local: true }), { code: notPublicCode });
    await assert.rejects(reach('10.0.0.1')('a.org', 1, { local: false }), { code: notPublicCode });
  });
});
