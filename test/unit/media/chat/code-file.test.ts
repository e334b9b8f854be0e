import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Lexer, type Token } from 'marked';
import { codeFile, readFence } from '../../../../media/chat/markdown/code-file.ts';

const fences: [info: string, language: string, file?: string][] = [
  ['ts', 'ts'],
  ['', ''],
  ['c++', 'c++'],
  ['ts src/a.ts', 'ts', 'src/a.ts'],
  ['ts:src/a.ts', 'ts', 'src/a.ts'],
  ['ts title="src/a.ts"', 'ts', 'src/a.ts'],
  ["ts filename='a.ts' {1,3}", 'ts', 'a.ts'],
  ['ts {1,3} showLineNumbers', 'ts'],
  ['src/a.ts', 'ts', 'src/a.ts'],
  ['12:20:src/a.ts', 'ts', 'src/a.ts:12'],
  ['Dockerfile', '', 'Dockerfile'],
  ['ts:../../etc/passwd', 'ts:../../etc/passwd'],
  ['ts /etc/passwd.txt', 'ts'],
  ['ts https://example.com/a.ts', 'ts'],
];

const leads: [above: string, file?: string][] = [
  ['In `src/a.ts`:', 'src/a.ts'],
  ['Create `src/a.ts` with this content:', 'src/a.ts'],
  ['**src/a.ts**', 'src/a.ts'],
  ['`a.ts`', 'a.ts'],
  ['src/a.ts:', 'src/a.ts'],
  ['File: src/a.ts', 'src/a.ts'],
  ['### 1. `src/a.ts`', 'src/a.ts'],
  ['Change [the parser](src/parse.ts#L12):', 'src/parse.ts:12'],
  ['This mends `src/a.ts`. Then:'],
  ['With `src/a.ts`, it says:'],
  ['I looked at `src/a.ts`'],
  ['Call `console.log` like this:'],
  ['For and/or:'],
  ['Use `../../etc/passwd.txt`:'],
  ['See [it](https://example.com/a.ts):'],
];

const above = (text: string): Token | undefined => new Lexer({ gfm: true }).lex(text)[0];

describe('the file that code is of', () => {
  for (const [info, language, file] of fences) {
    it(`ux 2.4 is read from a fence: ${JSON.stringify(info)}`, () => {
      const read = readFence(info);
      assert.deepEqual([read.language, read.file?.shown], [language, file]);
    });
  }

  for (const [text, file] of leads) {
    it(`ux 2.4 ${file === undefined ? 'is not guessed from' : 'is read from'} the words above: ${text}`, () => {
      assert.equal(codeFile('ts', above(text), 'let a;\n')?.shown, file);
    });
  }

  it('ux 2.4 is read from a comment on the first line, once that is whole', () => {
    const named = (code: string) => codeFile('ts', undefined, code)?.shown;
    assert.equal(named('// src/a.ts\nlet a;'), 'src/a.ts');
    assert.equal(named('// src/a.t'), undefined);
    assert.equal(named('// see src/a.ts\nlet a;'), undefined);
    assert.equal(codeFile('python', undefined, '# tools/run.py\nimport os')?.shown, 'tools/run.py');
    assert.equal(codeFile('html', undefined, '<!-- index.html -->\n<p>')?.shown, 'index.html');
    assert.equal(codeFile('sh', undefined, '#!/bin/sh\nls')?.shown, undefined);
  });

  it('ux 2.4 is none for a command and for what a program printed, whatever the words above it name', () => {
    for (const language of ['bash', '', 'text', 'console']) {
      assert.equal(codeFile(language, above('Run `src/a.ts`:'), 'node src/a.ts\n'), undefined);
    }
  });

  it('X18 ux 2.4 leads nowhere but into the workspace, whatever a model writes', () => {
    const text = fc.stringMatching(/^[ -~\n]{0,40}$/);
    const path = fc.constantFrom(
      'src/a.ts',
      '../a.ts',
      '/etc/a.ts',
      'file:///a.ts',
      'c:/a.ts',
      'command:a.ts',
      '`a.ts`',
    );
    fc.assert(
      fc.property(fc.oneof(text, path), fc.oneof(text, path), fc.oneof(text, path), (info, words, code) => {
        const file = codeFile(info.replaceAll('\n', ' '), above(words), code);
        if (!file) return;
        assert.equal(file.kind, 'file');
        assert.doesNotMatch(file.path, /^\/|\.\.(?:\/|$)|[:\\]/);
      }),
    );
  });
});
