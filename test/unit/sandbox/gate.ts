import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunnerInput, World } from './sandboxed.ts';
import { commit, type Work, write } from './toolchains.ts';

/** Packages of npm that the works of `test:all` run; fetched once, as a project fetches its own. */
const packages =
  'pnpm@9.8.0 yarn@1.22.22 vitest@5.1.1 jest@30.5.2 mocha@11.8.0 eslint@10.15.0 prettier@3.10.1 vite@8.3.8 typescript@5.9.3 esbuild@0.28.2';
export const toolsFolder = path.resolve(import.meta.dirname, '../../../../.vscode-test/toolchains');

export function fetchTools(): void {
  const listed = path.join(toolsFolder, 'fetched.txt');
  if (existsSync(listed) && readFileSync(listed, 'utf8') === packages) return;
  mkdirSync(toolsFolder, { recursive: true });
  const args = ['install', '--prefix', toolsFolder, '--no-audit', '--no-fund', '--ignore-scripts', '--silent'];
  execFileSync('npm', [...args, ...packages.split(' ')], { cwd: toolsFolder, stdio: 'inherit' });
  writeFileSync(listed, packages);
}

/** Stands for every host that is asked for: a registry of npm, of Go, of Python, and a server of git. */
interface StandIn {
  server: Server;
  port: number;
  /** `host/path`, in the order in which they were asked for. */
  asked: string[];
  lockOf(name: string): { version: string; resolved: string; integrity: string };
}

let standIn: StandIn | undefined;

async function openStandIn(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'stand-in-'));
  mkdirSync(path.join(folder, 'package'));
  writeFileSync(path.join(folder, 'package/package.json'), '{"name":"thing","version":"1.0.0","main":"index.js"}');
  writeFileSync(path.join(folder, 'package/index.js'), 'module.exports = "a thing"\n');
  const tarball = execFileSync('tar', ['czf', '-', '-C', folder, 'package']);
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const resolved = 'http://registry.example.org/thing/-/thing-1.0.0.tgz';
  const version = { name: 'thing', version: '1.0.0', main: 'index.js', dist: { tarball: resolved, integrity } };
  const packument = { name: 'thing', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } };
  const zipOf = (files: Record<string, string>) =>
    execFileSync('/usr/bin/python3', [
      '-c',
      'import io,json,sys,zipfile\nb=io.BytesIO()\nz=zipfile.ZipFile(b,"w")\nfor n,t in json.loads(sys.argv[1]).items(): z.writestr(n,t)\nz.close()\nsys.stdout.buffer.write(b.getvalue())',
      JSON.stringify(files),
    ]);
  const info = 'thing-1.0.0.dist-info';
  const served: Record<string, () => string | Buffer> = {
    'registry.example.org/thing': () => JSON.stringify(packument),
    'registry.example.org/thing/-/thing-1.0.0.tgz': () => tarball,
    'go.example.org/example.org/m/@v/list': () => 'v1.0.0\n',
    'go.example.org/example.org/m/@v/v1.0.0.info': () => '{"Version":"v1.0.0","Time":"2026-01-01T00:00:00Z"}',
    'go.example.org/example.org/m/@latest': () => '{"Version":"v1.0.0","Time":"2026-01-01T00:00:00Z"}',
    'go.example.org/example.org/m/@v/v1.0.0.mod': () => 'module example.org/m\n',
    'go.example.org/example.org/m/@v/v1.0.0.zip': () =>
      zipOf({
        'example.org/m@v1.0.0/go.mod': 'module example.org/m\n',
        'example.org/m@v1.0.0/m.go': 'package m\n\nfunc Thing() string { return "a thing" }\n',
      }),
    'pypi.example.org/simple/thing/': () => '<a href="/thing-1.0.0-py3-none-any.whl">thing-1.0.0-py3-none-any.whl</a>',
    'pypi.example.org/thing-1.0.0-py3-none-any.whl': () =>
      zipOf({
        'thing.py': 'name = "a thing"\n',
        [`${info}/METADATA`]: 'Metadata-Version: 2.1\nName: thing\nVersion: 1.0.0\n',
        [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
        [`${info}/RECORD`]: `thing.py,,\n${info}/METADATA,,\n${info}/WHEEL,,\n${info}/RECORD,,\n`,
      }),
  };
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const place = `${request.headers.host}${decodeURIComponent((request.url ?? '').split('?', 1)[0] ?? '')}`;
    asked.push(place);
    const inGit = place.startsWith('git.example.org/') && path.join(folder, place.slice('git.example.org/'.length));
    if (inGit && statSync(inGit, { throwIfNoEntry: false })?.isFile()) return response.end(readFileSync(inGit));
    const body = served[place]?.();
    if (body === undefined) response.statusCode = 404;
    if (place.endsWith('/')) response.setHeader('content-type', 'text/html');
    response.end(body);
  }).unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  standIn = { server, port, asked, lockOf: () => ({ version: '1.0.0', resolved, integrity }) };
  const dep = path.join(folder, 'work');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      ...{ cwd: dep, stdio: 'ignore', env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' } },
    });
  mkdirSync(path.join(dep, 'src'), { recursive: true });
  writeFileSync(path.join(dep, 'Cargo.toml'), '[package]\nname = "thing"\nversion = "1.0.0"\nedition = "2021"\n');
  writeFileSync(path.join(dep, 'src/lib.rs'), 'pub fn thing() -> &\'static str { "a thing" }\n');
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'thing');
  git('clone', '-q', '--bare', '.', '../dep.git');
  execFileSync('git', ['--git-dir', path.join(folder, 'dep.git'), 'update-server-info']);
}

