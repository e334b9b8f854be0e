import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import type { NoSandbox } from '../../../src/sandbox/launch.ts';
import type { RunnerInput, Sandboxed, World } from './sandboxed.ts';

/** What must not have happened: a sentence each, said by looking at the world afterwards. */
export interface Attack {
  name: string;
  /** Why it would matter. */
  why: string;
  setup?(world: World, sandboxed: Sandboxed): Promise<void>;
  line(world: World): string;
  more?(world: World): Partial<RunnerInput>;
  /** What is wrong with the world now; `text` is what was printed. */
  harm(world: World, text: string): Promise<string | undefined> | string | undefined;
  /** The workspace is such that nothing may run at all. */
  unusable?: NoSandbox;
  /** Only these may hold for. */
  as?: readonly string[];
}

const write = async (file: string, text: string) => {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
};
const textOf = (file: string) => readFile(file, 'utf8').catch(() => undefined);
const isThere = (file: string) => (existsSync(file) ? `${file} is there` : undefined);
const changed = async (file: string, before: string) =>
  (await textOf(file)) === before ? undefined : `${file} was changed`;
/** All output is looked at for the secret anyway. */
const silent = () => undefined;
const printed = (wanted: RegExp) => (_: World, text: string) => (wanted.test(text) ? undefined : `printed ${text}`);
const inWs = (world: World, name: string) => path.join(world.ws, name);
/** `plain.md` is what a link of such a name leads to. */
const ruled = ['AGENTS.md', 'pkg/CLAUDE.md', '.github/workflows/ci.yml', 'mine.txt', '.husky/pre-commit', 'plain.md'];
const perl = (code: string) => `perl -e '${code}'`;

/** Somebody who listens while a line runs; `heard` counts who came. */
function listener(): {
  open(at: string | { port: number }): Promise<void>;
  heard(): number;
  port(): number;
  close(): void;
} {
  let count = 0;
  const server = createServer((socket) => {
    count++;
    socket.end('hello');
  }).unref();
  return {
    open: (at) =>
      new Promise((resolve) => {
        if (typeof at === 'string') server.listen(at, resolve);
        else server.listen(at.port, '127.0.0.1', resolve);
      }),
    heard: () => count,
    port: () => {
      const address = server.address();
      return typeof address === 'object' && address !== null ? address.port : 0;
    },
    close: () => server.close(),
  };
}

function connecting(
  name: string,
  why: string,
  at: (world: World) => string | { port: number },
  line: (world: World, port: number) => string,
  more: Partial<RunnerInput> = {},
): Attack {
  let server = listener();
  return {
    name,
    why,
    async setup(world, { give }) {
      server = listener();
      const place = at(world);
      await server.open(place);
      if (typeof place === 'string' && !place.startsWith('\0')) await give(place);
    },
    line: (world) => line(world, server.port()),
    more: () => more,
    harm() {
      server.close();
      return server.heard() === 0 ? undefined : 'somebody came in';
    },
  };
}

const unixConnect = (place: string) =>
  perl(`use Socket; socket(S,1,1,0) and connect(S, pack_sockaddr_un("${place}")) and print "in\\n"; print "$!\\n"`);

const corePatternFile = '/proc/sys/kernel/core_pattern';
let corePattern: string | undefined;

