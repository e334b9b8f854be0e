import type { lookup as dnsLookup, LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { networkInterfaces } from 'node:os';

/**
 * No page of the web has these IPv4 addresses: the blocks of IANA's special-purpose registry that are not globally
 * reachable, multicast and reserved ones. The last entry is no such block; machines in Azure reach their host's own
 * services there.
 */
const closed4 = blockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '168.63.129.16/32',
]);
// Only this range of IPv6 is assigned, so everything else is closed, mapped IPv4 included.
const given6 = blockList('ipv6', ['2000::/3']);
const closed6 = blockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);
const carried4 = '64:ff9b::';

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', bits] = subnet.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}

export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false;
  const version = isIP(address);
  if (version === 4) return !closed4.check(address, 'ipv4');
  if (version !== 6) return false;
  const [, short = ''] = /^\[(.*)\]$/.exec(new URL(`http://[${address}]/`).hostname) ?? [];
  if (short.startsWith(carried4)) return isPublicAddress(ipv4Of(short.slice(carried4.length)));
  return given6.check(address, 'ipv6') && !closed6.check(address, 'ipv6');
}

function ipv4Of(groups: string): string {
  const [low = 0, high = 0, ...more] = groups
    .split(':')
    .map((group) => Number.parseInt(group || '0', 16))
    .reverse();
  return more.length > 0 ? '' : [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/**
 * These are networks of a house or a company, whose machines a user may mean. In other private ranges, providers have
 * services that give out keys.
 */
const local = blockList('ipv4', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']);

function ownAddresses(interfaces: ReturnType<typeof networkInterfaces>): BlockList {
  const list = new BlockList();
  for (const { family, address, cidr } of Object.values(interfaces).flatMap((all) => all ?? [])) {
    const [plain = ''] = address.split('%');
    if (family === 'IPv4') list.addAddress(plain, 'ipv4');
    else list.addSubnet(plain, Number(cidr?.split('/')[1] ?? 128), 'ipv6');
  }
  return list;
}

export interface LookupDeps {
  lookup: typeof dnsLookup;
  networkInterfaces: typeof networkInterfaces;
}

export const notPublicCode = 'SVC_NOT_PUBLIC';

/**
 * Resolves a name at the moment of connecting and returns its addresses only when all of them are public, so a name
 * that leads elsewhere the next time gains nothing. With `local`, addresses of a house or a company count as well.
 */
export function createPublicLookup(
  { lookup, networkInterfaces: interfaces }: LookupDeps,
  { local: mayBeLocal }: { local: boolean } = { local: false },
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      const own = ownAddresses(interfaces());
      const isOpen = (withLocal: boolean) => (each: LookupAddress) => {
        const version = each.family === 6 ? 'ipv6' : 'ipv4';
        const isMeant = isPublicAddress(each.address) || (withLocal && local.check(each.address, version));
        return isMeant && !own.check(each.address, version);
      };
      const [first] = addresses;
      if (first === undefined || !addresses.every(isOpen(mayBeLocal))) {
        const isLocal = first !== undefined && addresses.every(isOpen(true));
        return callback(Object.assign(new Error(`${hostname} is not public`), { code: notPublicCode, isLocal }), '');
      }
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
