import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import { skipWithout } from '../../support/needs.ts';
import { openSandboxed, people, type RunnerAnswer, type RunnerInput, type Sandboxed } from './sandboxed.ts';

/** Tells its port once somebody can come in. */
const serving = (text: string, port: number) =>
  `perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1:${port}", ReuseAddr => 1) or die $!; $| = 1; print "open\\n"; while ($c = $s->accept) { print $c "${text}\\n"; close $c }'`;
const hearing = (port: number) => `cat < /dev/tcp/127.0.0.1/${port}`;
const get = (host: string) =>
  `exec 3<>/dev/tcp/${host}/80; printf "GET /x HTTP/1.1\\r\\nHost: ${host}\\r\\nconnection: close\\r\\n\\r\\n" >&3; cat <&3`;

for (const { who, user, owner } of people) {
  describe(`F31 the network that commands of a conversation share, for ${who}`, function () {
    this.timeout(60_000);
    let sandboxed: Sandboxed;
    let outside: Server;
    let asked: string[] = [];
    let hosts: Record<string, number> = {};
    const run = async (
      line: string,
      more: Partial<RunnerInput> = {},
    ): Promise<Extract<RunnerAnswer, { text: string }>> => {
      const answer = await sandboxed.run(line, { tellsBlocked: true, hosts, ...more });
      assert.ok('text' in answer, JSON.stringify(answer));
      return answer;
    };
    before(async function () {
      if (process.platform !== 'linux') return this.skip();
      skipWithout(this, 'bubblewrap');
      sandboxed = await openSandboxed(user, { owner });
      await sandboxed.newWorkspace();
      outside = createServer((request, response) => {
        asked.push(`${request.headers.host}${request.url}`);
        response.end('from outside');
      });
      await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
      const { port } = outside.address() as { port: number };
      hosts = { 'a.example.org:80': port, 'b.example.org:80': port };
      const first = await sandboxed.run('readlink /proc/self/ns/net');
      if ('unusable' in first && first.unusable !== 'broken' && !process.env.CI) this.skip();
      const second = await run('readlink /proc/self/ns/net');
      assert.deepEqual(second.text, 'text' in first && first.text, 'commands have a network each');
    });
    after(async () => {
      outside?.close();
      await sandboxed?.close();
    });
    beforeEach(() => {
      asked = [];
    });

    it('a server that one command started is reached by the next, and by no other conversation', async () => {
      await run(serving('served', 8123), { background: true });
      const other = await run(hearing(8123), { conversationId: 'two', keeps: true });
      const own = await run(hearing(8123));
      assert.match(other.text, /refused/);
      assert.equal(own.text, 'served\n');
    });

    it('X58 a host is reached once the user agreed, for the conversation, and in no other', async () => {
      const before = await run(get('a.example.org'));
      assert.match(before.text, /^HTTP\/1\.1 403 /);
      assert.deepEqual([before.blocked, asked], [['a.example.org:80'], []]);
      const first = await run(get('a.example.org'), { answer: 'allow' });
      assert.match(first.text, /from outside$/);
      assert.deepEqual(first.asked, ['a.example.org:80']);
      assert.equal(first.sent?.['a.example.org'], 59);
      const second = await run(get('a.example.org'), { answer: 'refuse' });
      assert.deepEqual([second.asked, /outside$/.test(second.text)], [[], true]);
      assert.deepEqual(asked, ['a.example.org/x', 'a.example.org/x']);
      const other = await run(get('a.example.org'), { conversationId: 'two' });
      assert.match(other.text, /^HTTP\/1\.1 403 /);
      assert.equal(asked.length, 2);
    });

    it('X58 a refusal holds, and is told through a pipe and with exit code 0', async () => {
      for (const askedFor of [['b.example.org:80'], []]) {
        const answer = await run(`(${get('b.example.org')}) 2>&1 | tail -1`, { answer: 'refuse' });
        assert.deepEqual([answer.exitCode, answer.blocked, answer.asked], [0, ['b.example.org:80'], askedFor]);
      }
      assert.deepEqual(asked, []);
    });

    it('downloads of the user are read-only until a host is allowed, then each conversation has its own', async () => {
      const { home } = sandboxed.world;
      for (const folder of ['.cargo/registry/cache', 'go/pkg/mod/cache/download/a']) {
        await mkdir(path.join(home, folder), { recursive: true });
        await writeFile(path.join(home, folder, 'mine'), 'mine');
      }
      await sandboxed.give(home);
      const read =
        'cat ~/.cargo/registry/cache/mine; mkdir -p ~/.cargo/registry/cache ~/go/pkg/mod/x && touch ~/.cargo/registry/cache/new; cat $(echo $GOPROXY | cut -d, -f1 | cut -c8-)/a/mine';
      const before = await run(read, { conversationId: 'three' });
      assert.match(before.text, /^mine.*Read-only file system\nmine$/s);
      assert.deepEqual(before.blocked, [`write ${home}/.cargo/registry/cache/new`]);
      await run(get('a.example.org'), { answer: 'allow', conversationId: 'three' });
      const after = await run(read, { conversationId: 'three' });
      assert.match(after.text, /^cat: .*No such file or directory\nmine$/);
      assert.deepEqual(readdirSync(path.join(home, '.cargo/registry/cache')), ['mine']);
      assert.equal(existsSync(path.join(home, 'go/pkg/mod/x')), false);
      assert.match((await run(read, { conversationId: 'four' })).text, /^mine.*Read-only/s);
    });

    it('X58 a port of this machine is told, and reached once the user agreed to it, in this conversation', async () => {
      const listener = createTcpServer((socket) => socket.end('from this machine\n')).listen(0, '127.0.0.1');
      await once(listener, 'listening');
      const { port } = listener.address() as { port: number };
      const before = await run(`${hearing(port)} 2>&1 | tail -1`);
      assert.deepEqual([before.exitCode, before.blocked], [0, [`127.0.0.1:${port}`]]);
      const after = await run(hearing(port), { port });
      assert.equal(after.text, 'from this machine\n');
      const other = await run(hearing(port), { conversationId: 'two' });
      assert.match(other.text, /refused/);
      listener.close();
    });

    it('X58 a registry of the settings is asked about at the port that they name, and other ports stay closed', async () => {
      await sandboxed.newWorkspace();
      await writeFile(path.join(sandboxed.world.ws, '.npmrc'), 'registry=http://a.example.org:4873/\n');
      await sandboxed.give(sandboxed.world.ws);
      const at = (port: number) => get('a.example.org').replace('/80;', `/${port};`);
      const more = { answer: 'allow', hosts: { 'a.example.org:4873': hosts['a.example.org:80'] ?? 0 } } as const;
      const answer = await run(`(${at(4873)}); (${at(4874)}) 2>&1 | grep -o -m1 refused`, more);
      assert.match(answer.text, /from outsiderefused\n$/);
      assert.deepEqual(answer.asked, ['a.example.org:4873']);
    });

    it('X52 its keeper ended, and the next command has another', async () => {
      const first = await run('readlink /proc/self/ns/net');
      const second = await run('readlink /proc/self/ns/net', { killsChildren: true });
      assert.notEqual(second.text, first.text);
      assert.match(second.text, /^net:/);
      assert.equal((await run('readlink /proc/self/ns/net')).text, second.text);
    });

    it('X52 nobody in it has rights over it, takes the place of a door, or goes past one', async () => {
      const binds = [53, 80, 443].map(
        (port) =>
          `perl -MIO::Socket::INET -e 'IO::Socket::INET->new(Listen => 1, LocalAddr => "127.64.0.9:${port}", ReuseAddr => 1, ReusePort => 1) and print "bound\\n"'`,
      );
      const lines = [
        ...binds,
        'echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start && echo turned',
        'mount -t proc proc /tmp && echo mounted; unshare -Urn true && echo unshared',
        'grep CapEff /proc/self/status',
        hearing(443),
        'timeout 5 bash -c "exec 3<>/dev/tcp/1.1.1.1/80" && echo through',
        'timeout 5 bash -c "exec 3<>/dev/tcp/127.64.77.7/80; echo x >&3; cat <&3"',
        'timeout 5 bash -c "exec 3<>/dev/tcp/a.test/80" && echo found',
        'ls -d /proc/[0-9]* | wc -l; cat /etc/hosts | wc -l',
      ];
      const { text } = await run(lines.join('; '));
      assert.doesNotMatch(text, /bound|turned|mounted|unshared|through|found/);
      assert.match(text, owner === undefined ? /CapEff:\s0+\n/ : /CapEff:\s0+b\n/);
      assert.deepEqual(asked, []);
    });

    it('X52 what runs here is in none of it, and this machine’s names are not seen', async () => {
      const { text } = await run('cat /etc/hosts /etc/resolv.conf; cat /proc/net/dev | tail -n +3');
      assert.match(text, /^127\.0\.0\.1 localhost\n::1 .*\nnameserver 127\.0\.0\.1\n.*\n\s*lo:[\s\d]+$/);
      if (process.env.HOSTNAME)
        assert.ok(!text.includes(process.env.HOSTNAME) || !readFileSync('/etc/hosts').includes(process.env.HOSTNAME));
    });
  });
}