const writing: Attack[] = [
  {
    name: 'a file outside of the workspace',
    why: 'other code and settings are out there',
    line: ({ outside }) => `echo x > ${outside}/new; echo x >> ${outside}/file; rm ${outside}/file`,
    harm: async ({ outside }) => isThere(`${outside}/new`) ?? (await changed(`${outside}/file`, 'canary-5f0e\n')),
  },
  {
    name: 'a file of the system',
    why: 'root may write all of it',
    line: () => 'echo x > /etc/svc-x; echo x > /usr/svc-x; echo x > /var/lib/svc-x; echo x > /opt/svc-x',
    async harm() {
      const found = ['/etc', '/usr', '/var/lib', '/opt'].map((folder) => `${folder}/svc-x`).filter(existsSync);
      for (const file of found) await rm(file);
      return found[0] && `${found[0]} was there`;
    },
  },
  {
    name: 'through a link that leads out',
    why: 'the folder of a link is writable',
    setup: async (world) => {
      await symlink(world.outside, inWs(world, 'out'));
      await symlink(`${world.outside}/file`, inWs(world, 'f'));
    },
    line: () => 'echo x > out/new; echo x > f; ln -s .. up; echo x > up/outside/new2',
    harm: async ({ outside }) =>
      isThere(`${outside}/new`) ?? isThere(`${outside}/new2`) ?? (await changed(`${outside}/file`, 'canary-5f0e\n')),
  },
  {
    name: 'the home folder',
    why: 'profiles there run at the next login',
    line: ({ home }) => `echo x > ${home}/.bashrc; echo x > ~/.profile; mkdir -p ~/.config/autostart`,
    harm: ({ home }) => isThere(`${home}/.bashrc`) ?? isThere(`${home}/.profile`) ?? isThere(`${home}/.config`),
  },
  {
    name: 'temporary files of others',
    why: 'programs outside read theirs again',
    line: () => 'echo x > /tmp/svc-sandbox-x; echo x > /var/tmp/svc-sandbox-x',
    async harm() {
      const found = ['/tmp/svc-sandbox-x', '/var/tmp/svc-sandbox-x'].filter(existsSync);
      for (const file of found) await rm(file);
      return found[0] && `${found[0]} was there`;
    },
  },
  {
    name: 'a hook of git',
    why: 'the next commit of the user runs it',
    line: () => 'echo x > .git/hooks/pre-commit; chmod +x .git/hooks',
    harm: (world) => isThere(inWs(world, '.git/hooks/pre-commit')),
  },
  {
    name: 'what redirects git',
    why: 'hooks and settings may come from elsewhere then',
    line: () => 'echo ../x > .git/commondir; echo x > .git/config.worktree; echo "[core] pager=x" >> .git/config',
    harm: async (world) =>
      isThere(inWs(world, '.git/commondir')) ??
      isThere(inWs(world, '.git/config.worktree')) ??
      (await changed(inWs(world, '.git/config'), '[core]\n')),
  },
  {
    name: 'git out of the way',
    why: 'another .git could take its place',
    line: () => 'mv .git x; rm -rf .git; rmdir .git; ln -sfn x .git; mkdir y && mv -T y .git',
    harm: async (world) => isThere(inWs(world, 'x')) ?? (await changed(inWs(world, '.git/config'), '[core]\n')),
  },
  {
    name: 'a repository deep inside, moved with its folder',
    why: 'another one could take its place',
    setup: async (world) => write(inWs(world, 'a/b/.git/config'), 'inner\n'),
    line: () =>
      'mv a/b c; mv a d; mkdir -p a/b/.git; echo x > a/b/.git/config; echo x > c/.git/config; echo x > d/b/.git/config',
    harm: async (world) => isThere(inWs(world, 'd')) ?? (await changed(inWs(world, 'a/b/.git/config'), 'inner\n')),
  },
  {
    name: 'hooks and rules, with the folder that they are in',
    why: 'what takes their place would be obeyed, and is nothing new',
    setup: async (world) => {
      await write(inWs(world, '.git/config'), '[core]\n\thooksPath = tools/on-commit\n');
      await write(inWs(world, 'tools/on-commit/pre-commit'), 'before\n');
      await write(inWs(world, 'pkg/AGENTS.md'), 'before\n');
    },
    line: () =>
      'mv tools t; mkdir -p tools/on-commit; echo x > tools/on-commit/pre-commit; mv pkg p; mkdir pkg; echo x > pkg/AGENTS.md',
    harm: async (world) =>
      (await changed(inWs(world, 'tools/on-commit/pre-commit'), 'before\n')) ??
      (await changed(inWs(world, 'pkg/AGENTS.md'), 'before\n')),
  },
  {
    name: 'settings of the editor, in two commands',
    why: 'nobody looks for them among packages',
    setup: async (world, { give, run }) => {
      await write(inWs(world, 'sub/.vscode/settings.json'), '{}');
      await give(world.ws);
      await run('mv sub node_modules');
    },
    line: () => 'echo x > node_modules/.vscode/settings.json; mv node_modules sub',
    harm: (world) => changed(inWs(world, 'sub/.vscode/settings.json'), '{}'),
  },
  {
    name: 'a repository that is not called .git',
    why: 'its hooks run at the next push',
    setup: async (world) => {
      for (const name of ['server', 'node_modules/p']) {
        for (const folder of ['hooks', 'objects', 'refs'])
          await mkdir(inWs(world, `${name}/${folder}`), { recursive: true });
        for (const file of ['HEAD', 'config']) await write(inWs(world, `${name}/${file}`), 'before\n');
      }
    },
    line: () =>
      'for f in server node_modules/p; do echo x > $f/hooks/update; echo x > $f/config; echo x > $f/commondir; mv $f away; done',
    harm: async (world) => {
      for (const name of ['server', 'node_modules/p']) {
        const harm =
          isThere(inWs(world, `${name}/hooks/update`)) ??
          isThere(inWs(world, `${name}/commondir`)) ??
          (await changed(inWs(world, `${name}/config`), 'before\n'));
        if (harm) return harm;
      }
      return undefined;
    },
  },
  {
    name: 'a repository among packages',
    why: 'git is told nothing of who wrote it',
    setup: async (world) => write(inWs(world, 'node_modules/p/.git/config'), 'inner\n'),
    line: () => 'echo x > node_modules/p/.git/config',
    harm: (world) => changed(inWs(world, 'node_modules/p/.git/config'), 'inner\n'),
  },
  {
    name: 'the data of a worktree',
    why: 'its hooks are those of the repository',
    async setup(world, { give }) {
      const data = path.join(world.outside, 'repo/.git');
      await write(`${data}/worktrees/w/gitdir`, `${world.ws}/w/.git\n`);
      await write(`${data}/worktrees/w/commondir`, '../..\n');
      await write(`${data}/config`, 'common\n');
      await write(inWs(world, 'w/.git'), `gitdir: ${data}/worktrees/w\n`);
      await give(world.outside, world.ws);
    },
    line: ({ outside }) =>
      `echo x > ${outside}/repo/.git/config; echo x > ${outside}/repo/.git/worktrees/w/x; echo gitdir: x > w/.git; cat ${outside}/repo/.git/config`,
    harm: async (world, text) =>
      (await changed(path.join(world.outside, 'repo/.git/config'), 'common\n')) ??
      isThere(path.join(world.outside, 'repo/.git/worktrees/w/x')) ??
      (text.includes('common') ? undefined : 'git cannot read it'),
  },
  {
    name: 'the folder of hooks that git is told of',
    why: 'it is no less a hook for its name',
    setup: async (world) => {
      await write(inWs(world, '.git/config'), '[core]\n\thooksPath = tools/on-commit\n');
      await write(inWs(world, 'tools/on-commit/pre-commit'), 'before\n');
    },
    line: () => 'echo x > tools/on-commit/pre-commit; echo x > tools/on-commit/new',
    harm: async (world) =>
      (await changed(inWs(world, 'tools/on-commit/pre-commit'), 'before\n')) ??
      isThere(inWs(world, 'tools/on-commit/new')),
  },
  {
    name: 'folders of hooks that git finds in other ways',
    why: 'git runs what is in them no less',
    setup: async (world) => {
      const settings = {
        '.git/config': '[include]\n\tpath = ../team.cfg\n[core] hooksPath = "h1" # of the team\n',
        'team.cfg': '[includeIf "gitdir:~/x]/"] path = t/more\n',
        't/more': '[Core]\n\tHooksPath = ~/../ws/h2 ; more\n',
        'sub/.git/config': '[core]\nhooksPath = \\\nh3\n',
        'module/.git': 'gitdir: ../.git/modules/m\n',
        '.git/modules/m/config': '[core]\n\tworktree = ../../../module\n\thooksPath = h4\n',
      };
      for (const [file, text] of Object.entries(settings))
        await write(inWs(world, file), text.replace('ws', path.basename(world.ws)));
      for (const folder of ['h1', 'h2', 'sub/h3', 'module/h4', 'h5'])
        await write(inWs(world, `${folder}/pre-commit`), 'before\n');
      await write(inWs(world, 'h6.sh'), 'before\n');
      await symlink('../../../h5', inWs(world, '.git/modules/m/hooks'));
      await symlink('../../h6.sh', inWs(world, '.git/hooks/pre-commit'));
    },
    line: () =>
      'for f in h1/pre-commit h2/pre-commit sub/h3/pre-commit module/h4/pre-commit h5/pre-commit h6.sh team.cfg t/more; do echo x > $f; echo x > $(dirname $f)/new; done; rm -f new',
    harm: async (world) => {
      for (const folder of ['h1', 'h2', 'sub/h3', 'module/h4', 'h5']) {
        const harm =
          (await changed(inWs(world, `${folder}/pre-commit`), 'before\n')) ?? isThere(inWs(world, `${folder}/new`));
        if (harm) return harm;
      }
      for (const file of ['team.cfg', 't/more']) {
        if ((await textOf(inWs(world, file))) === 'x\n') return `${file} was changed`;
      }
      return changed(inWs(world, 'h6.sh'), 'before\n');
    },
  },
  {
    name: 'hooks in a folder of a larger repository',
    why: 'its data is outside and names folders that are not',
    setup: async (world) => {
      await write(inWs(world, '.git/config'), '[core]\n\thooksPath = pkg/on-commit\n');
      await write(inWs(world, 'pkg/on-commit/pre-commit'), 'before\n');
    },
    line: () => 'echo x > on-commit/pre-commit',
    more: (world) => ({ roots: [inWs(world, 'pkg')], cwd: inWs(world, 'pkg') }),
    harm: (world) => changed(inWs(world, 'pkg/on-commit/pre-commit'), 'before\n'),
  },
  {
    name: '.git files and settings that lead nowhere or to themselves',
    why: 'no such file may keep the others from being found',
    setup: async (world) => {
      await write(inWs(world, 'a/.git'), 'gitdir: .git\n');
      await write(inWs(world, 'b/.git'), 'gitdir: /\n');
      await write(inWs(world, 'c/.git'), 'gitdir:\n');
      await write(inWs(world, 'd/.git'), '');
      await symlink('loop', inWs(world, '.git/hooks/loop'));
      await write(
        inWs(world, '.git/config'),
        '[include]\npath = config\npath = a.txt/b\npath = hooks/loop\npath = /\n[core]\nhooksPath = a.txt/x\nhooksPath = h\nhooksPath\n[',
      );
      await write(inWs(world, 'h/pre-commit'), 'before\n');
    },
    line: () => 'echo x > h/pre-commit',
    harm: (world) => changed(inWs(world, 'h/pre-commit'), 'before\n'),
  },
  {
    name: 'hooks behind a link',
    why: 'a link can be replaced, whatever lies on what it leads to',
    setup: async (world) => {
      await write(inWs(world, '.git/config'), '[core]\n\thooksPath = on-commit\n');
      await write(inWs(world, 'tools/hooks/pre-commit'), 'before\n');
      await symlink('tools/hooks', inWs(world, 'on-commit'));
    },
    line: () => 'true',
    harm: silent,
    unusable: 'link',
  },
  {
    name: 'a root that is itself git’s data',
    why: 'its hooks run at the next push',
    setup: async (world) => {
      for (const folder of ['hooks', 'objects', 'refs']) await mkdir(inWs(world, folder));
      await write(inWs(world, 'HEAD'), 'before\n');
    },
    line: () => 'echo x > hooks/update; echo x > HEAD',
    harm: async (world) => isThere(inWs(world, 'hooks/update')) ?? (await changed(inWs(world, 'HEAD'), 'before\n')),
  },
  {
    name: 'the settings of the editor',
    why: 'they name programs that it starts',
    setup: async (world) => write(inWs(world, '.vscode/settings.json'), '{}'),
    line: () => 'echo x > .vscode/settings.json; echo x > .vscode/tasks.json; mv .vscode v; rm -r .vscode',
    harm: async (world) =>
      (await changed(inWs(world, '.vscode/settings.json'), '{}')) ?? isThere(inWs(world, '.vscode/tasks.json')),
  },
  {
    name: 'settings of the editor where there are none',
    why: 'the editor obeys them as soon as they are there',
    line: () => 'mkdir -p .vscode; echo x > .vscode/tasks.json; mv .vscode v; rmdir .vscode; ln -s /tmp .vscode',
    harm: (world) => isThere(inWs(world, '.vscode')),
  },
  {
    name: 'rules and what runs when it is pushed',
    why: 'assistants and other machines obey them',
    setup: async (world) => {
      for (const file of ruled) {
        await write(inWs(world, file), 'before');
      }
      await symlink('AGENTS.md', inWs(world, 'GEMINI.md'));
      await symlink('../plain.md', inWs(world, 'pkg/AGENTS.md'));
    },
    line: () =>
      'for f in AGENTS.md pkg/CLAUDE.md .github/workflows/ci.yml mine.txt plain.md GEMINI.md pkg/AGENTS.md .husky/pre-commit; do echo x > $f; mv $f away; done; echo x > .github/workflows/new.yml',
    harm: async (world) => {
      for (const file of ruled) {
        const harm = await changed(inWs(world, file), 'before');
        if (harm) return harm;
      }
      return isThere(inWs(world, '.github/workflows/new.yml'));
    },
  },
  {
    name: 'git behind a link',
    why: 'a link can be replaced, whatever lies on what it leads to',
    setup: async (world) => {
      await mkdir(inWs(world, 'pkg'));
      await symlink('../.git', inWs(world, 'pkg/.git'));
    },
    line: () => 'true',
    harm: silent,
    unusable: 'link',
  },
  {
    name: 'the editor’s settings behind a link',
    why: 'a link can be replaced, whatever lies on what it leads to',
    setup: async (world) => symlink('a', inWs(world, '.vscode')),
    line: () => 'true',
    harm: silent,
    unusable: 'link',
  },
  {
    name: 'the kernel’s switches',
    why: 'root owns them, and a crash would run a program outside',
    setup: async () => {
      corePattern = await textOf(corePatternFile);
    },
    line: () =>
      `echo svc-core > ${corePatternFile}; ls /proc/sys/kernel | head -1; echo h > /proc/sysrq-trigger; echo x > /sys/kernel/uevent_helper; echo +pids > /sys/fs/cgroup/cgroup.subtree_control; ls /dev`,
    async harm(_, text) {
      const now = await textOf(corePatternFile);
      if (now !== corePattern && corePattern !== undefined) await writeFile(corePatternFile, corePattern);
      if (now !== corePattern) return 'core_pattern was changed';
      return /^(?:kmsg|mem|sd[a-z]|vda|nvme.*|kvm|fuse)$/m.test(text) ? 'a device is there' : undefined;
    },
  },
];

