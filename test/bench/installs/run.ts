/**
 * Runs `npm ci` of public projects in the sandbox, for real and by hand: `node test/bench/installs/run.ts [NAME …]`. Each once with
 * every question refused, when nothing may leave, and once with every question agreed to.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { openSandboxed } from '../../unit/tools/sandbox/sandboxed.ts';

const projects =
  'express koa fastify yargs mocha glob rimraf axios inquirer ora winston pino cheerio handlebars nodemon webpack-cli eslint send body-parser got';
const names = process.argv.length > 2 ? process.argv.slice(2) : projects.split(' ');
const registry = new URL(execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim());
const place = `${registry.hostname}:${registry.port || (registry.protocol === 'http:' ? 80 : 443)}`;
const sandboxed = await openSandboxed();
const own = path.join(homedir(), '.npmrc');
if (existsSync(own)) copyFileSync(own, path.join(sandboxed.world.home, '.npmrc'));
let cards = 0;
let sentBytes = 0;
try {
  for (const name of names) {
    const folder = mkdtempSync(path.join(tmpdir(), 'installs-'));
    const quiet = { cwd: folder, stdio: 'ignore' as const };
    execFileSync('bash', ['-c', 'tar xzf "$(npm pack --silent "$1")" --strip-components 1', 'bash', name], quiet);
    const {
      name: _,
      scripts: __,
      devDependencies: ___,
      ...manifest
    } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'project', ...manifest }));
    execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--silent'], quiet);
    await sandboxed.newWorkspace();
    for (const file of ['package.json', 'package-lock.json'])
      cpSync(path.join(folder, file), path.join(sandboxed.world.ws, file));
    rmSync(folder, { recursive: true });
    const hosts = { [place]: 'itself' } as const;
    const run = (answer: 'allow' | 'refuse') =>
      sandboxed.run('npm ci 2>&1 | tail -2; ls node_modules | wc -l', {
        answer,
        hosts,
        conversationId: `${name.replace(/\W/g, '')}-${answer}`,
      });
    const started = performance.now();
    const refused = await run('refuse');
    const between = performance.now();
    const agreed = await run('allow');
    assert.ok('text' in refused && 'text' in agreed);
    assert.deepEqual(refused.reached, [], `${name}: something left unasked`);
    assert.ok(Number(agreed.text.trim().split('\n').at(-1)) > 0, `${name}: ${agreed.text}`);
    assert.deepEqual([...new Set(agreed.reached)], agreed.asked, `${name}: somebody else was reached`);
    cards += agreed.asked?.length ?? 0;
    sentBytes += Object.values(agreed.sent ?? {}).reduce((sum, bytes) => sum + bytes, 0);
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
    process.stdout.write(
      `${name}: refused after ${seconds(between - started)}, 0 connections; agreed ${seconds(performance.now() - between)}, ${agreed.asked?.length} card, ${agreed.reached?.length} connections\n`,
    );
  }
  process.stdout.write(`${names.length} projects, ${cards} cards, ${sentBytes} bytes sent, none of them unasked\n`);
} finally {
  await sandboxed.close();
}
