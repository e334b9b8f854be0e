import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readReplacement } from '../../../src/edits/apply/file-replacement.ts';
import { readHunks } from '../../../src/edits/apply/patches.ts';
import { applyEdits, type EditBlock } from '../../../src/edits/match/apply-edits.ts';
import {
  currentText,
  settledText,
  withKept,
  withUndone,
  withWritten,
} from '../../../src/edits/pending/pending-text.ts';
import { readAnswer } from '../../../src/features/inline/core/read-answer.ts';
import { patched } from './patched.ts';

/** The file afterwards, or why nothing was changed. */
function edited(file: string, ...blocks: EditBlock[]): string {
  const result = applyEdits(file, blocks, 'src/a.py');
  return result.ok ? result.text : `refused: ${result.message}`;
}
const refused = /^refused: /;

const method = 'class A:\n    def f(self):\n        x = 1\n        return x\n';
const list = 'def go():\n    first()\n    second()\n';
const macro = '#define ADD(a, b) \\\n  do { \\\n    sum(a, b); \\\n  } while (0)\n';
const proxy = 'class Proxy\n  def valid?\n    sources.include?(it)\n  end\nend\n';
const cidr = 'class Proxy\n  def valid?\n    ranges.any? { it.cover?(ip) }\n  end\nend';

