/** When there are more names, the oldest are forgotten and their addresses stop working. */
const maxNames = 4096;
/** 127.64.0.0/10 belongs to the loopback range of this machine, and nothing else answers there. */
const firstAddress = 0x7f400001;
const lastAddress = 0x7f7ffffe;

export interface AddressTable {
  addressOf(name: string): string | undefined;
  nameOf(address: string): string | undefined;
}

export function createAddressTable(): AddressTable {
  const addresses = new Map<string, string>();
  const names = new Map<string, string>();
  let next = firstAddress;
  return {
    addressOf(name) {
      const known = addresses.get(name);
      if (known !== undefined || !isRoutableName(name) || next > lastAddress) return known;
      const address = [24, 16, 8, 0].map((bits) => (next >>> bits) & 255).join('.');
      next++;
      addresses.set(name, address);
      names.set(address, name);
      const [oldest] = names;
      if (names.size > maxNames && oldest !== undefined) {
        names.delete(oldest[0]);
        addresses.delete(oldest[1]);
      }
      return address;
    },
    nameOf: (address) => names.get(address),
  };
}

function isRoutableName(name: string): boolean {
  return name.includes('.') && !/\.(?:invalid|test|local|localhost)$/.test(name);
}

const headerBytes = 12;
const addressType = 1;
const internetClass = 1;

export function answerDns(query: Buffer, { addressOf }: Pick<AddressTable, 'addressOf'>): Buffer | undefined {
  if (query.length < headerBytes || query.length > 512) return undefined;
  const isStandard = (query.readUInt16BE(2) & 0xf800) === 0;
  if (!isStandard || query.readUInt16BE(4) !== 1) return undefined;
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query[at]; length !== 0; length = query[at]) {
    if (length === undefined || length > 63 || at + length >= query.length) return undefined;
    const label = query.toString('latin1', at + 1, at + 1 + length);
    if (!/^[\w-]+$/.test(label)) return undefined;
    labels.push(label);
    at += length + 1;
  }
  const end = at + 5;
  if (end > query.length || labels.join('.').length > 253) return undefined;
  const address = addressOf(labels.join('.').toLowerCase());
  const isWanted = query.readUInt16BE(at + 1) === addressType && query.readUInt16BE(at + 3) === internetClass;
  const header = Buffer.alloc(headerBytes);
  query.copy(header, 0, 0, 2);
  const hasAnswer = address !== undefined && isWanted;
  header.writeUInt16BE(address === undefined ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(hasAnswer ? 1 : 0, 6);
  const answer = hasAnswer
    ? Buffer.from([
        ...[0xc0, headerBytes, 0, addressType, 0, internetClass],
        ...[0, 0, 0, 60, 0, 4],
        ...address.split('.').map(Number),
      ])
    : Buffer.alloc(0);
  return Buffer.concat([header, query.subarray(headerBytes, end), answer]);
}
