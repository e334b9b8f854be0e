import assert from 'node:assert/strict';
import type { lookup as dnsLookup } from 'node:dns';
import { networkInterfaces } from 'node:os';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, it } from 'mocha';
import { createPublicLookup, isPublicAddress, notPublicCode } from '../../../src/base/public-address.ts';

/** IANA's special-purpose registries, every row that is not globally reachable, and multicast: as published, not as coded. */
const notReachable4 = [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 255.255.255.255/32',
].flatMap((line) => line.split(' '));
const notReachable6 = [
  '::/128 ::1/128 ::ffff:0:0/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/32 2001:2::/48 2001:10::/28 2001:db8::/32',
  '2002::/16 3fff::/20 5f00::/16 fc00::/7 fe80::/10 ff00::/8',
].flatMap((line) => line.split(' '));

/** What the library says of an address that anybody reaches. */
const openRanges = new Set<string>(['unicast', 'as112', 'as112v6', 'amt']);
const azureHost = '168.63.129.16';

const toText4 = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
const toText6 = (value: bigint) =>
  Array.from({ length: 8 }, (_, at) => ((value >> BigInt(112 - 16 * at)) & 0xffffn).toString(16)).join(':');

/** The first and the last address of a block, and those beside it. */
function edges(block: string): { inside: string[]; beside: string[] } {
  const [address, bits] = ipaddr.parseCIDR(block);
  const all = address.kind() === 'ipv4' ? 32 : 128;
  const first = address.toByteArray().reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const last = first + (1n << BigInt(all - bits)) - 1n;
  const text = (value: bigint) => (all === 32 ? toText4(Number(value)) : toText6(value));
  const exists = (value: bigint) => value >= 0n && value < 1n << BigInt(all);
  return { inside: [first, last].map(text), beside: [first - 1n, last + 1n].filter(exists).map(text) };
}

const blocks = [...notReachable4, ...notReachable6].map(edges);
const byte = fc.integer({ min: 0, max: 255 });
const any4 = fc.oneof(
  fc.tuple(byte, byte, byte, byte).map((bytes) => bytes.join('.')),
  fc.constantFrom(...notReachable4).chain((block) => {
    const [address, bits] = ipaddr.parseCIDR(block);
    const [a = 0, b = 0, c = 0, d = 0] = address.toByteArray();
    const first = a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d;
    return fc.integer({ min: first, max: first + 2 ** (32 - bits) - 1 }).map(toText4);
  }),
);
const any6 = fc.oneof(
  fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }).map(toText6),
  fc.bigInt({ min: 0x2000n << 112n, max: (0x4000n << 112n) - 1n }).map(toText6),
  fc.ipV6(),
);

