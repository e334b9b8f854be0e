import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { patched } from './patched.ts';

const classes = 'class A:\n    def f(self):\n        return 1\n\nclass B:\n    def f(self):\n        return 1\n';
const inB = `${classes.slice(0, -2)}2\n`;
const change = '     def f(self):\n-        return 1\n+        return 2';

describe('patches in the form of apply_patch', () => {
  const cases: Record<string, [file: string, chunks: string, wanted: string | RegExp]> = {
    'an anchor above one of two equal places': [classes, `@@ class B:\n${change}`, inB],
    'an anchor above the first of them': [classes, `@@ class A:\n${change}`, classes.replace('return 1', 'return 2')],
    'two anchors': [classes, '@@ class B:\n@@     def f(self):\n-        return 1\n+        return 2', inB],
    'an anchor that is not there': ['x\ny\n', '@@ class C:\n-x\n+z', /not found/],
    'an anchor as the first line of its chunk': ['a\nb\n', '@@ a\n a\n-b\n+c', 'a\nc\n'],
    'equal places and no anchor': [classes, `@@\n${change}`, /line 2 and at line 6/],
    'a bare header': ['one\ntwo\n', '@@\n-two\n+2', 'one\n2\n'],
    'no header': ['one\ntwo\n', ' one\n-two\n+2', 'one\n2\n'],
    'a chunk behind the one before it': ['x\nq\nx\n', '@@\n-q\n+Q\n@@\n-x\n+y', 'x\nQ\ny\n'],
    'chunks in another order than the file': ['a\nb\nc\n', '@@\n-c\n+C\n@@\n-a\n+A', 'A\nb\nC\n'],
    'the end of the file': ['end\nmid\nend\n', '@@\n-end\n+END\n*** End of File', 'end\nmid\nEND\n'],
    'additions alone': ['a\nb\n', '@@\n+c\n+d', 'a\nb\nc\nd\n'],
    'the last line of a file without a line end (openai/codex, scenario 014)': ['one', '@@\n-one\n+1\n+2', '1\n2\n'],
    'another line of it': ['one\ntwo', '@@\n-one\n+1', '1\ntwo'],
    'additions to it': ['one', '@@\n+two', 'one\ntwo\n'],
    'additions behind an anchor': [classes, '@@ class B:\n+    x = 1', classes.replace('B:\n', 'B:\n    x = 1\n')],
    'deletions alone': ['a\nb\nc\n', '@@\n a\n-b\n c', 'a\nc\n'],
    'lines of a diff’s headers': [
      'x\ny\nx\ny\nq\n',
      '@@ -3,2 +3,2 @@\n-x\n+z\n y\n@@ -5 +5 @@\n-q\n+r',
      'x\ny\nz\ny\nr\n',
    ],
    'blanks before the markers': ['one\n', ' @@\n-one\n+two', 'two\n'],
    'other indentation': ['if a:\n    go()\n', '@@\n-go()\n+stop()', 'if a:\n    stop()\n'],
    'no change': ['one\n', '@@\n one', /changes nothing in a\.py/],
    'lines that stay without their sign (microsoft/vscode-copilot-chat, recorded patches)': [
      '\tif (a) {\n\t\tgo();\n\t}\n}\n',
      '@@\n\tif (a) {\n-\t\tgo();\n+\t\tstop();\n\t}',
      '\tif (a) {\n\t\tstop();\n\t}\n}\n',
    ],
    'a line that stays without its sign beside one with blanks of its own': [
      'f {\n  a\n  b\n}\n',
      '@@\nf {\n  a\n-  b\n+  c\n}',
      'f {\n  a\n  c\n}\n',
    ],
    'a line that neither stays nor has a sign': ['one\ntwo\n', '@@\none\nthree\n-two\n+2', /not found/],
    'empty lines that keep chunks apart (microsoft/vscode-copilot-chat, recorded patches)': [
      'a\nb\nc\nd\n',
      '@@\n\n a\n-b\n+B\n\n@@\n c\n-d\n+D\n',
      'a\nB\nc\nD\n',
    ],
    'an anchor around two chunks (microsoft/vscode-copilot-chat, recorded patches)': [
      'map: {\na\nb\nc\n}\nb\n',
      '@@ map: {\n-a\n+A\n@@ map: {\n-b\n+B',
      'map: {\nA\nB\nc\n}\nb\n',
    ],
    'a second chunk that is nowhere': ['one\n', '@@\n-one\n+two\n@@\n-nowhere();\n+x', /not found/],
  };
  for (const [name, [file, chunks, wanted]] of Object.entries(cases))
    it(`H19 ${name}`, () => {
      const got = patched(file, chunks);
      if (typeof wanted === 'string') assert.equal(got, wanted);
      else assert.match(got, wanted);
    });
});
