import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'mocha';
import { blockedIn, blockedText } from '../../../src/sandbox/blocked.ts';

const plan = {
  ...{
    roots: ['/ws'],
    home: '/home/u',
    tools: [],
    writable: ['/cache'],
    borrowed: [],
    reopened: [],
    beyond: [],
    replaced: new Map([['/home/u/.m2/settings.xml', '/x']]),
  },
  ...{
    guarded: ['/ws/.git', '/ws/AGENTS.md'],
    masked: ['/ws/dist/.env.production'],
    emptied: ['/ws/.aws'],
    held: ['/ws/dist'],
  },
};
const told = (output: string, network = false) =>
  blockedIn({ output, line: '', cwd: '/ws', network, plan, listening: () => new Set() })
    .map(blockedText)
    .join(', ');

/** As the programs print them. */
const refusals: readonly [line: string, what: string][] = [
  [
    'npm error request to https://registry.example.org/x failed, reason: getaddrinfo EAI_AGAIN registry.example.org',
    'registry.example.org:443',
  ],
  ['curl: (6) Could not resolve host: api.example.org', 'api.example.org'],
  [
    "fatal: unable to access 'https://git.example.org/a/b/': Could not resolve host: git.example.org",
    'git.example.org:443',
  ],
  ['ssh: Could not resolve hostname git.example.org: Temporary failure in name resolution', 'git.example.org'],
  [
    'go: example.org/x@v1: Get "https://proxy.example.org/x": dial tcp: lookup proxy.example.org on 10.0.0.2:53: dial udp: network is unreachable',
    'proxy.example.org:443',
  ],
  ['wget: unable to resolve host address ‘files.example.org’', 'files.example.org'],
  [
    "HTTPSConnectionPool(host='pypi.example.org', port=443): Max retries exceeded: Failed to establish: [Errno -3] Temporary failure in name resolution",
    'pypi.example.org:443',
  ],
  ["W: Failed to fetch http://deb.example.org/x  Temporary failure resolving 'deb.example.org'", 'deb.example.org:80'],
  ["fatal: Unable to create '/ws/.git/index.lock': Read-only file system", 'write .git/index.lock'],
  ['/bin/bash: line 1: AGENTS.md: Read-only file system', 'write AGENTS.md'],
  ["rm: cannot remove 'dist/.env.production': Device or resource busy", 'move dist/.env.production'],
  ["Error: EBUSY: resource busy or locked, rmdir '/ws/dist'", 'move dist'],
  ["Error: EACCES: permission denied, open '/ws/dist/.env.production'", 'read dist/.env.production'],
  ['/bin/bash: line 1: /home/u/.m2/settings.xml: Read-only file system', 'write /home/u/.m2/settings.xml'],
  ["touch: cannot touch '/usr/lib/x': Read-only file system", 'write /usr/lib/x'],
  ["[Errno 30] READ-ONLY FILE SYSTEM: '/opt/tool/cache'", 'write /opt/tool/cache'],
  ['reason: getaddrinfo ENOTFOUND registry-settings-hidden-by-the-sandbox.invalid', 'registry'],
];

/** Said for other reasons too. */
const others = [
  'getaddrinfo ENOTFOUND nothing.invalid',
  'getaddrinfo EAI_AGAIN db',
  'connect ECONNREFUSED 127.0.0.1:5432',
  'cat: /ws/src/a.ts: Permission denied',
  "touch: cannot touch '/tmp/x': Read-only file system",
  'src/AGENTS.md is a file',
  'expected "Permission denied" to equal "x"',
];

// Windows has no sandbox, and other paths.
(process.platform === 'win32' ? describe.skip : describe)('what the sandbox kept a command from', () => {
  for (const [line, what] of refusals) {
    it(`F31 ${what}, by: ${line.slice(0, 50)}`, () => assert.equal(told(`before\n${line}\nafter`), what));
  }
  for (const line of others) it(`F31 nothing is certain of: ${line}`, () => assert.equal(told(line), ''));

  it('F31 one click uncovers a secret, settings of the editor or rules, and never hooks, other data of git or more than that', () => {
    const here = mkdtempSync(path.join(tmpdir(), 'blocked-'));
    const inside = (name: string) => path.join(here, name);
    writeFileSync(inside('.env'), '');
    const covered = {
      ...plan,
      ...{ roots: [here], masked: [inside('.env')], emptied: [inside('.aws')] },
      guarded: ['.git', '.vscode', 'AGENTS.md', '.husky', 'scripts/hooks', 'mine.txt'].map(inside),
    };
    const grantOf = (line: string) =>
      blockedIn({
        output: line,
        line: '',
        cwd: here,
        network: 'shared',
        plan: covered,
        listening: () => new Set([5432]),
      }).map((each) => ('grant' in each ? JSON.stringify(each.grant).replaceAll(`${here}/`, '') : undefined))[0];
    const file = (place: string) => JSON.stringify({ kind: 'file', place });
    const readOnly = (name: string) => `sh: ${name}: Read-only file system`;
    assert.equal(grantOf('cat: .env: Permission denied'), file('.env'));
    assert.equal(grantOf(readOnly('.vscode/tasks.json')), file('.vscode'));
    assert.equal(grantOf(readOnly('AGENTS.md')), file('AGENTS.md'));
    assert.equal(grantOf(readOnly('.git/index.lock')), JSON.stringify({ kind: 'git', place: '.git' }));
    for (const name of ['.git/hooks/x', '.git/config', '.husky/x', 'scripts/hooks/x', 'mine.txt', '/usr/x'])
      assert.equal(grantOf(readOnly(name)), undefined, name);
    const port = JSON.stringify({ kind: 'port', port: 5432 });
    for (const line of [
      'Error: connect ECONNREFUSED 127.0.0.1:5432',
      'connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused',
      "curl: (7) Failed to connect to localhost port 5432 after 0 ms: Couldn't connect to server",
      'dial tcp [::1]:5432: connect: connection refused',
      'bash: line 1: /dev/tcp/127.0.0.1/5432: Connection refused',
    ])
      assert.equal(grantOf(line), port, line);
    assert.equal(grantOf('Error: connect ECONNREFUSED 127.0.0.1:5433'), undefined);
    rmSync(here, { recursive: true });
  });

  it('F31 with the network lifted, no name is blocked', () => {
    assert.equal(told('curl: (6) Could not resolve host: api.example.org', true), '');
  });

  it('F31 X41 each thing is told once, five at most, and long lines are passed over', () => {
    const lines = Array.from({ length: 9 }, (_, at) => `Could not resolve host: h${at >> 1}.example.org`);
    assert.equal(told([...lines, ...lines].join('\n')).split(', ').length, 5);
    assert.equal(told(`${'x'.repeat(3000)} Could not resolve host: h.example.org`), '');
  });
});
