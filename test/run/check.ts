import { spawn } from 'node:child_process';
import path from 'node:path';
import { projectRoot, type TaskJob } from './pool.ts';

/** The tools of `npm run check`, one job each: they wait for nothing of each other. */
const tools: readonly (readonly [name: string, script: string, ...args: string[]])[] = [
  ['types', 'typescript/bin/tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', 'out/types.tsbuildinfo'],
  ['lint and format', '@biomejs/biome/bin/biome', 'check', '.'],
  ['dead code', 'knip/bin/knip.js', '--cache'],
];

export function checkJobs(): TaskJob[] {
  return tools.map(([name, script, ...args]) => ({
    part: 'check',
    file: name,
    async run(tell) {
      tell({ type: 'start', title: name });
      const startedAt = performance.now();
      const { code, output } = await runTool(path.join(projectRoot, 'node_modules', script), args);
      if (code === 0) tell({ type: 'pass', title: name, ms: performance.now() - startedAt });
      else tell({ type: 'fail', title: name, error: `ended with code ${code}`, detail: output });
    },
  }));
}

async function runTool(script: string, args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [script, ...args], { cwd: projectRoot, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => child.kill();
  process.once('exit', kill);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  process.off('exit', kill);
  return { code, output };
}
