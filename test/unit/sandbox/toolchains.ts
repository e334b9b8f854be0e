import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import type { RunnerInput, World } from './sandboxed.ts';

/** A line of daily work that has to run unasked, or after one click. */
export interface Work {
  /** Codes of the requirements, then what it is. */
  name: string;
  /** Programs without which it says nothing. */
  needs: readonly string[];
  /** `run`: a command before this one. */
  setup?(world: World & { run?(line: string): Promise<unknown> }): Promise<void> | void;
  line(world: World): string;
  /** Asked for after the setup. */
  more?: Partial<RunnerInput> | (() => Partial<RunnerInput>);
  prints: RegExp;
  /** Needs programs that only `test:all` has. */
  isLong?: boolean;
  /** Hosts that the user is asked about. */
  asks?: readonly string[];
  /** What the sandbox says it kept away. */
  blocked?: readonly string[];
  /** What is told as loaded by programs of the editor. */
  loaded?: readonly string[];
  /** What is wrong afterwards. */
  harm?(world: World): string | undefined;
  close?(): unknown;
}

export const write = async (world: World, files: Record<string, string>) => {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(world.ws, name)), { recursive: true });
    await writeFile(path.join(world.ws, name), text);
  }
};

export const commit = async (world: World, files: Record<string, string>) => {
  await write(world, files);
  const git = (...args: string[]) =>
    execFileSync(
      'git',
      ['-C', world.ws, '-c', 'safe.directory=*', '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args],
      {
        env: { PATH: process.env.PATH, HOME: world.outside, GIT_CONFIG_NOSYSTEM: '1' },
        stdio: 'ignore',
      },
    );
  git('init', '-q');
  git('add', '-f', ...Object.keys(files));
  git('commit', '-qm', 'x');
};

const key = '-----BEGIN PRIVATE KEY-----\nfixture\n';

const committed: Work[] = [
  {
    name: 'F31 test keys and environments that are committed are read',
    needs: ['git'],
    setup: (world) => commit(world, { 'test/tls/server.key': key, '.env.test': 'PORT=1\n', 'a/b.pem': key }),
    line: () => 'cat test/tls/server.key .env.test a/b.pem | grep -c -e fixture -e PORT=1; rm -r a && ls -d a',
    prints: /^3\n.*No such file/s,
  },
  {
    name: 'X52 X55 what was changed after the commit is a secret again',
    needs: ['git'],
    async setup(world) {
      await commit(world, { '.env': 'A=1\n', 'k.pem': key, 'staged.key': key });
      await write(world, { '.env': 'A=canary-5f0e\n', 'new.pem': 'canary-5f0e', 'k.pem': `${key}canary-5f0e` });
    },
    line: () => 'cat .env new.pem k.pem; cat staged.key | tail -1',
    prints: /(?:Permission denied.*){3}fixture\n$/s,
  },
  {
    name: 'X52 a repository inside cannot vouch for a file outside of it',
    needs: ['git'],
    async setup(world) {
      await commit(world, { 'x.txt': 'x' });
      await write(world, { 'deep/.env': 'canary-5f0e\n', 'deep/.git/HEAD': 'ref: refs/heads/main\n' });
      await write(world, { 'real.pem': 'canary-5f0e\n' });
    },
    line: () => 'cat deep/.env real.pem',
    prints: /(?:Permission denied.*){2}/s,
  },
];

let server: Server | undefined;
let asked: string[] = [];

/** A registry of packages on this machine that knows one version of every package. */
async function openRegistry(): Promise<string> {
  asked = [];
  server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization ?? 'nobody'}`);
    const name = decodeURIComponent((request.url ?? '').slice(1).split('?', 1)[0] ?? '');
    const version = { name, version: '9.9.9', dist: { tarball: `http://127.0.0.1/${name}.tgz`, shasum: 'x' } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ name, 'dist-tags': { latest: '9.9.9' }, versions: { '9.9.9': version } }));
  }).unref();
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