const reading: Attack[] = [
  {
    name: 'keys in the home folder',
    why: 'they open other machines',
    line: ({ home }) => `cat ${home}/.ssh/id_rsa ~/.ssh/* ~/notes ${home}/notes; ls -a ~`,
    harm: silent,
  },
  {
    name: 'what the editor keeps',
    why: 'keys and conversations are in there, ours too',
    line: ({ editorData, state }) => `cat ${editorData}/*; cat ${editorData}/state.vscdb; ls -R ${state} ${editorData}`,
    harm: (_, text) => (/state\.vscdb$/m.test(text.replaceAll(/cat:.*\n/g, '')) ? 'it is seen' : undefined),
  },
  {
    name: 'what another conversation left',
    why: 'caches carry code from one project to another',
    setup: async (world) => write(path.join(world.state, 'two/home/cache'), 'canary-5f0e'),
    line: ({ state }) => `cat ${state}/two/home/cache; cat ~/cache`,
    harm: silent,
  },
  {
    name: 'secrets of the workspace',
    why: 'what is printed goes to the service',
    setup: async (world) => {
      await write(inWs(world, '.aws/credentials'), 'canary-5f0e');
      await write(inWs(world, 'certs/server.key'), 'canary-5f0e');
      await write(inWs(world, '.vscode/.env'), 'canary-5f0e');
      await symlink('.env', inWs(world, 'plain'));
      await write(inWs(world, 'conf/dev'), 'canary-5f0e');
      await symlink('conf/dev', inWs(world, 'prod.env'));
      await write(inWs(world, 'keys/mine'), 'canary-5f0e');
      await symlink('keys', inWs(world, '.ssh'));
    },
    line: () =>
      'cat .env plain prod.env conf/dev keys/mine .ssh/mine .aws/credentials certs/server.key .vscode/.env; ln .env c; cat c; mv .env d; cat d; cp .env e; cat e; grep -r canary .; tar cf - . | grep -a canary',
    harm: (world) => changed(inWs(world, '.env'), 'canary-5f0e\n'),
  },
  {
    name: 'secrets, in two commands',
    why: 'the folder that they are in says what they are',
    setup: async (world, { give, run }) => {
      for (const file of ['conf/.env', '.docker/config.json', '.config/gh/hosts.yml']) {
        await write(inWs(world, file), 'canary-5f0e');
      }
      await give(world.ws);
      await run('mkdir venv; mv conf venv/; mv .docker d; mv .config c');
    },
    line: () => 'cat venv/conf/.env d/config.json c/gh/hosts.yml conf/.env .docker/config.json .config/gh/*',
    harm: silent,
  },
  ...['k\\xff.pem', 'd\\xff/.env'].map(
    (name): Attack => ({
      name: `a secret whose path is not UTF-8, ${name}`,
      why: 'by another name it cannot be covered, and a stub would be left there',
      setup: async ({ ws }) => {
        execFileSync('bash', ['-c', `f=$'${name}'; [[ $f = */* ]] && mkdir "${'$'}{f%/*}"; echo canary-5f0e > "$f"`], {
          cwd: ws,
        });
      },
      line: () => 'cat *.pem */.env',
      harm: async ({ ws }) => ((await readdir(ws)).length === 4 ? undefined : `there is ${await readdir(ws)}`),
      unusable: 'name',
    }),
  ),
  {
    name: 'secrets taken away',
    why: 'they are in no repository',
    line: () => 'rm -f .env; echo x > .env; mv a.txt .env; : > .env',
    harm: (world) => changed(inWs(world, '.env'), 'canary-5f0e\n'),
  },
  {
    name: 'through a link that leads out',
    why: 'links are in repositories',
    setup: async (world) => {
      await symlink(world.home, inWs(world, 'h'));
      await symlink(`${world.outside}/file`, inWs(world, 'f'));
    },
    line: () => 'cat h/notes h/.ssh/id_rsa',
    harm: silent,
  },
  {
    name: 'by way of /proc',
    why: 'other processes see other files',
    line: ({ home, editorData }) =>
      `for p in /proc/[0-9]*; do cat $p/root${home}/notes $p/cwd/../home/notes $p/environ; done; cat /proc/self/root/../${editorData}/state.vscdb; ls /oldroot /newroot; cat /proc/self/fd/* < /dev/null`,
    harm: silent,
  },
  {
    name: 'what the editor was started with',
    why: 'tokens are passed in variables',
    line: () => 'env; cat /proc/*/environ | tr "\\0" "\\n"; echo $MY_TOKEN $SSH_AUTH_SOCK $SVC_PLAIN',
    harm: printed(/plain/),
  },
  {
    name: 'a forged worktree',
    why: 'the workspace can be written, so its .git files say what they like',
    async setup(world, { give }) {
      await write(inWs(world, 'w/.git'), `gitdir: ${world.home}/.ssh\n`);
      await write(inWs(world, 'v/.git'), `gitdir: ${world.editorData}\n`);
      const data = path.join(world.home, 'code/.git');
      await write(`${data}/worktrees/w/gitdir`, `${world.home}/w/.git\n`);
      await write(`${data}/worktrees/w/commondir`, '../..\n');
      await write(`${data}/config`, 'canary-5f0e');
      await write(inWs(world, 'u/.git'), `gitdir: ${data}/worktrees/w\n`);
      await give(world.home);
      await give(world.ws);
    },
    line: ({ home, editorData }) => `cat ${home}/.ssh/id_rsa ${editorData}/state.vscdb ${home}/code/.git/config`,
    harm: silent,
  },
  {
    name: 'password hashes',
    why: 'root may read them',
    line: () => 'cat /etc/shadow /etc/gshadow /etc/shadow-',
    harm: (_, text) => (/^root:/m.test(text) ? 'they are printed' : undefined),
  },
  {
    name: 'a folder that became a link while the user was asked',
    why: 'the folder was judged before',
    setup: async (world) => symlink(world.outside, inWs(world, 'sub')),
    line: () => 'pwd -P; echo x > here',
    more: (world) => ({ cwd: inWs(world, 'sub') }),
    harm: ({ outside }) => isThere(`${outside}/here`),
  },
];

