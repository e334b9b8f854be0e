export type Machine = 'x64' | 'arm64';

interface Calls {
  audit: number;
  socket: number;
  ioctl: number;
  /** `add_key`, `request_key` and `keyctl` reach the user's keys, which are no files and which no namespace covers. */
  keys: readonly number[];
  /** `io_uring_setup`, `io_uring_enter` and `io_uring_register` do what other calls do without being those calls. */
  ring: readonly number[];
  ptrace: number;
  memory: readonly number[];
  foreignFrom?: number;
}

const machines: Record<Machine, Calls> = {
  x64: {
    audit: 0xc000003e,
    socket: 41,
    ioctl: 16,
    keys: [248, 249, 250],
    ring: [425, 426, 427],
    ptrace: 101,
    memory: [310, 311],
    foreignFrom: 0x40000000,
  },
  arm64: {
    audit: 0xc00000b7,
    socket: 198,
    ioctl: 29,
    keys: [217, 218, 219],
    ring: [425, 426, 427],
    ptrace: 117,
    memory: [270, 271],
  },
};

/** These sockets reach the machine that runs this one; network namespaces do not hold them back. */
const vsock = 40;
/** These calls put text into a terminal as if it had been typed. */
const typing = [0x5412, 0x541c];

/** This is bubblewrap itself, whose end kills all others: whoever could debug it could let them survive. */
const first = 1;

const eperm = 1;
const enosys = 38;
const allow = 0x7fff0000;
const kill = 0x80000000;
const refuse = (errno: number) => 0x00050000 + errno;

const load = 0x20;
const jumpIfEqual = 0x15;
const jumpIfAtLeast = 0x35;
const answer = 0x06;
const at = { call: 0, machine: 4, first: 16, second: 24 };

type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, operand: number];

/**
 * Returns the filter of system calls in the format that bubblewrap reads, 8 bytes per instruction. It refuses what
 * namespaces do not hold back and allows everything else.
 */
export function seccompProgram(machine: Machine): Buffer {
  const { audit, socket, ioctl, keys, ring, ptrace, memory, foreignFrom } = machines[machine];
  const one = (code: number, operand: number): Instruction => [code, 0, 0, operand];
  const when = (values: readonly number[], then: number): Instruction[] =>
    values.flatMap((value): Instruction[] => [[jumpIfEqual, 0, 1, value], one(answer, then)]);
  const argument = (call: number, offset: number, values: readonly number[]): Instruction[] => {
    const body = [one(load, offset), ...when(values, refuse(eperm)), one(answer, allow)];
    return [[jumpIfEqual, 0, body.length, call], ...body];
  };
  const program: Instruction[] = [
    one(load, at.machine),
    [jumpIfEqual, 1, 0, audit],
    one(answer, kill),
    one(load, at.call),
    ...(foreignFrom === undefined ? [] : [[jumpIfAtLeast, 0, 1, foreignFrom] as const, one(answer, kill)]),
    ...when(keys, refuse(eperm)),
    ...when(ring, refuse(enosys)),
    ...argument(socket, at.first, [vsock]),
    ...argument(ioctl, at.second, typing),
    ...argument(ptrace, at.second, [first]),
    ...memory.flatMap((call) => argument(call, at.first, [first])),
    one(answer, allow),
  ];
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, whenTrue, whenFalse, operand]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(whenTrue, index * 8 + 2);
    bytes.writeUInt8(whenFalse, index * 8 + 3);
    bytes.writeUInt32LE(operand, index * 8 + 4);
  }
  return bytes;
}

export function machineOf(arch: string): Machine | undefined {
  return arch === 'x64' || arch === 'arm64' ? arch : undefined;
}