const closeRegistry = () => {
  server?.close();
};

/** Tools whose settings in the home folder say where packages come from: as `good` has it, and `bad` is not understood. */
const installers = [
  {
    ...{ tool: 'pip', needs: ['python3'], file: '.config/pip/pip.conf', host: 'pypi.example.org' },
    good: '[global]\nindex-url = https://ada:canary-5f0e@pypi.example.org/simple\n',
    bad: '[global]\nindex-url = https://a:b/canary-5f0e@pypi.example.org/simple\n',
    files: {} as Readonly<Record<string, string>>,
    line: 'python3 -m venv v && v/bin/pip download -d d thing',
  },
  {
    ...{ tool: 'cargo', needs: ['cargo'], file: '.cargo/config.toml', host: 'crates.example.org' },
    good: '[source.crates-io]\nreplace-with = "corp"\n[source.corp]\nregistry = "https://crates.example.org/"\n[registry]\ntoken = "canary-5f0e"\n',
    bad: '[source.crates-io\ntoken = "canary-5f0e"\n',
    files: {
      'Cargo.toml': '[package]\nname = "p"\nversion = "1.0.0"\nedition = "2021"\n[dependencies]\nthing = "1"\n',
      'src/main.rs': 'fn main() {}\n',
    },
    line: '/usr/bin/cargo fetch',
  },
  {
    ...{ tool: 'Maven', needs: ['mvn'], file: '.m2/settings.xml', host: 'maven.example.org' },
    good: '<settings><servers><server><id>m</id><password>canary-5f0e</password></server></servers><mirrors><mirror><id>m</id><mirrorOf>*</mirrorOf><url>https://maven.example.org/m2</url></mirror></mirrors></settings>',
    bad: '<settings><!-- canary-5f0e <mirrors/></settings>',
    files: {
      'pom.xml':
        '<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>p</artifactId><version>1</version></project>',
    },
    line: 'mvn -B -Duser.home=$HOME compile',
  },
].flatMap(({ tool, needs, file, host, good, bad, files, line }): Work[] => {
  const setup = (text: string) => async (world: World) => {
    const own = path.join(world.home, file);
    await mkdir(path.dirname(own), { recursive: true });
    await writeFile(own, text);
    // What a command of before left in the way.
    const folder = file.split('/', 1)[0] ?? '';
    await mkdir(path.join(world.state, 'one/home'), { recursive: true });
    await rm(path.join(world.state, 'one/home', folder), { recursive: true, force: true });
    await symlink(world.outside, path.join(world.state, 'one/home', folder));
    await write(world, files);
  };
  const found = `${line} 2>&1 | grep -oE "${host.replaceAll('.', '[.]')}|hidden-by-the-sandbox" | sort -u`;
  const harm = (world: World) => {
    rmSync(path.join(world.home, file));
    return existsSync(path.join(world.outside, path.basename(file))) ? 'a link was followed' : undefined;
  };
  return [
    {
      ...{ name: `X63 ${tool} asks the registry of the user’s settings, which no command can change`, needs, harm },
      setup: setup(good),
      line: () => `${found}; cat ~/${file}; (echo x > ~/${file}) 2>/dev/null || echo closed`,
      prints: new RegExp(`^${host}\\n.*closed\\n$`, 's'),
      ...{ blocked: [`${host}:443`], isLong: true },
    },
    {
      ...{ name: `X63 ${tool} asks none where these are not understood`, needs, harm },
      setup: setup(bad),
      line: () => found,
      prints: /^hidden-by-the-sandbox\n$/,
      ...{ blocked: [], isLong: true },
    },
  ];
});