/** What users of other assistants report of their edits, with what is right. */
const reports: Record<string, [got: () => string, right: string | RegExp]> = {
  'a bare carriage return is data (openclaw/openclaw#116011)': [
    () => edited('10%\r20%\r30%\ndone\nend\r\n', { search: 'done', replace: 'over' }),
    '10%\r20%\r30%\nover\nend\r\n',
  ],
  'other lines keep their ends (openclaw/openclaw#116011)': [
    () => edited('a\r\nb\nc\r\nd\n', { search: 'b', replace: 'B' }),
    'a\r\nB\nc\r\nd\n',
  ],
  'dollar signs are text (SatyaanM/agent-harness#10)': [
    () => edited('x = 1\nx = 1\n', { search: 'x = 1', replace: "x = '$& $1 $` $$'", replaceAll: true }),
    "x = '$& $1 $` $$'\nx = '$& $1 $` $$'\n",
  ],
  'an empty search with replaceAll (langchain-ai/deepagents#5589)': [
    () => edited('abc', { search: '', replace: 'X', replaceAll: true }),
    refused,
  ],
  'two places, and both are named (zed-industries/zed#32056)': [
    () => edited('go()\nstop()\ngo()\n', { search: 'go()', replace: 'run()' }),
    /^refused: .*line 1 and at line 3/,
  ],
  'CRLF and a first line from column 0 (NousResearch/hermes-agent#88283)': [
    () =>
      edited('class A:\r\n    def f(self):\r\n        return 1\r\n', {
        search: 'def f(self):\n        return 1',
        replace: 'def f(self):\n        return 2',
      }),
    'class A:\r\n    def f(self):\r\n        return 2\r\n',
  ],
  'the end of a file stays (NVIDIA-NeMo/labs-OO-Agents#308)': [
    () => edited('a\nb\n', { search: 'b\n', replace: 'c' }),
    'a\nc\n',
  ],
  'a file without an end stays without one (NVIDIA-NeMo/labs-OO-Agents#308)': [
    () => edited('a\nb', { search: 'b', replace: 'c' }),
    'a\nc',
  ],
  'line ends of other lines (use-agent-os/agent-os#2036)': [
    () => edited('a\r\nb\nc\r\n', { search: 'b', replace: 'B\nB' }),
    'a\r\nB\nB\nc\r\n',
  ],
  'numbers of lines that were read along (xal-sh/xal#42)': [
    () => edited('one\ntwo\nthree\n', { search: '     2: two\n     3: three', replace: '     2: 2\n     3: 3' }),
    'one\n2\n3\n',
  ],
  'a name in another case is another name (microsoft/vscode-copilot-chat)': [
    () => edited('Hello World\n', { search: 'hello world', replace: 'Hi World' }),
    /not found/,
  ],
  'a lone number is no number of a line (jsmestad/minga#2457)': [
    () => edited('one\ntwo\n', { search: '2', replace: 'II' }),
    /not found/,
  ],
  'numbers that are the file’s own (xal-sh/xal#42)': [
    () => edited('     1: one\n     2: two\n', { search: '     2: two', replace: '     2: 2' }),
    '     1: one\n     2: 2\n',
  ],
  'other blanks within a line (zhayujie/CowAgent#2942)': [
    () => edited('def f():\n    x = 1\n    y = 2\n', { search: '    x  =  1', replace: '    x = 100' }),
    'def f():\n    x = 100\n    y = 2\n',
  ],
  'blanks for the tabs of the file (tontinton/maki#848)': [
    () =>
      edited('if a:\n\tgo()\n\tstop()\n', {
        search: '    go()\n    stop()',
        replace: '    go()\n    if b:\n        run()\n    stop()',
      }),
    'if a:\n\tgo()\n\tif b:\n\t\trun()\n\tstop()\n',
  ],
  'a first line that lost its indentation on both sides (MayDay-wpf/snow-app#110)': [
    () =>
      edited('class Foo:\n    def bar(self):\n        return 1\n', {
        search: 'def bar(self):\n        return 1',
        replace: 'def bar(self):\n        value = 1\n        return value',
      }),
    'class Foo:\n    def bar(self):\n        value = 1\n        return value\n',
  ],
  'an addition at the end of the file (openai/openai-agents-python#4660)': [
    () => patched('a\nb\n', '@@\n+c\n*** End of File'),
    'a\nb\nc\n',
  ],
  'equal context at the end of the file (openai/openai-agents-python#4660)': [
    () => patched('x\nfoo\ny\nfoo\n', '@@\n foo\n+added\n*** End of File'),
    'x\nfoo\ny\nfoo\nadded\n',
  ],
  'an empty line of a hunk is a blank line (use-agent-os/agent-os#1851)': [
    () => patched('a\n\nb\nc\n', '@@\n a\n\n-b\n+B\n c'),
    'a\n\nB\nc\n',
  ],
  'additions behind a line that is not there (NousResearch/hermes-agent#3081)': [
    () => patched('a\nb\n', '@@ def gone():\n+c'),
    /not found/,
  ],
  'an escape in a string stays an escape (hechtcarmel/jetbrains-index-mcp-plugin#269)': [
    () => edited('text = "header"\n', { search: '"header"', replace: '"header\\n" + "a\\\\b"' }),
    'text = "header\\n" + "a\\\\b"\n',
  ],
  'the ends of a macro’s lines (google-gemini/gemini-cli#18469)': [
    () => edited(macro, { search: '    sum(a, b); \\\n', replace: '    sum(a, b); \\\n    log(a); \\\n' }),
    macro.replace('sum(a, b); \\\n', 'sum(a, b); \\\n    log(a); \\\n'),
  ],
  'a whole text as one line with written line ends (openclaw/openclaw#14452)': [
    () => {
      const whole = readReplacement(list, 'def go():\\n    first()\\n    third()\\n', 'src/a.py');
      return whole.ok ? whole.text : `refused: ${whole.problem}`;
    },
    list.replace('second', 'third'),
  ],
  'CRLF in the search too (MoonshotAI/kimi-cli#2191)': [
    () => edited('a()\r\nb()\r\nc()\r\n', { search: 'a()\r\nb()', replace: 'a()\r\nd()' }),
    'a()\r\nd()\r\nc()\r\n',
  ],
  'what was kept stays when the next answer is undone (zed-industries/zed#33234)': [
    () => {
      const by = (turnId: string) => ({ turnId, callId: turnId, conversationId: 'c' });
      const first = withKept(withWritten(settledText('a\nb\n'), 'A\nb\n', by('t1')), {});
      const { text } = withUndone(withWritten(first, 'A2\nB\n', by('t2')));
      return currentText(text);
    },
    'A\nb\n',
  ],
  'a diff of a file without a last line end (jdx/aube#1515)': [
    () => {
      const hunks = readHunks('@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n');
      return Array.isArray(hunks) ? edited('a\nb', ...hunks) : String(hunks);
    },
    'A\nb',
  ],
  'a whole file in place of its first line (code-yeongyu/oh-my-openagent#7495)': [
    () => {
      const result = applyEdits(proxy, [{ search: 'class Proxy', replace: cidr }]);
      return result.ok ? result.notes.join() || 'written without a word' : 'refused: ';
    },
    /refused|twice/,
  ],
  'two matches that overlap (earendil-works/pi#9697)': [
    () => edited('foo\nfoo\nfoo\n', { search: 'foo\nfoo\n', replace: 'bar' }),
    /refused.*line 1 and at line 2/,
  ],
  'a first line without its indentation, the others with it (zed-industries/zed#60302)': [
    () => edited(method, { search: method.slice(13, -18), replace: method.slice(13, -18).replace('1', '2') }),
    method.replace('1', '2'),
  ],
  'two edits of one line (moonbitlang/openseek#263)': [
    () =>
      edited(
        'min(l.length(), r.length())\n',
        { search: 'l.length()', replace: 'a' },
        { search: 'r.length()', replace: 'b' },
      ),
    /^min\(a, b\)\n$|refused: Blocks 1 and 2/,
  ],
  'an edit of what the one before it brings (ollama/ollama#17711)': [
    () => edited('one\n', { search: 'one', replace: 'two' }, { search: 'two', replace: 'three' }),
    /refused: Block 2 .*None of the 2 blocks was applied/,
  ],
  'an edit behind one that grows (moonbitlang/openseek#252)': [
    () => edited('a\nb\nc\n', { search: 'a', replace: '1\n2\n3' }, { search: 'c', replace: '9' }),
    '1\n2\n3\nb\n9\n',
  ],
  'entities that are meant (cline/cline#7698)': [
    () => edited('<p>R and D</p>\n', { search: '<p>R and D</p>', replace: '<p>R &amp; D &lt;3</p>' }),
    '<p>R &amp; D &lt;3</p>\n',
  ],
  'a written line end between quotes (google-gemini/gemini-cli#2011)': [
    () => edited('if n > 0 {\n', { search: 'if n > 0 {', replace: "if n > 0 && b[n-1] == '\\n' {" }),
    "if n > 0 && b[n-1] == '\\n' {\n",
  ],
  'a hunk that takes a line of blanks away (kpdecker/jsdiff#159)': [
    () => hunked('test\ntest2\n \ntest3\n', '@@ -3,1 +3,0 @@\n- \n'),
    'test\ntest2\ntest3\n',
  ],
  'context that is not there behind an addition (techtonik/python-patch#55)': [
    () => hunked('a\nb\nc\n', '@@ -1,3 +1,4 @@\n a\n b\n+b1\n d\n'),
    refused,
  ],
  'a hunk whose context is nowhere, at a line that exists (BaseIntelligence/bounty-challenge#11065)': [
    () => hunked('one\ntwo\nthree\nfour\n', '@@ -2,3 +2,3 @@\n alpha\n-beta\n+gamma\n delta\n'),
    refused,
  ],
  'tabs in other lines (strands-agents/harness-sdk#3175)': [
    () => edited('\ta\n\tb\n    c\n', { search: 'c', replace: 'd' }),
    '\ta\n\tb\n    d\n',
  ],
  'an inline answer with the whole file and other changes (microsoft/vscode-copilot-release#3011)': [
    () => inline('a();\nb();\nc();\nd();', 1, '```\naa();\nbb();\nc();\nd();\n```'),
    /^(?:wider|unclear)$/,
  ],
  'an inline answer that has the line behind the part too (lmarena/copilot-arena#13)': [
    () => inline('first();\nsecond();\nthird();\nfourth();', 1, '```\nsecond(2);\nthird();\n```'),
    'second(2);',
  ],
};

