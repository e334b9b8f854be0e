import type { FileHandle, open } from 'node:fs/promises';
import * as nodeFs from 'node:fs/promises';
import type { StorageFs } from '../../../src/storage/storage-fs.ts';
import type { Random } from '../../support/random.ts';

/**
 * A disk whose user is killed at its `fatal`th change: before it, after it, or in the middle of what is being written. The
 * kill is a real SIGKILL of this process.
 */
export function createDyingFs(
  fatal: number,
  random: Random,
): StorageFs & { change<T>(act: () => Promise<T>): Promise<T> } {
  let changes = 0;
  const how = random.pick(['before', 'after', 'torn'] as const);
  const share = random.next();
  const change = async <T>(act: () => Promise<T>, tear?: () => Promise<unknown>): Promise<T> => {
    changes += 1;
    if (changes !== fatal) return act();
    // What fails, such as the removal of a file that is not there, ends in death too: whoever outlives its change never dies.
    try {
      if (how === 'torn') await tear?.();
      if (how === 'after') await act();
    } finally {
      process.kill(process.pid, 'SIGKILL');
    }
    return new Promise(() => undefined);
  };
  const part = (bytes: Uint8Array) => bytes.subarray(0, Math.floor(bytes.length * share));
  const wrap = (handle: FileHandle): FileHandle =>
    new Proxy(handle, {
      get(target, name) {
        if (name === 'write') {
          return (bytes: Uint8Array, ...rest: []) =>
            change(
              () => target.write(bytes, ...rest),
              () => target.write(part(bytes)),
            );
        }
        if (name === 'datasync') return () => change(() => target.datasync());
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  return {
    ...nodeFs,
    change: (act) => change(act),
    open: async (...args: Parameters<typeof open>) => wrap(await nodeFs.open(...args)),
    mkdir: ((...args: Parameters<typeof nodeFs.mkdir>) => change(() => nodeFs.mkdir(...args))) as StorageFs['mkdir'],
    link: (...args) => change(() => nodeFs.link(...args)),
    rename: (...args) => change(() => nodeFs.rename(...args)),
    rm: (...args) => change(() => nodeFs.rm(...args)),
    writeFile: (file, data, options) =>
      change(
        () => nodeFs.writeFile(file, data, options),
        () => nodeFs.writeFile(file, part(Buffer.from(String(data))), options),
      ),
  };
}
