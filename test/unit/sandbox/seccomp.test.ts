import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { seccompProgram } from '../../../src/sandbox/seccomp.ts';

interface Call {
  machine: number;
  number: number;
  args: readonly [number, number];
}

/** Runs a filter as the kernel would: its own reading of the instructions, from the manual page of seccomp(2). */
function answerOf(program: Buffer, { machine, number, args }: Call): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(machine, 4);
  data.writeUInt32LE(args[0], 16);
  data.writeUInt32LE(args[1], 24);
  let accumulator = 0;
  for (let at = 0; at < program.length / 8; at++) {
    const [code, yes, no] = [program.readUInt16LE(at * 8), program[at * 8 + 2] ?? 0, program[at * 8 + 3] ?? 0];
    const operand = program.readUInt32LE(at * 8 + 4);
    if (code === 0x20) accumulator = data.readUInt32LE(operand);
    else if (code === 0x15) at += accumulator === operand ? yes : no;
    else if (code === 0x35) at += accumulator >= operand ? yes : no;
    else if (code === 0x06) return operand;
    else throw new Error(`instruction ${code}`);
  }
  throw new Error('no answer');
}

const allow = 0x7fff0000;
const kill = 0x80000000;
const errno = (value: number) => 0x50000 + value;

/** From the kernel's tables of system calls. */
const tables = [
  { name: 'x64', machine: 0xc000003e, socket: 41, ioctl: 16, keys: [248, 249, 250], ptrace: 101, memory: [310, 311] },
  {
    name: 'arm64',
    machine: 0xc00000b7,
    socket: 198,
    ioctl: 29,
    keys: [217, 218, 219],
    ptrace: 117,
    memory: [270, 271],
  },
] as const;

describe('the filter of system calls', () => {
  for (const { name, machine, socket, ioctl, keys, ptrace, memory } of tables) {
    it(`F31 X52 on ${name} refuses what no namespace holds back, and nothing else`, () => {
      const program = seccompProgram(name);
      const wanted = ({ number, args }: Call): number => {
        if (name === 'x64' && number >= 0x40000000) return kill;
        if (keys.some((key) => key === number)) return errno(1);
        if (number >= 425 && number <= 427) return errno(38);
        if (number === socket && args[0] === 40) return errno(1);
        if (number === ioctl && (args[1] === 0x5412 || args[1] === 0x541c)) return errno(1);
        if (number === ptrace && args[1] === 1) return errno(1);
        if (memory.some((call) => call === number) && args[0] === 1) return errno(1);
        return allow;
      };
      const near = [socket, ioctl, ptrace, ...memory, ...keys, 425, 426, 427].flatMap((value) => [
        value - 1,
        value,
        value + 1,
      ]);
      const numbers = fc.oneof(fc.constantFrom(...near, 0x40000000, 0x3fffffff), fc.nat(600), fc.nat(0xffffffff));
      const values = fc.oneof(
        fc.constantFrom(1, 2, 16, 39, 40, 41, 0x5411, 0x5412, 0x541b, 0x541c),
        fc.nat(0xffffffff),
      );
      fc.assert(
        fc.property(numbers, fc.tuple(values, values), (number, args) => {
          assert.equal(answerOf(program, { machine, number, args }), wanted({ machine, number, args }));
        }),
        { numRuns: 2000 },
      );
    });

    it(`F31 X52 on ${name} ends programs of another machine`, () => {
      const program = seccompProgram(name);
      for (const other of [0x40000003, 0x40000028, ...tables.map((table) => table.machine)]) {
        if (other !== machine) assert.equal(answerOf(program, { machine: other, number: 1, args: [0, 0] }), kill);
      }
    });
  }
});