function hunked(file: string, diff: string): string {
  const hunks = readHunks(diff);
  return Array.isArray(hunks) ? edited(file, ...hunks) : `refused: ${hunks}`;
}

/** What comes instead of this line of the file, or why nothing. */
function inline(file: string, line: number, answer: string): string {
  const read = readAnswer(answer, {
    lines: file.split('\n'),
    first: line,
    last: line,
    path: 'a.js',
    holdsFences: false,
  });
  return 'lines' in read ? read.lines.join('\n') : read.problem;
}

describe('reports of edits elsewhere', () => {
  it('F14 what stands letter for letter takes the blanks and tabs of its replacement (microsoft/vscode-copilot-chat)', () => {
    const cases: [file: string, search: string, replace: string][] = [
      ['f() {\n    log("a");\n}', '    log("a");', '\tlog("b");'],
      ['f() {\n\t    log("a");\n}', '\t    log("a");', '    log("b");'],
      ['if (a)   {\n  log("a");   \n}', '  log("a");   ', '\tlog("b");'],
      ['package a\n\nimport "b"\n\tx()\n', 'import "b"\n', 'import (\n        "b"\n)\n'],
    ];
    for (const [file, search, replace] of cases) {
      const result = applyEdits(file, [{ search, replace }]);
      assert.equal(
        result.ok && result.text,
        file.replace(search, () => replace),
      );
    }
  });
  it('F14 the marks of a line’s place in a block are never written (RooCodeInc/Roo-Code)', () => {
    const file = 'one\ntwo\nthree\n';
    for (const replace of [':start_line:5\n-------\n2', '2\n:end_line:3', ':start_line:5\n2']) {
      const result = applyEdits(file, [{ search: 'two', replace }]);
      assert.equal(result.ok && result.text, 'one\n2\nthree\n', replace);
    }
    const result = applyEdits(file, [{ search: 'two', replace: '2\n:start_line:5\n3' }]);
    assert.match(result.ok ? result.text : result.message, /no line of the file/);
  });
  for (const [name, [got, right]] of Object.entries(reports))
    it(`F14 ${name}`, () => {
      if (typeof right === 'string') assert.equal(got(), right);
      else assert.match(got(), right);
    });
});