const reaching: Attack[] = [
  connecting(
    'a service of this machine',
    'databases and debuggers listen there without a password',
    () => ({ port: 0 }),
    (_, port) => `exec 3<>/dev/tcp/127.0.0.1/${port}; cat <&3`,
  ),
  connecting(
    'a socket in a folder that is seen',
    'a read-only mount keeps nobody from connecting',
    ({ outside }) => `${outside}/socket`,
    ({ outside }) => unixConnect(`${outside}/socket`),
  ),
  connecting(
    'a socket in the workspace',
    'the programs that made it run outside',
    (world) => inWs(world, 'socket'),
    (world) => unixConnect(inWs(world, 'socket')),
  ),
  connecting(
    'a socket in the folder of temporary files',
    'agents and the editor listen there',
    () => `/tmp/svc-sandbox-${process.pid}`,
    () => unixConnect(`/tmp/svc-sandbox-${process.pid}`),
  ),
  connecting(
    'a socket in /run, with the network lifted',
    'the lift is for the network, not for who is root behind a socket',
    ({ outside }) => `${outside}/docker.sock`,
    ({ outside }) => unixConnect(`${outside}/docker.sock`),
    { network: true },
  ),
  connecting(
    'a socket without a file',
    'it is in no folder that could be covered',
    () => '\0svc-sandbox-abstract',
    () => unixConnect('\\0svc-sandbox-abstract'),
  ),
  {
    name: 'the machine that runs this one',
    why: 'that way is in no namespace',
    line: () => perl('socket(S,40,1,0) and print "open\\n"; print 0+$!, "\\n"'),
    more: () => ({ network: true }),
    harm: printed(/^1$/m),
  },
  {
    name: 'an interface of the network',
    why: 'the local network trusts who is in it',
    line: () => 'cat /proc/net/dev | grep : | grep -v lo:; cat /sys/class/net/*/address',
    harm: (_, text) => (/^\s*(?:eth|en|wl)\w*:/m.test(text) ? 'one is there' : undefined),
  },
  {
    name: 'the keys of the session',
    why: 'they are in the kernel and in no namespace',
    line: () => perl('print syscall($_, 0, 0, 0, 0, 0) , " ", 0+$!, "\\n" for (248, 249, 250)'),
    harm: (_, text) => (process.arch !== 'x64' || text === '-1 1\n-1 1\n-1 1\n' ? undefined : `printed ${text}`),
  },
  {
    name: 'calls that stand for other calls',
    why: 'no filter sees what is inside of them',
    line: () => perl('print syscall(425, 1, 0) , " ", 0+$!, "\\n"'),
    harm: printed(/^-1 38$/m),
  },
  {
    name: 'text for the terminal of somebody else',
    why: 'it would be read as typed',
    line: () =>
      `${perl('open(T, "+</dev/ptmx"); my $b = "x"; print ioctl(T, 0x5412, $b) || 0+$!, "\\n"; print ioctl(T, 0x541c, $b) || 0+$!, "\\n"')}; echo x > /dev/tty`,
    harm: printed(/^1\n1\n/),
  },
  {
    name: 'what else this process has open',
    why: 'an open file needs no permission any more',
    line: () => 'ls /proc/self/fd | tr "\\n" " "; ls -l /proc/$$/fd',
    harm: (_, text) => (/^0 1 2 3 total/.test(text) ? undefined : `printed ${text}`),
  },
];

