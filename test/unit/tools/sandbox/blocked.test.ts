import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { blockedIn, blockedText } from '../../../../src/tools/command/sandbox/blocked.ts';

const facts = {
  ...{ roots: ['/ws'], home: '/home/u', tools: [], writable: ['/cache'] },
  ...{ guarded: ['/ws/.git', '/ws/AGENTS.md'], masked: ['/ws/dist/.env.production'], emptied: ['/ws/.aws'] },
};
const told = (output: string, network = false) =>
  blockedIn({ output, line: '', cwd: '/ws', network, facts }).map(blockedText).join(', ');

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

describe('what the sandbox kept a command from', () => {
  for (const [line, what] of refusals) {
    it(`F31 ${what}, by: ${line.slice(0, 50)}`, () => assert.equal(told(`before\n${line}\nafter`), what));
  }
  for (const line of others) it(`F31 nothing is certain of: ${line}`, () => assert.equal(told(line), ''));

  it('F31 with the network lifted, no name is blocked', () => {
    assert.equal(told('curl: (6) Could not resolve host: api.example.org', true), '');
  });

  it('F31 X41 each thing is told once, five at most, and long lines are passed over', () => {
    const lines = Array.from({ length: 9 }, (_, at) => `Could not resolve host: h${at >> 1}.example.org`);
    assert.equal(told([...lines, ...lines].join('\n')).split(', ').length, 5);
    assert.equal(told(`${'x'.repeat(3000)} Could not resolve host: h.example.org`), '');
  });
});
