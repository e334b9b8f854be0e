import * as z from 'zod/mini';
import { linkTarget, misleadingHost } from '../../../media/chat/markdown/links.ts';
import { createLiveMarkdown } from '../../../media/chat/markdown/markdown.ts';
import { visibleText } from '../../../media/chat/markdown/visible-text.ts';
import { inOneLine, stripInvisible } from '../../../src/agent/invisible.ts';
import { decodeArguments, parseArguments } from '../../../src/agent/parse-arguments.ts';
import { ToolError } from '../../../src/agent/tool.ts';
import { parseJson } from '../../../src/base/parse-json.ts';
import { importJson } from '../../../src/conversation/store/transfer.ts';
import { splitFrontMatter } from '../../../src/customizations/front-matter.ts';
import { kinds } from '../../../src/customizations/kinds.ts';
import { renderRules } from '../../../src/customizations/rules-text.ts';
import { formatDiff } from '../../../src/edits/apply/edit-diff.ts';
import { applyEdits } from '../../../src/edits/match/apply-edits.ts';
import { cleanCommitMessage } from '../../../src/features/inline/core/commit-message.ts';
import { readAnswer } from '../../../src/features/inline/core/read-answer.ts';
import { isSecretPath } from '../../../src/files/file-class.ts';
import { createGlobs } from '../../../src/files/glob.ts';
import { parseIgnoreFile } from '../../../src/files/ignore-pattern.ts';
import { normaliseBaseUrl } from '../../../src/service/base-url.ts';
import { classifyErrorBody, classifyResponse } from '../../../src/service/failure/classify.ts';
import { parseModelList } from '../../../src/service/models.ts';
import { createRedactor } from '../../../src/service/redact.ts';
import { readLeakedCalls } from '../../../src/service/wire/leaked-calls.ts';
import { createMarkupFilter } from '../../../src/service/wire/tool-markup.ts';
import { parseDurableEvent } from '../../../src/shared/event-schema.ts';
import { readDataUrl } from '../../../src/shared/image.ts';
import { panelMessageSchema } from '../../../src/shared/panel/protocol.ts';
import { parseLedgerEntry } from '../../../src/spend/ledger-entry.ts';
import { decodeLine } from '../../../src/storage/log-line.ts';
import { judgeCommand, mayEndShell, needsPlainShell } from '../../../src/tools/command/command-safety.ts';
import { createLineJoiner, createTerminalText } from '../../../src/tools/command/terminal-text.ts';
import { pageAddress } from '../../../src/tools/web/page-address.ts';
import { htmlToText } from '../../../src/tools/web/page-text.ts';
import { calls, endless } from '../service/leaked-calls.ts';
import { data, read } from '../service/wire-support.ts';

/** One way in for text that others wrote: a file, a program, a model, the service, a page, another extension. */
export interface Parser {
  /** Reads any text without throwing; what it gives is judged by its own tests. */
  parse(text: string): unknown;
  /** Texts of its form, from which others are made. */
  samples: readonly string[];
}

const tool = {
  access: 'write' as const,
  name: 'edit_file',
  parameters: z.object({ path: z.string(), edits: z.array(z.object({ search: z.string(), replace: z.string() })) }),
};
const context = {
  modelIds: ['svc/glm-5.3'],
  endpoint: 'POST /chat/completions',
  at: '',
  redact: (text: string) => text,
};
const delta = (content: string) => data({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
const called = (piece: string) =>
  data({
    choices: [{ delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'edit_file', arguments: piece } }] } }],
  });
const stored = '{"type":"userMessage","id":"m1","at":1,"text":"Hello","attachments":[]}';

const steering = { place: { root: { name: 'a', uri: '' }, path: 'b/SKILL.md' }, path: 'b/SKILL.md', isUsers: false };