const closeStandIn = () => void standIn?.server.close();

/** One click on each host that is asked about. */
const agreed = (): Partial<RunnerInput> => ({
  answer: 'allow',
  conversationId: `gate${Math.random()}`,
  hosts: Object.fromEntries(
    ['registry', 'go', 'pypi', 'git'].map((name) => [`${name}.example.org:80`, standIn?.port ?? 0]),
  ),
});

const registry = 'registry=http://registry.example.org/\nupdate-notifier=false\naudit=false\nfund=false\n';
const manifest = JSON.stringify({ name: 'p', version: '1.0.0', dependencies: { thing: '1.0.0' } });
const lock = () =>
  JSON.stringify({
    ...{ name: 'p', version: '1.0.0', lockfileVersion: 3, requires: true },
    packages: {
      '': { name: 'p', version: '1.0.0', dependencies: { thing: '1.0.0' } },
      'node_modules/thing': standIn?.lockOf('thing'),
    },
  });
const useThing = `node -e 'console.log(require("thing"))'`;

const installing: Work[] = [
  {
    name: 'npm ci, after one click',
    needs: ['npm'],
    async setup(world) {
      await openStandIn();
      await write(world, { '.npmrc': registry, 'package.json': manifest, 'package-lock.json': lock() });
    },
    line: () => `npm ci 2>&1 | tail -1; ${useThing}`,
    more: agreed,
    prints: /a thing\n$/,
    asks: ['registry.example.org:80'],
    close: closeStandIn,
  },
  {
    name: 'npm install of one package, after one click',
    needs: ['npm'],
    async setup(world) {
      await openStandIn();
      await write(world, { '.npmrc': registry, 'package.json': '{}' });
    },
    line: () => `npm install thing 2>&1 | tail -1; ${useThing}; cat package.json`,
    more: agreed,
    prints: /a thing\n\{\s+"dependencies": \{\s+"thing": "\^1\.0\.0"/,
    asks: ['registry.example.org:80'],
    loaded: ['package-lock.json', 'package.json'],
    close: closeStandIn,
  },
  {
    name: 'npm ci, refused: soon over, told through a pipe, and nobody outside was asked',
    needs: ['npm'],
    async setup(world) {
      await openStandIn();
      await write(world, { '.npmrc': registry, 'package.json': manifest, 'package-lock.json': lock() });
    },
    line: () => 'npm ci 2>&1 | tail -30; ls node_modules 2>&1; cat ~/.npm/_logs/* | grep -c "attempt [23]"',
    more: () => ({ ...agreed(), answer: 'refuse' }),
    prints: /403 Forbidden.*No such file.*\n0\n$/s,
    asks: ['registry.example.org:80'],
    blocked: ['registry.example.org:80'],
    harm: () => (standIn?.asked.length === 0 ? undefined : `asked ${standIn?.asked}`),
    close: closeStandIn,
  },
  ...(['pnpm', 'yarn'] as const).map(
    (program): Work => ({
      name: `${program} install, after one click`,
      needs: [],
      isLong: true,
      async setup(world) {
        await openStandIn();
        await write(world, {
          '.npmrc': registry,
          '.yarnrc': 'registry "http://registry.example.org/"\n',
          'package.json': manifest,
        });
      },
      line: () => `${toolsFolder}/node_modules/.bin/${program} install 2>&1 | tail -3; ${useThing}`,
      more: agreed,
      prints: /a thing\n$/,
      asks: ['registry.example.org:80'],
      close: closeStandIn,
    }),
  ),
];

const linked = async (world: World, files: Record<string, string>) => {
  await write(world, { 'package.json': '{"type":"module"}', ...files });
  symlinkSync(path.join(toolsFolder, 'node_modules'), path.join(world.ws, 'node_modules'));
};

const node: Work[] = [
  {
    name: 'npm run, npm test and node:test',
    needs: ['npm'],
    setup: (world) =>
      write(world, {
        'package.json': '{"scripts":{"hi":"echo hi","test":"node --test"}}',
        'a.test.js': 'require("node:test")("adds", () => require("node:assert").equal(1 + 1, 2))\n',
      }),
    line: () => 'npm run -s hi; npm test 2>&1 | grep -E "^(#|ℹ) pass"',
    prints: /^hi\n\S+ pass 1\n$/,
  },
  ...Object.entries<{ files: Record<string, string>; line: string; prints: RegExp }>({
    vitest: {
      files: { 'a.test.js': 'import { expect, it } from "vitest"; it("adds", () => expect(1 + 1).toBe(2))' },
      line: 'npx vitest run 2>&1 | grep -c "1 passed"',
      prints: /^[12]\n$/,
    },
    jest: {
      files: { 'package.json': '{}', 'a.test.js': 'test("adds", () => expect(1 + 1).toBe(2))' },
      line: 'npx jest 2>&1 | grep Tests:',
      prints: /1 passed/,
    },
    mocha: { files: { 'test/a.js': 'it("adds", () => {})' }, line: 'npx mocha', prints: /1 passing/ },
    eslint: {
      files: { 'eslint.config.js': 'export default [{ rules: { "no-var": "error" } }]', 'a.js': 'var x\n' },
      line: 'npx eslint a.js; npx eslint --fix a.js; cat a.js',
      prints: /no-var.*let x\n$/s,
    },
    prettier: { files: { 'a.js': 'x  =  1' }, line: 'npx prettier --write a.js; cat a.js', prints: /x = 1;\n$/ },
    tsc: {
      files: {
        'a.ts': 'export const x: number = 1;',
        'tsconfig.json': '{"compilerOptions":{"outDir":"dist","types":[]},"files":["a.ts"]}',
      },
      line: 'npx tsc && cat dist/a.js; rm -rf dist && ls',
      prints: /x = 1;\na\.ts\na\.txt\n/,
    },
    esbuild: {
      files: { 'a.ts': 'console.log(1 as number)' },
      line: 'npx esbuild a.ts --bundle --outfile=dist/a.js 2>/dev/null; node dist/a.js',
      prints: /^1\n$/,
    },
    vite: {
      files: { 'index.html': '<script type="module" src="/a.js"></script>', 'a.js': 'console.log("built")' },
      line: 'npx vite build >/dev/null 2>&1; grep -c built dist/assets/*.js',
      prints: /^1\n$/,
    },
  }).map(
    ([name, { files, line, prints }]): Work => ({
      ...{ name: `${name}, from packages behind a link`, needs: [], isLong: true, prints },
      setup: (world) => linked(world, files),
      line: () => line,
    }),
  ),
];

const native: Work[] = [
  {
    name: 'make and gcc: build, run, clean',
    needs: ['make', 'gcc'],
    isLong: true,
    setup: (world) =>
      write(world, {
        Makefile: 'a: a.c\n\tgcc -o a a.c\nclean:\n\trm -f a\n',
        'a.c': '#include <stdio.h>\nint main(void) { puts("built"); }\n',
      }),
    line: () => 'make -s && ./a && make -s clean && ls',
    prints: /^built\nMakefile\na\.c\n/,
  },
  {
    name: 'cmake: configure, build, test, clean',
    needs: ['cmake', 'make', 'gcc'],
    isLong: true,
    setup: (world) =>
      write(world, {
        'CMakeLists.txt':
          'cmake_minimum_required(VERSION 3.10)\nproject(p C)\nenable_testing()\nadd_executable(a a.c)\nadd_test(runs a)\n',
        'a.c': 'int main(void) { return 0; }\n',
      }),
    line: () =>
      '{ cmake -S . -B build && cmake --build build; } >/dev/null && ctest --test-dir build | grep passed; rm -rf build && ls -d build',
    prints: /100% tests passed.*No such file/s,
  },
  {
    name: 'go: build and test without a network, then a module after one click',
    needs: ['go'],
    isLong: true,
    async setup(world) {
      await openStandIn();
      await write(world, {
        'go.mod': 'module example.org/p\n\ngo 1.19\n',
        'a.go': 'package main\n\nfunc main() { println(1 + 1) }\n',
        'a_test.go': 'package main\n\nimport "testing"\n\nfunc TestA(t *testing.T) {}\n',
        'b/b.go': 'package main\n\nimport "example.org/m"\n\nfunc main() { print(m.Thing()) }\n',
      });
    },
    line: () =>
      'go run a.go; go test . | cut -f1; export GOPROXY=http://go.example.org GONOSUMDB="*" GONOSUMCHECK=1 GOFLAGS=-mod=mod GONOSUMDB="*" GOSUMDB=off; go get example.org/m@v1.0.0 >/dev/null 2>&1; go run ./b',
    more: agreed,
    prints: /^2\nok {2}\na thing$/,
    asks: ['go.example.org:80'],
    close: closeStandIn,
  },
  {
    name: 'cargo: build and test without a network, then a dependency from git after one click',
    needs: ['cargo', 'git'],
    isLong: true,
    async setup(world) {
      await openStandIn();
      await write(world, {
        'Cargo.toml': '[package]\nname = "p"\nversion = "1.0.0"\nedition = "2021"\n',
        'src/main.rs': 'fn main() { println!("built") }\n#[test]\nfn adds() {}\n',
        'b/Cargo.toml':
          '[package]\nname = "b"\nversion = "1.0.0"\nedition = "2021"\n[dependencies]\nthing = { git = "http://git.example.org/dep.git" }\n[workspace]\n',
        'b/src/main.rs': 'fn main() { println!("{}", thing::thing()) }\n',
      });
    },
    line: () =>
      'export PATH=/usr/bin:/bin; cargo run -q --offline; cargo test -q 2>&1 | grep "1 passed"; export CARGO_NET_GIT_FETCH_WITH_CLI=true; cd b; cargo run -q',
    more: agreed,
    prints: /^built\n.*1 passed.*\na thing\n$/s,
    asks: ['git.example.org:80'],
    close: closeStandIn,
  },
  {
    name: 'python: an environment, pytest, then a package after one click',
    needs: ['python3'],
    isLong: true,
    async setup(world) {
      await openStandIn();
      await write(world, { 'test_a.py': 'def test_a():\n    assert 1 + 1 == 2\n' });
    },
    line: () =>
      '/usr/bin/python3 -m pytest -q test_a.py | tail -1; /usr/bin/python3 -m venv .venv && .venv/bin/pip install -q --disable-pip-version-check --trusted-host pypi.example.org -i http://pypi.example.org/simple thing; .venv/bin/python -c "import thing; print(thing.name)"',
    more: agreed,
    prints: /1 passed.*\na thing\n$/s,
    asks: ['pypi.example.org:80'],
    close: closeStandIn,
  },
  {
    name: 'javac, redis and sqlite',
    needs: ['javac', 'redis-server', 'sqlite3'],
    isLong: true,
    setup: (world) =>
      write(world, { 'A.java': 'class A { public static void main(String[] a) { System.out.println("built"); } }' }),
    line: () =>
      'javac A.java && java A; redis-server --port 6399 --save "" >/dev/null & until redis-cli -p 6399 ping 2>/dev/null; do :; done; redis-cli -p 6399 shutdown nosave; sqlite3 a.db "create table t(x); insert into t values (7); select x from t"',
    prints: /^built\nPONG\n7\n$/,
  },
];

const gitWork: Work[] = [
  {
    name: 'git: status, diff and clone unasked; commit, branch, stash and a fetch of http after one click each',
    needs: ['git'],
    async setup(world) {
      await openStandIn();
      await commit(world, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
      await write(world, { 'a.txt': 'changed\n' });
    },
    line: () =>
      'export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org; git status --short -uno; git diff --stat | tail -1; git clone -q . /tmp/c && ls /tmp/c | wc -l; git commit -qam two && git checkout -qb side && echo x > b.txt && git stash -q && git log --oneline | wc -l; git stash list | wc -l; git fetch -q http://git.example.org/dep.git main && git log -1 --format=%s FETCH_HEAD',
    more: () => ({ ...agreed(), git: '.git' }),
    prints: /^ M a\.txt\n 1 file changed.*\n2\n2\n1\nthing\n$/s,
    asks: ['git.example.org:80'],
    close: closeStandIn,
  },
];

/** Daily work with other people's tools, as the model does it. */
export const gate: readonly { title: string; work: readonly Work[] }[] = [
  { title: 'installations', work: installing },
  { title: 'tools of Node', work: node },
  { title: 'other languages', work: native },
  { title: 'git', work: gitWork },
];
