import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';

export interface StreamServer {
  /** `http://127.0.0.1:<port>`. */
  origin: string;
  end(): Promise<void>;
}

/** Starts `stream-server.ts`; it ends with this process, or earlier with `end`. */
export async function startStreamServer(seed: number): Promise<StreamServer> {
  const script = path.join(import.meta.dirname, 'stream-server.ts');
  const child = spawn(process.execPath, [script, String(seed)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const port = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    child.once('error', reject).once('exit', () => reject(new Error('the stream server ended at once')));
  });
  return {
    origin: `http://127.0.0.1:${port}`,
    end: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