export const parsers: Readonly<Record<string, Parser>> = {
  'front matter': { parse: splitFrontMatter, samples: ['---\nname: a\napplyTo: "**/*.ts"\n---\nText', '---\n- a\n'] },
  'files that steer': {
    parse: (text) => Object.values(kinds).map(({ read }) => JSON.stringify(read({ ...steering, text }))),
    samples: [
      '---\ndescription: x\nglobs: **/*.{ts,tsx},!x\n---\nDo it.',
      'customModes:\n  - slug: a\n    roleDefinition: |-\n      You are.\n    groups:\n      - - edit\n        - fileRegex: \\.md$\n',
      '{"customModes":[{"slug":"a","roleDefinition":"x","groups":["read",["edit",{"fileRegex":"a+"}]]}]}',
    ],
  },
  instructions: {
    parse: (text) =>
      renderRules([{ path: 'AGENTS.md', folder: '', text, isUsers: false, entry: { when: 'always' } }], {
        paths: ['src/a.ts'],
        severalRoots: false,
      }),
    samples: ['# Rules\n\n- one\n<!-- x -->\n'],
  },
  'invisible text': {
    parse: (text) => [stripInvisible(text), inOneLine(text), visibleText(text)],
    samples: ['a\u200bb\u{e0041}\ufe0f\u202e'],
  },
  'replies of the service': {
    parse: (text) => read(text),
    samples: [
      `${delta('Hi')}${called('{"path":"a"}')}data: [DONE]\n\n`,
      data({ error: { message: 'no', code: 429 } }),
      '{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1}}',
    ],
  },
  'errors of the service': {
    parse: (body) => [
      classifyResponse({ ...context, status: 502, contentType: 'application/json', body, headers: new Headers() }),
      classifyResponse({ ...context, status: 404, contentType: 'text/html', body, headers: new Headers() }),
      classifyErrorBody({ ...context, body: parseJson(body) }),
    ],
    samples: ['{"error":{"message":"Insufficient balance","type":"x","code":402}}', '<html><title>502</title></html>'],
  },
  'lists of models': {
    parse: (text) => parseModelList(parseJson(text)),
    samples: ['{"data":[{"id":"svc/a"},{"id":"b"}]}'],
  },
  'calls written as text': {
    parse: (text) => {
      const filter = createMarkupFilter({ tools: new Set(['edit_file']), onReasoning: () => undefined });
      return [...(text.match(/[\s\S]{1,7}/g) ?? []).map((piece) => filter.push(piece)), filter.end(), filter.thought()];
    },
    samples: [
      '<tool_call>{"name":"edit_file"}</tool_call>',
      '<think>a</think>b',
      '<|im_end|>',
      '[TOOL_CALLS]edit_file',
    ],
  },
  'arguments of calls': {
    parse: (text) => [decodeArguments(text), parseArguments(tool, text)],
    samples: ['{"path":"a.ts","edits":[{"search":"a","replace":"b"}]}', '"{\\"path\\":\\"a\\"}"'],
  },
  edits: {
    parse: (search) => applyEdits('one\n  two\nthree\n', [{ search, replace: search.toUpperCase() }]),
    samples: ['one\n  two', '-one\n+two', '@@ -1,2 +1,2 @@\n one\n', '```\none\n```', 'one\n...\nthree'],
  },
  'answers to inline edits': {
    parse: (text) => [
      readAnswer(text, { lines: ['a', '  b', 'c'], first: 0, last: 1, path: 'a.ts', holdsFences: false }),
      cleanCommitMessage(text, 'fix: '),
    ],
    samples: ['```ts\na\n```', 'Here:\n~~~\na\n', 'feat: x\n\nBody'],
  },
  'calls in the text of a reply': {
    parse: readLeakedCalls,
    samples: [...Object.values(calls), ...Object.values(endless)],
  },
  'output of programs': {
    parse: (text) => {
      const terminal = createTerminalText();
      const kept: string[] = [];
      const lines = createLineJoiner((line) => kept.push(line));
      for (const piece of text.match(/[\s\S]{1,5}/g) ?? []) lines.push(terminal(piece));
      lines.flush();
      return kept;
    },
    samples: ['\u001b[31mred\u001b[0m\r\n', '\u001b]0;t\u0007a\b\b', '10%\r50%\n', '\u009b2J\u001bP+q\u001b\\'],
  },
  'command lines': {
    parse: (text) => [judgeCommand(text), needsPlainShell(text), mayEndShell(text)],
    samples: ['npm test && rm -rf x', "echo 'a' | sh", 'cat <<EOF\na\nEOF', 'git push; $(x)'],
  },
  paths: { parse: isSecretPath, samples: ['a/.env', '.docker/config.json', 'x.tfvars', '~/.ssh/id_rsa'] },
  globs: {
    parse: (text) => createGlobs(text, (glob) => glob)?.('src/a/b.ts'),
    samples: ['**/{a,b}*.[tj]s', '!src/**,*'],
  },
  'ignore files': {
    parse: (text) => parseIgnoreFile(text)(['src', 'a', 'b.ts'], false),
    samples: ['*.log\n!a/**\n[a-z[:digit:]]\n\\#x\n', '/a/**/b\n'],
  },
  'stored lines': { parse: (text) => decodeLine(Buffer.from(text)), samples: ['{"v":1,"crc":"00000000","d":{}}'] },
  'stored events': { parse: (text) => parseDurableEvent(parseJson(text)), samples: [stored] },
  'stored spending': { parse: (text) => parseLedgerEntry(parseJson(text)), samples: ['{"v":1,"id":"a","model":"m"}'] },
  imports: { parse: importJson, samples: [`{"format":"svc","records":[${stored}]}`] },
  'messages of the page': {
    parse: (text) => panelMessageSchema.safeParse(parseJson(text)),
    samples: [
      '{"type":"send","text":"a"}',
      '{"type":"answer","answer":{"id":"c","kind":"approval","value":{"decision":"skip"}}}',
    ],
  },
  'links and images': {
    parse: (text) => [linkTarget(text), misleadingHost(text, linkTarget('https://a.example')), readDataUrl(text)],
    samples: ['https://a.example/x?y#z', 'command:a', 'data:image/png;base64,AAAA', 'src/a.ts:3', '//a'],
  },
  markdown: {
    parse: (text) => {
      const live = createLiveMarkdown();
      for (let end = 0; end <= text.length; end += Math.max(1, text.length >> 3)) live.update(text.slice(0, end));
    },
    samples: ['# a\n\n- *b* `c`\n\n```ts\nd\n```\n| a |\n|-|\n', '[a](b "c") ![x](y) <b>&amp;', '1. a\n   > b\n'],
  },
  addresses: { parse: normaliseBaseUrl, samples: ['https://a.example/v1/', 'http://[::1]:8080', 'a@b.example'] },
  'pages of the web': {
    parse: (html) => htmlToText(html, 'https://a.example.org/b/', new AbortController().signal),
    samples: [
      '<!doctype html><title>a</title><p>b <a href="../c">d</a><ul><li>e</ul><pre>f</pre>&amp;<table><tr><td>g',
    ],
  },
  'addresses of pages': {
    parse: (text) => {
      try {
        return pageAddress(`https://${text}`);
      } catch (error) {
        // Refused with the reason.
        if (!(error instanceof ToolError)) throw error;
      }
    },
    samples: ['a.example.org/b?c#d', 'a%2eb.example:8443/../x', 'user@a.example', '[::1]/'],
  },
  differences: { parse: (text) => formatDiff('a\nb\nc\n', text), samples: ['a\nB\nc\n', '\r\n\ufeff\n'] },
  'texts with secrets': {
    parse: createRedactor(() => ['sk-svc-0123456789abcdef']),
    samples: ['Bearer sk-svc-0123456789abcdef', 'sk-svc-01234567%38', 'password=hunter2&x'],
  },
};
