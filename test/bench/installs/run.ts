/**
 * Runs `npm ci` of public projects in the sandbox, for real and by hand: `node test/bench/installs/run.ts FOLDER …`, where each folder
 * holds one, with its `package-lock.json`. Each once with every question refused, when nothing may leave, and once with every question
 * agreed to.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { openSandboxed } from '../../unit/sandbox/sandboxed.ts';

const folders = process.argv.slice(2);
const registry = new URL(execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim());
const place = `${registry.hostname}:${registry.port || (registry.protocol === 'http:' ? 80 : 443)}`;
const sandboxed = await openSandboxed();
const own = path.join(homedir(), '.npmrc');
if (existsSync(own)) copyFileSync(own, path.join(sandboxed.world.home, '.npmrc'));
const sum = { cards: 0, sentBytes: 0, unasked: 0, complete: 0 };
try {
  for (const folder of folders) {
    const name = path.basename(folder);
    await sandboxed.newWorkspace();
    cpSync(folder, sandboxed.world.ws, { recursive: true });
    // Other hosts than the registry are those of scripts; nobody stands for them here.
    const run = (answer: 'allow' | 'refuse') =>
      sandboxed.run(
        'npm ci --no-audit --no-fund 2>&1 | tail -3; echo $PIPESTATUS; ls node_modules 2>/dev/null | wc -l',
        {
          ...{ answer, tellsBlocked: true, hosts: { [place]: 'itself' } },
          conversationId: `${name.replace(/\W/g, '')}-${answer}`,
        },
      );
    const started = performance.now();
    const refused = await run('refuse');
    const between = performance.now();
    const agreed = await run('allow');
    assert.ok('text' in refused && 'text' in agreed, JSON.stringify([refused, agreed]));
    const asked = agreed.asked?.flatMap((hosts) => hosts.split(' ')) ?? [];
    const unasked = [...(refused.reached ?? []), ...(agreed.reached ?? []).filter((host) => !asked.includes(host))];
    const [code, modules] = agreed.text.trim().split('\n').slice(-2);
    sum.unasked += unasked.length;
    sum.cards += agreed.asked?.length ?? 0;
    sum.complete += code === '0' && Number(modules) > 0 ? 1 : 0;
    sum.sentBytes += Object.values(agreed.sent ?? {}).reduce((all, bytes) => all + bytes, 0);
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
    process.stdout.write(
      `${name}: refused after ${seconds(between - started)}, told ${refused.blocked?.join(' ')}; agreed ${seconds(performance.now() - between)}, exit code ${code}, ${modules} packages, cards: ${agreed.asked?.join(' | ')}${code === '0' ? '' : `; ${agreed.text.trim().slice(-300)}`}\n`,
    );
  }
  process.stdout.write(
    `${folders.length} projects, ${sum.complete} complete, ${sum.cards} cards, ${sum.sentBytes} bytes sent, ${sum.unasked} connections unasked\n`,
  );
} finally {
  await sandboxed.close();
}
