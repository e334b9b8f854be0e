import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'mocha';
import { parseSync, Visitor } from 'oxc-parser';
import { analyse } from 'scslre';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Expressions whose time grows faster than their text, and why that does no harm: each has its own reason. */
const exceptions: Readonly<Record<string, string>> = {
  'src/colors/theme-rules.ts /\\[([^\\]]+)\\]/g': 'a key of the settings of the user',
  'src/service/check/check-diagnosis.ts /\\/+$/': 'the address in the settings of the user',
  'src/service/check/check.ts /\\/+$/': 'the address in the settings of the user',
  'src/service/key-shape.ts /^["\'`]+': 'what the user pastes for a key',
  'src/service/models.ts /:.*$/': 'the name of a model',
  'src/shared/image.ts /=*$/': 'text that was found to be base64 with at most two signs at its end',
  'media/chat/composer/image-fit.ts /=*$/': 'an address that the canvas made',
  'src/files/glob.ts /\\[([!^]?)': 'a glob is at most 300 characters long',
  'src/base/kill-tree.ts /^\\s*(\\d+)': 'one line of ps, of the columns that were asked for',
  'src/tools/language/language.ts /\\(.*$/s': 'ends at the first bracket, since the dot takes everything',
  'src/vscode/composer/read-context.ts /\\(.*$/s': 'ends at the first bracket, since the dot takes everything',
  'src/vscode/history/conversation-files.ts /^-+|-+$/g': 'no two hyphens follow each other there',
  'src/conversation/composing/slash-commands.ts /^\\/([\\w.-]+)': 'begins once, and what it can give back is a name',
  'src/vscode/workspace/workspace-adapter.ts /[. ]+$/': 'the name of a workspace folder',
  'src/edits/match/find-remembered.ts /\\s+(?:\\/\\/|#)':
    'one line of an edit; blocks of longer lines are not looked for',
  'src/edits/match/rows.ts /^(?:': 'one line of an edit, which the length of an answer limits',
  'media/chat/markdown/code-file.ts /^\\s*(?:\\/\\/|#': 'one line of at most 300 characters',
  'media/chat/markdown/plain-text.ts /\\n+$/': 'line ends at the end of one block, where few stand in it',
  'media/chat/composer/chips.tsx /^(.*\\/)?': 'the label of a chip, a path',
  'media/chat/cards/live-output.tsx /\\p{L}.*': 'one line of at most 200 characters',
};

interface Found {
  file: string;
  source: string;
  flags: string;
}

function sources(): string[] {
  return ['src', 'media'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  );
}

function literals(file: string): Found[] {
  const found: Found[] = [];
  const { program } = parseSync(file, readFileSync(path.join(root, file), 'utf8'));
  new Visitor({
    Literal(node) {
      if ('regex' in node) found.push({ file, source: node.regex.pattern, flags: node.regex.flags });
    },
  }).visit(program);
  return found;
}

/** Expressions that are put together when their module is read. */
async function composed(file: string): Promise<Found[]> {
  const found: Found[] = [];
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct(target, [source, flags = '']: [string | RegExp, string?]) {
      found.push({ file, source: typeof source === 'string' ? source : source.source, flags });
      return new target(source, flags);
    },
  });
  try {
    await import(`${path.join(root, file)}?composed`);
  } finally {
    globalThis.RegExp = original;
  }
  return found;
}

function isSlow({ source, flags }: Found): boolean {
  return analyse({ source, flags }).reports.length > 0;
}

describe('regular expressions', () => {
  it('X33 X41 the checker finds what is slow', () => {
    for (const source of ['(a+)+$', '^([a-z]*)[ \\t]*:[ \\t]*(.*?)[ \\t]*$', '\\s+$', 'a*a*b']) {
      assert.ok(isSlow({ file: '', source, flags: '' }), source);
    }
    assert.ok(!isSlow({ file: '', source: '^[a-z]+:', flags: '' }));
  });

  it('X41 all of src and media take a time that grows with the text, or say why not', async () => {
    const files = sources();
    const builds = files.filter(
      (file) =>
        /^(?:src\/(?!vscode\/)).*\.ts$/.test(file) && /new RegExp\(/.test(readFileSync(path.join(root, file), 'utf8')),
    );
    const all = files.flatMap(literals);
    // What one is given is a pattern of the model, which its own thread runs. One after the other: they share a global.
    for (const file of builds) if (!file.endsWith('regex-thread.ts')) all.push(...(await composed(file)));
    assert.ok(all.length > 500, `${all.length}`);
    const unused = new Set(Object.keys(exceptions));
    const slow: string[] = [];
    for (const found of all) {
      if (!isSlow(found)) continue;
      const shown = `${found.file} /${found.source}/${found.flags}`;
      const reason = Object.keys(exceptions).find((key) => shown.startsWith(key));
      if (reason === undefined) slow.push(shown);
      else unused.delete(reason);
    }
    assert.deepEqual(slow, [], 'make them linear, or add each with a reason');
    assert.deepEqual([...unused], [], 'these reasons are no longer needed');
  });
});