let victim: ReturnType<typeof spawn> | undefined;

const growing: Attack[] = [
  {
    name: 'mounts and namespaces',
    why: 'in a namespace of its own a program has every right',
    line: ({ ws }) =>
      `unshare -Ur true && echo grown; unshare -Urm mount -t tmpfs x ${ws} && echo grown; mount -o remount,rw / && echo grown; mount --bind / ${ws}/a && echo grown; umount ${ws}/.git && echo grown; chroot / true && echo grown; echo done`,
    harm: (_, text) => (/grown/.test(text) || !/done/.test(text) ? `printed ${text}` : undefined),
  },
  {
    name: 'another user',
    why: 'root could do more',
    // Over another's files root has rights; another test tells which.
    as: ['root', 'somebody'],
    line: () => 'grep -E "Cap(Eff|Prm|Bnd)|NoNewPrivs" /proc/self/status; su -c "echo grown" root < /dev/null',
    harm: (_, text) =>
      /NoNewPrivs:\s*1/.test(text) && !/grown$/m.test(text) && !/Cap\w+:\s*0*[1-9a-f]/.test(text)
        ? undefined
        : `printed ${text}`,
  },
  {
    name: 'a process outside',
    why: 'it is the user’s',
    setup: async () => {
      victim = spawn('sleep', ['600']);
    },
    line: () => `kill -9 ${victim?.pid}; ls -d /proc/[0-9]* | wc -l`,
    harm() {
      const isAlive = victim?.exitCode === null && victim.signalCode === null;
      victim?.kill('SIGKILL');
      return isAlive ? undefined : 'it was ended';
    },
  },
  {
    name: 'to go on after the end',
    why: 'nobody would stop it',
    line: () => 'setsid sleep 98765 >/dev/null 2>&1 & (sleep 98766 &) ; disown -a; sleep 0.05',
    async harm() {
      const left = spawn('sh', [
        '-c',
        'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " " | grep -c "sleep 9876[56]"',
      ]);
      let text = '';
      left.stdout.on('data', (chunk) => {
        text += chunk;
      });
      await new Promise((resolve) => left.once('close', resolve));
      // The one that looks is there itself.
      return text.trim() === '1' || text.trim() === '0' ? undefined : `${text} processes`;
    },
  },
  {
    name: 'the process whose end ends all others',
    why: 'who is debugged can be made to outlive what started it',
    line: () =>
      `${perl('print syscall(101, 0x4206, 1, 0, 0), " ", 0+$!, "\n"; print open(F, "+<", "/proc/1/mem") ? "open" : "no", "\n"; print open(F, "+<", "/proc/1/task/1/mem") ? "open" : "no", "\n"; my $b = "x" x 8; my $v = pack("PQ", $b, 8); print syscall(311, 1, $v, 1, $v, 1, 0), " ", 0+$!, "\n"')}; ls /proc/1; touch /proc/1/x 2>/dev/null && echo made; ${perl('my $p = fork || do { sleep 9; exit }; print syscall(101, 0x4206, $p, 0, 0), "\n"; kill 9, $p')}`,
    harm: (_, text) => (process.arch !== 'x64' || text === '-1 1\nno\nno\n-1 1\n0\n' ? undefined : `printed ${text}`),
  },
  {
    name: 'processes without end',
    why: 'the machine would stand still',
    as: ['somebody'],
    line: () => 'ulimit -u; ulimit -c; cat /proc/self/oom_score_adj',
    harm: printed(/^4096\n0\n1000\n$/),
  },
  {
    name: 'a folder that is no root to be opened',
    why: 'the home folder is what is to be hidden',
    line: () => 'true',
    more: ({ home }) => ({ roots: [home], cwd: home }),
    harm: silent,
    unusable: 'home',
  },
  {
    name: 'a folder that holds the editor’s data',
    why: 'keys would lie in the workspace',
    line: () => 'true',
    more: ({ base }) => ({ roots: [base], cwd: base }),
    harm: silent,
    unusable: 'home',
  },
];