const registries: Work[] = [
  {
    name: 'X63 a private scope comes from its registry, without the token, and scripts stay off',
    needs: ['npm'],
    async setup(world) {
      const host = await openRegistry();
      const text = `@corp:registry=http://user:canary-5f0e@${host}/\n//${host}/:_authToken=canary-5f0e\nignore-scripts=true\nupdate-notifier=false\n`;
      await write(world, { '.npmrc': text, 'package.json': '{}' });
    },
    line: () => 'npm view @corp/thing version; npm config get ignore-scripts; cat .npmrc | wc -l; echo x > .npmrc',
    more: { network: true },
    prints: /^9\.9\.9\ntrue\n3\n.*(?:Read-only|denied)/s,
    harm: () => (asked.join() === '/@corp%2fthing nobody' ? undefined : `asked ${asked}`),
    close: closeRegistry,
  },
  {
    name: 'X63 settings that are not understood open no public registry',
    needs: ['npm'],
    setup: (world) => write(world, { '.npmrc': '[corp]\nregistry=http://127.0.0.1:1/\n', 'package.json': '{}' }),
    line: () => 'npm view left-pad version 2>&1 | grep -o "registry-settings-hidden[a-z.-]*" | head -1',
    more: { network: true },
    prints: /^registry-settings-hidden-by-the-sandbox\.invalid\n$/,
  },
  {
    name: 'X63 the settings of the user count as those of the project do, whatever a command left in their place',
    needs: ['npm'],
    async setup(world) {
      const host = await openRegistry();
      await writeFile(
        path.join(world.home, '.npmrc'),
        `registry=http://${host}/\n//${host}/:_authToken=canary-5f0e\nupdate-notifier=false\n`,
      );
      await mkdir(path.join(world.state, 'one/home'), { recursive: true });
      execFileSync('ln', ['-sfn', path.join(world.outside, 'planted'), path.join(world.state, 'one/home/.npmrc')]);
      await write(world, { 'package.json': '{}' });
    },
    line: () => 'npm view thing version; cat ~/.npmrc | wc -l',
    more: { network: true },
    prints: /^9\.9\.9\n2\n$/,
    harm(world) {
      execFileSync('rm', ['-f', path.join(world.home, '.npmrc')]);
      return existsSync(path.join(world.outside, 'planted')) ? 'a link was followed' : undefined;
    },
    close: closeRegistry,
  },
  ...installers,
  {
    name: 'F31 an installation without a network ends soon, and says so',
    needs: ['npm'],
    setup: (world) => write(world, { 'package.json': '{"dependencies":{"thing":"1.0.0"}}' }),
    line: () =>
      'npm install --registry http://registry.example.org/ 2>&1 | grep -m1 -o "403 Forbidden"; npm install --registry https://registry.example.org/ 2>&1 | grep -m1 -o "access denied"',
    prints: /^403 Forbidden\naccess denied\n$/,
    blocked: ['registry.example.org:80', 'registry.example.org:443'],
  },
];

const outputs: Work[] = [
  {
    name: 'F31 a folder of a build with a config in it is removed and made anew',
    needs: [],
    setup: (world) => write(world, { 'dist/config': 'x', 'dist/deep/HEAD': 'x' }),
    line: () => 'rm -rf dist && mkdir dist && echo ok > dist/config && cat dist/config',
    prints: /^ok\n$/,
  },
  {
    name: 'X52 of a repository in such a folder nothing can be changed all the same',
    needs: [],
    setup: (world) =>
      write(world, { 'dist/r/config': 'x', 'dist/r/HEAD': 'x', 'dist/r/objects/x': '', 'dist/r/refs/x': '' }),
    line: () => 'echo y > dist/r/config; rm -rf dist; cat dist/r/config',
    prints: /Read-only.*x$/s,
  },
  {
    name: 'F31 an environment that a build wrote is removed by the next',
    needs: [],
    async setup(world) {
      for (let build = 0; build < 2; build++) {
        await world.run?.('rm -rf dist; mkdir dist; echo A=1 > dist/.env.production');
      }
    },
    line: () => 'cat dist/.env.production; rm -rf dist; ls -d dist',
    prints: /^A=1\n.*No such file/s,
  },
  {
    name: 'X52 another file in the place of one that a build wrote is a secret, and so is an older one',
    needs: [],
    async setup(world) {
      await write(world, { 'dist/.env.old': 'canary-5f0e' });
      await world.run?.('echo A=1 > dist/.env.production');
      await write(world, { 'dist/new': 'canary-5f0e' });
      await rename(path.join(world.ws, 'dist/new'), path.join(world.ws, 'dist/.env.production'));
    },
    line: () => 'cat dist/.env.production dist/.env.old',
    prints: /(?:Permission denied.*){2}/s,
  },
];