describe('addresses that everybody reaches', () => {
  it('X53 nothing in a block of the registry is public, and beside it only what another library takes for public', () => {
    for (const { inside, beside } of blocks) {
      for (const address of inside) assert.equal(isPublicAddress(address), false, address);
      for (const address of beside) {
        if (isPublicAddress(address)) assert.ok(openRanges.has(ipaddr.parse(address).range()), address);
      }
    }
  });

  it('X53 of IPv4 exactly that is public which another library takes for public', () => {
    fc.assert(
      fc.property(any4, (address) => {
        const range = ipaddr.parse(address).range();
        assert.equal(isPublicAddress(address), openRanges.has(range) && address !== azureHost, `${address} ${range}`);
      }),
      { numRuns: 20_000 },
    );
    assert.equal(isPublicAddress(azureHost), false);
  });

  it('X53 of IPv6 nothing is public that another library takes for something else, however it is written', () => {
    const given = ipaddr.parseCIDR('2000::/3');
    const protocols = ipaddr.parseCIDR('2001::/23');
    fc.assert(
      fc.property(any6, (address) => {
        const parsed = ipaddr.IPv6.parse(address);
        const isOpen = openRanges.has(parsed.range()) && parsed.match(given) && !parsed.match(protocols);
        const isDocumentation = parsed.match(ipaddr.parseCIDR('3fff::/20'));
        const spellings = [address, parsed.toString(), parsed.toNormalizedString().toUpperCase()];
        for (const spelling of spellings) {
          assert.equal(isPublicAddress(spelling), isOpen && !isDocumentation, `${spelling} ${parsed.range()}`);
        }
      }),
      { numRuns: 20_000 },
    );
  });

  it('X53 IPv4 inside of IPv6 is closed, or judged as the IPv4 that it is', () => {
    fc.assert(
      fc.property(any4, (address) => {
        const mapped = ipaddr.IPv4.parse(address).toIPv4MappedAddress().toString();
        for (const closed of [mapped, `::ffff:${address}`, `::${address}`, `2002${mapped.slice(6)}::`]) {
          assert.equal(isPublicAddress(closed), false, closed);
        }
        assert.equal(isPublicAddress(`64:ff9b::${address}`), isPublicAddress(address), address);
        assert.equal(isPublicAddress(`64:ff9b:1::${address}`), false);
      }),
    );
  });

  it('X53 what is no address, or has a zone, is not public', () => {
    for (const text of ['', 'localhost', '1.1.1', '0x1010101', '2606:4700::1%eth0', '::1%lo', '1.1.1.1 ', '[::1]']) {
      assert.equal(isPublicAddress(text), false, text);
    }
    assert.equal(isPublicAddress('2606:4700:4700::1111'), true);
  });
});

describe('the lookup of a connection', () => {
  type Answer = { address: string; family: number }[];
  const lookUp = (answer: Answer | Error, all = true, interfaces: ReturnType<typeof networkInterfaces> = {}) => {
    const lookup = ((_name: string, _options: object, done: (error: Error | null, found: Answer) => void) => {
      if (answer instanceof Error) done(answer, []);
      else done(null, answer);
    }) as unknown as typeof dnsLookup;
    return new Promise<unknown>((resolve) => {
      createPublicLookup({ lookup, networkInterfaces: () => interfaces })('a.example', { all }, (error, ...found) =>
        resolve(error ? error.code : found),
      );
    });
  };
  const open = { address: '93.184.215.14', family: 4 };
  const open6 = { address: '2606:2800:21f::1', family: 6 };

  it('X53 gives what is public, as it is asked for', async () => {
    assert.deepEqual(await lookUp([open, open6]), [[open, open6]]);
    assert.deepEqual(await lookUp([open6, open], false), [open6.address, 6]);
    assert.equal(await lookUp(Object.assign(new Error('gone'), { code: 'ENOTFOUND' })), 'ENOTFOUND');
  });

  it('X53 one closed address among several is enough to refuse all', async () => {
    for (const closed of ['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', 'fd00:ec2::254', 'fe80::1%eth0']) {
      const family = closed.includes(':') ? 6 : 4;
      for (const answer of [[{ address: closed, family }], [open, { address: closed, family }]]) {
        assert.equal(await lookUp(answer), notPublicCode, closed);
        assert.equal(await lookUp(answer, false), notPublicCode, closed);
      }
    }
    assert.equal(await lookUp([]), notPublicCode);
  });

  it('X53 public addresses of this machine and of its IPv6 network are refused', async () => {
    const entry = { mac: '', internal: false, scopeid: 0 };
    const interfaces = {
      eth0: [
        {
          ...entry,
          address: open.address,
          netmask: '255.255.255.0',
          family: 'IPv4' as const,
          cidr: `${open.address}/24`,
        },
        {
          ...entry,
          address: '2606:2800:21f::5',
          netmask: 'ffff:ffff::',
          family: 'IPv6' as const,
          cidr: '2606:2800:21f::5/64',
        },
      ],
    };
    assert.equal(await lookUp([open], true, interfaces), notPublicCode);
    assert.equal(await lookUp([open6], true, interfaces), notPublicCode);
    const other = { address: '93.184.215.15', family: 4 };
    assert.deepEqual(await lookUp([other], true, interfaces), [[other]]);
    assert.deepEqual(await lookUp([other], true, networkInterfaces()), [[other]]);
  });
});