export const attacks: readonly { title: string; attacks: readonly Attack[] }[] = [
  { title: 'writes', attacks: writing },
  { title: 'reads', attacks: reading },
  { title: 'reaches', attacks: reaching },
  { title: 'grows', attacks: growing },
];

/** What is new and obeyed, and cannot be prevented. */
export const reported: readonly {
  name: string;
  setup?(world: World): Promise<void>;
  line: string;
  appeared: readonly string[];
}[] = [
  { name: 'nothing of what is ordinary', line: 'mkdir d; echo x > d/f; ln -s d e', appeared: [] },
  {
    name: 'what was made by hand, by a rename and by unpacking',
    line: 'mkdir -p s/x t/d; echo x > CLAUDE.md; mkdir d; mv d s/.vscode; touch t/d/AGENTS.md; tar cf - -C t . | tar xf - -C s; mkdir g; git init -q g --bare',
    appeared: ['CLAUDE.md', 'g', 's/.vscode', 's/d/AGENTS.md', 't/d/AGENTS.md'],
  },
  {
    name: 'also when there is something because of which the next command asks',
    line: 'echo x > AGENTS.md; ln -s . .idea',
    appeared: ['.idea', 'AGENTS.md'],
  },
  {
    name: 'also when it is too much to be covered',
    line: 'mkdir $(seq 900); for n in $(seq 900); do : > $n/.env; done; touch AGENTS.md',
    appeared: ['AGENTS.md'],
  },
  {
    name: 'links that lead out, to nothing or elsewhere than before',
    setup: async (world) => {
      await write(inWs(world, 'r.md'), 'rules');
      for (const name of ['AGENTS.md', 'GEMINI.md']) await symlink('r.md', inWs(world, name));
    },
    line: 'ln -s $(grep " /tmp " /proc/self/mountinfo | cut -d " " -f 4)/x CLAUDE.md; ln -s nothing QWEN.md; ln -sfn a.txt AGENTS.md',
    appeared: ['AGENTS.md', 'CLAUDE.md', 'QWEN.md', 'a.txt'],
  },
];