const telling: Work[] = [
  {
    name: 'F31 a commit is told by the file that git could not write, piped and with exit code 0',
    needs: ['git'],
    setup: (world) => commit(world, { 'a.txt': 'a\n' }),
    line: () => 'echo b > a.txt; git -c safe.directory=* commit -am x 2>&1 | tail -3',
    prints: /Read-only file system/,
    blocked: ['write .git/index.lock'],
  },
  {
    name: 'F31 an installation that was piped is told by its host',
    needs: ['npm'],
    setup: (world) => write(world, { 'package.json': '{"dependencies":{"thing":"1.0.0"}}' }),
    line: () => 'npm install --registry https://registry.example.org/ 2>&1 | tail -9',
    prints: /registry\.example\.org/,
    blocked: ['registry.example.org:443'],
  },
  {
    name: 'F31 a folder that cannot be removed is told by the file in it',
    needs: [],
    setup: (world) => write(world, { 'keys/server.pem': 'x' }),
    line: () => 'rm -rf keys; cat keys/server.pem; echo x > /usr/svc-x; true',
    prints: /busy/,
    blocked: ['move keys/server.pem', 'read keys/server.pem', 'write /usr/svc-x'],
  },
];

const lifted: Work[] = [
  {
    name: 'F31 a secret and settings of the editor are there for a command once the user said so, and what was changed is told',
    needs: [],
    setup: (world) => write(world, { 'sub/.env.local': 'A=1\n', '.vscode/settings.json': '{}\n' }),
    line: () =>
      'cat sub/.env.local; echo "{ }" > .vscode/settings.json; cat .vscode/settings.json; echo x > .git/hooks/x',
    more: { uncovered: ['sub/.env.local', '.vscode'] },
    prints: /^A=1\n\{ \}\n.*Read-only file system/,
    blocked: ['write .git/hooks/x'],
  },
];

const loadedByEditors =
  'eslint.config.js vite.config.ts .eslintrc.json .prettierrc conftest.py a/conftest.py build.rs Cargo.toml package.json a/build.gradle settings.gradle.kts pom.xml CMakeLists.txt .clangd mise.toml pyvenv.cfg Makefile'.split(
    ' ',
  );

const loaded: Work[] = [
  {
    name: 'X57 what programs of the editor load by themselves is told once it was written, by each name',
    needs: [],
    setup: (world) =>
      write(world, { 'a/x': '', 'vite.config.ts': 'old', 'package.json': '{}', 'jest.config.js': 'same' }),
    line: () =>
      `echo x | tee ${loadedByEditors.join(' ')} dist.txt >/dev/null; mkdir dist node_modules; cp package.json dist; cp package.json node_modules; cat jest.config.js >/dev/null; echo ok`,
    prints: /^ok\n$/,
    loaded: loadedByEditors,
  },
  {
    name: 'X57 nor is a change hidden by the time and the size of before',
    needs: [],
    setup: (world) => write(world, { 'conftest.py': 'old' }),
    line: () => 'touch -r conftest.py t; printf new > conftest.py; touch -r t conftest.py; cat conftest.py',
    prints: /^new$/,
    loaded: ['conftest.py'],
  },
];

export const daily: readonly { title: string; work: readonly Work[] }[] = [
  { title: 'committed files', work: committed },
  { title: 'registries', work: registries },
  { title: 'folders of builds', work: outputs },
  { title: 'what is told', work: telling },
  { title: 'what editors load', work: loaded },
  { title: 'what is lifted for one command', work: lifted },
];
