import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { parseSync } from 'oxc-parser';

const root = path.resolve(import.meta.dirname, '../../src');

/** What makes or takes connections. */
const network = /^(?:node:)?(?:http|https|http2|net|tls|dgram|dns)(?:\/|$)|^undici(?:\/|$)|^ws$/;

interface Source {
  name: string;
  text: string;
  /** What is loaded with the file, as written. */
  loads: readonly string[];
  /** Expressions of what is loaded later. */
  later: readonly string[];
}

const files: readonly Source[] = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.ts$/.test(name) && !name.endsWith('.d.ts'))
  .map((name) => {
    const text = readFileSync(path.join(root, name), 'utf8');
    const { module, comments } = parseSync(name, text);
    const isTypeOnly = (start: number, end: number) => /^(?:im|ex)port\s+type\b/.test(text.slice(start, end));
    const statics = module.staticImports
      .filter(
        ({ start, end, entries }) =>
          !isTypeOnly(start, end) && !(entries.length > 0 && entries.every((one) => one.isType)),
      )
      .map(({ moduleRequest }) => moduleRequest.value);
    const exported = module.staticExports.flatMap(({ start, end, entries }) =>
      isTypeOnly(start, end) ? [] : entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    );
    const later = module.dynamicImports.map(({ moduleRequest }) => text.slice(moduleRequest.start, moduleRequest.end));
    const plain = comments.reduceRight(
      (left, { start, end }) => left.slice(0, start) + ' '.repeat(end - start) + left.slice(end),
      text,
    );
    return { name: name.replaceAll('\\', '/'), text: plain, loads: [...statics, ...exported], later };
  });

/** Names of the files that hold this. */
const holding = (pattern: RegExp) => files.filter(({ text }) => pattern.test(text)).map(({ name }) => name);

describe('ways out of and into the extension', () => {
  it('X24 X28 only these files know the network', () => {
    assert.ok(files.length > 300);
    const known = files.filter(({ loads }) => loads.some((name) => network.test(name))).map(({ name }) => name);
    assert.deepEqual(known.sort(), [
      'base/public-address.ts',
      'sandbox/namespace-keeper.ts',
      'sandbox/networks.ts',
      'sandbox/reach.ts',
      'service/wire/direct-fetch.ts',
      'vscode/workspace/reach-adapter.ts',
      'vscode/workspace/web-adapter.ts',
    ]);
    const asking = /\bglobalThis\.fetch\b|(?<![\w.'])fetch\(|\bXMLHttpRequest\b|\bWebSocket\b|\bEventSource\b/;
    assert.deepEqual(holding(asking).sort(), ['service/wire/transport.ts', 'vscode/workspace/web-adapter.ts']);
  });

  it('X28 no port is opened, but in a network that only commands in the sandbox are in', () => {
    const opening = holding(/\bcreateServer\b|\bcreateSocket\b|\.listen\(\s*(?:\d|\)|\{)/);
    assert.deepEqual(opening, ['sandbox/namespace-keeper.ts']);
  });

  it('X30 no code is made of text or loaded from elsewhere', () => {
    assert.deepEqual(holding(/\beval\(|new Function\(|\bnode:vm\b|\bcreateRequire\b|\brequire\(/), []);
    for (const { name, later } of files)
      for (const what of later) assert.match(what, /^'\.{1,2}\/[\w./-]+\.ts'$/, name);
  });

  it('X30 what VS Code activates loads nothing that knows the network', () => {
    const byName = new Map(files.map((file) => [file.name, file]));
    const loaded = new Set<string>();
    const load = (name: string) => {
      if (loaded.has(name)) return;
      loaded.add(name);
      for (const what of byName.get(name)?.loads ?? []) {
        if (what.startsWith('.')) load(path.posix.join(path.posix.dirname(name), what));
        else loaded.add(what);
      }
    };
    load('extension.ts');
    assert.ok(loaded.size > 5 && loaded.has('vscode'));
    assert.deepEqual(
      [...loaded].filter((name) => network.test(name) || /^(?:service\/(?!.*failure)|tools|agent)\//.test(name)),
      [],
    );
  });
});