/** What has to go on working, else nobody would leave it on. */
export const ordinary: readonly { line: string; prints: RegExp; network?: true }[] = [
  { line: 'mkdir -p d && echo ok > d/f && mv d e && cat e/f && rm -r e && ls', prints: /^ok\na\.txt\n$/ },
  {
    line: 'mkdir s t; echo ok > s/f; mv s/f t/; ln t/f t/g; mv t/g .; mv t u; rm -r s; cat u/f g',
    prints: /^ok\nok\n$/,
  },
  { line: 'touch $(printf "n\\xff"); ls | wc -l', prints: /^2\n$/ },
  { line: 'echo t > /tmp/x; cat /tmp/x; echo h > ~/x; cat ~/x', prints: /^t\nh\n$/ },
  { line: 'cat /tmp/x ~/x', prints: /^t\nh\n$/ },
  { line: 'cat .git/HEAD', prints: /^ref:/ },
  { line: 'echo $((6*7)) | grep 4 | wc -l; seq 3 | sort -r | head -1', prints: /^1\n3\n$/ },
  { line: 'command -v sh perl ls >/dev/null && echo found', prints: /^found\n$/ },
  { line: 'pwd; echo "$HOME" | grep -c home', prints: /ws\d+\n1\n$/ },
  { line: 'bash -c "kill -9 \\$\\$"; echo $?', prints: /137\n$/ },
  { line: 'head -c 3000000 /dev/zero | wc -c', prints: /^3000000\n$/ },
  { line: 'ls -d "$PWD/.vscode"; touch b.txt; stat -c %s b.txt', prints: /0\n$/ },
];
