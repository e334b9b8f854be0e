import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { brotliDecompressSync } from 'node:zlib';
import { messageOf } from '../base/message-of.ts';
import type { ColorRequest, ColorSetup } from './catalog.ts';
import { createTokenizer } from './tokenizer.ts';

/** Grammars are other people's patterns, so they run in a thread that can be ended. */
const { setup, wasm } = workerData as { setup: ColorSetup; wasm: string };
const tokenizer = createTokenizer({
  setup,
  read: (file) => readFile(file, 'utf8'),
  wasm: async () => {
    const bytes = await readFile(wasm);
    // The build compresses it; the package on npm does not.
    return wasm.endsWith('.br') ? brotliDecompressSync(bytes) : bytes;
  },
});

parentPort?.on('message', (request: ColorRequest) => {
  void tokenizer.color(request).then(
    (colored) => parentPort?.postMessage({ colored }),
    (error: unknown) => parentPort?.postMessage({ error: messageOf(error) }),
  );
});
