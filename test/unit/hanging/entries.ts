/**
 * One way in for text that others wrote, with texts that cost the most: run as `entries.ts <name>` by a process that
 * limits the processor time. The texts come from checkers of regular expressions and from what was found by hand.
 */

import { misleadingHost } from '../../../media/chat/markdown/links.ts';
import { createLiveMarkdown } from '../../../media/chat/markdown/markdown.ts';
import { visibleText } from '../../../media/chat/markdown/visible-text.ts';
import { inOneLine, stripInvisible } from '../../../src/agent/invisible.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { splitFrontMatter } from '../../../src/customizations/front-matter.ts';
import { kinds } from '../../../src/customizations/kinds.ts';
import { renderRules } from '../../../src/customizations/rules-text.ts';
import { formatDiff } from '../../../src/edits/apply/edit-diff.ts';
import { applyEdits } from '../../../src/edits/match/apply-edits.ts';
import { createGlob } from '../../../src/files/glob.ts';
import { parseIgnoreFile } from '../../../src/files/ignore-pattern.ts';
import { readLines } from '../../../src/files/read-lines.ts';
import { commandForTerminal } from '../../../src/shared/command-line.ts';
import { decodeLine, encodeLine } from '../../../src/storage/log-line.ts';
import { judgeCommand, mayEndShell, needsPlainShell } from '../../../src/tools/command/command-safety.ts';
import { createHeadTail } from '../../../src/tools/command/head-tail.ts';
import { createLiveTail } from '../../../src/tools/command/live-tail.ts';
import { createLineJoiner, createTerminalText } from '../../../src/tools/command/terminal-text.ts';
import { pageAddress } from '../../../src/tools/web/page-address.ts';
import { htmlToText } from '../../../src/tools/web/page-text.ts';
import { times } from '../../support/effort.ts';
import { createNodeCodec } from '../../support/node-codec.ts';
import { data, read } from '../service/wire-support.ts';
import { parsers } from './parsers.ts';
import { begun, fillTo, signs } from './signs.ts';

/** A quarter in `npm test`: what grows with the square of the text still takes many times what is allowed. */
const large = times(256, 1024) * 1024;
const fill = (text: string, length = large) => fillTo(text, length);

const texts = [
  ...signs.map((sign) => fill(sign)),
  ...signs.map((sign) => `---\na:${fill(sign)}x\n---\n`),
  ...signs.map((sign) => `---\na: ${fill(`${sign}x`)}`),
  ...signs.map((sign) => `x${fill(sign, large / 2)}x${fill('a\b', large / 2)}`),
];

const clock: Pick<Clock, 'after'> = { after: () => () => undefined };

function pieces(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, at) => text.slice(at * length, (at + 1) * length));
}

const entries: Readonly<Record<string, () => unknown>> = {
  'front matter': () => texts.map(splitFrontMatter),
  instructions: () =>
    texts.map((text) =>
      renderRules([{ path: 'a', folder: '', text, isUsers: false, entry: { when: 'always' } }], {
        paths: [],
        severalRoots: false,
      }),
    ),
  'files that steer': () => {
    const place = { root: { name: 'a', uri: '' }, path: 'a/SKILL.md' };
    for (const read of new Set(Object.values(kinds).map((kind) => kind.read))) {
      for (const text of texts) read({ place, path: 'a/SKILL.md', text, isUsers: false });
    }
  },
  invisible: () => texts.map((text) => [stripInvisible(text), inOneLine(text), visibleText(text)]),
  diff: () => texts.slice(0, signs.length).map((text) => formatDiff('', text)),
  'a program’s output': () =>
    texts.forEach((text) => {
      for (const length of [large * 2, 4096]) {
        const read = createTerminalText();
        const kept = createHeadTail(3000, 9000);
        const lines = createLineJoiner(kept.push);
        const live = createLiveTail(() => undefined, clock as Clock);
        for (const piece of pieces(text, length)) {
          const clean = read(piece);
          lines.push(clean);
          live.push(clean);
        }
        lines.flush();
        live.end();
        kept.text();
      }
    }),
  'ignore files': () => {
    const deep = fill('a/', 4000).split('/');
    for (const line of [
      fill('**/a*/', 4000),
      `${fill('**/a/', 30)}b`,
      fill('*a', 4000),
      fill('[', 4000),
      fill('[a', 4000),
      fill('\\', 4000),
    ]) {
      parseIgnoreFile(line)(deep, false);
      parseIgnoreFile(`${line}b`)([...deep, fill('a', 255)], false);
    }
    const many = parseIgnoreFile(fill('*a\n'));
    for (let count = 0; count < 200; count++) many([...deep, `${count}`], false);
    const names = parseIgnoreFile(fill('a\n!b/\n'));
    for (let count = 0; count < 200; count++) names([...deep, `${count}`], false);
  },
  globs: () => {
    for (const glob of [
      fill('**/a*/', 300),
      fill('*a', 300),
      fill('{', 300),
      fill('{a,', 300),
      fill('[', 300),
      fill('{a,b}', 300),
    ])
      createGlob(glob)?.(fill('a/', 4000));
  },
  'log lines': () => {
    const start = encodeLine('{}', 'd').subarray(0, 29);
    for (const text of [
      fill('{"v":1,"crc":"'),
      fill(start.toString('latin1'), 4 * large),
      fill('{"v":1,"crc":"00000000","d":{}}'),
    ])
      decodeLine(Buffer.from(`${text}}`));
  },
  commands: () => {
    for (const sign of [...signs, '| ', '|a/', '|& ', 'git ', 'env ', 'sudo', ';', '$(', 'mkfs', '|env ', '<<', '&&']) {
      for (const command of [fill(sign, 10_000), fill(`${sign}x`, 9999), fill(sign)]) {
        judgeCommand(command);
        commandForTerminal(command);
      }
      needsPlainShell(fill(sign, 10_000));
      mayEndShell(fill(sign, 10_000));
    }
  },
  'lines of a file': async () => {
    const range = { first: 1, last: 400, maxBytes: 30_000, lineOverheadBytes: 9 };
    for (const line of ['\n', '\r', 'a\n', 'a']) {
      const chunk = Buffer.from(fill(line, 64 * 1024));
      const file = async function* () {
        for (let count = 0; count < times(240, 960); count++) yield chunk;
      };
      const said = { encoding: 'utf8', open: false };
      await readLines(file(), range, createNodeCodec(), said);
      await readLines(
        file(),
        { ...range, first: times(5_000_000, 20_000_000), last: times(5_000_400, 20_000_400) },
        createNodeCodec(),
        said,
      );
    }
  },
  markdown: () => {
    const hostile = [
      '_ab__cd',
      '*a**b',
      '***a_',
      '[a](',
      '![a](',
      '~~a~',
      '`a``',
      '<a ',
      '<!--',
      'www.',
      '[x][y',
      '|-',
      '**_a',
      '!',
      'http',
    ];
    for (const sign of hostile) {
      const text = fill(sign, 20_000);
      const live = createLiveMarkdown();
      for (let end = 500; end <= text.length; end += 500) live.update(text.slice(0, end));
    }
    createLiveMarkdown().update(fill('a*b **c_\n\n'));
    for (const sign of ['!', 'http']) createLiveMarkdown().update(fill(sign));
  },
  'every reader': async () => {
    // In `npm test` every third, another third for the next reader.
    for (const [at, { parse }] of Object.values(parsers).entries())
      for (const [index, sign] of begun.entries()) if ((index + at) % times(3, 1) === 0) await parse(fill(sign));
  },
  'a call in many pieces, and as many calls': async () => {
    const piece = (index: number, id: string) =>
      data({ choices: [{ delta: { tool_calls: [{ index, id, function: { name: 'read_file', arguments: '"' } }] } }] });
    const count = times(50_000, 200_000);
    await read(piece(0, 'c1').repeat(count));
    await read(Array.from({ length: count }, (_, at) => piece(at, `c${at}`)).join(''));
  },
  'pages of the web': async () => {
    const opened =
      '<div> <ul><li> <p>x <a> <b><i> <table><tr><td> <blockquote> <pre>` <script> <!-- <![CDATA[ <h1> <dl><dt> <select>';
    const started = `< </ & &amp &#x <a~ <a~a=1~b <a~href="x <a~href='/../ <!doctype ]]> --> | * _ \u00a0`;
    const closed =
      '</div> </p> </b></i> <p></p> <b>~</b> <a~href=x></a> <br> <hr> <li></li> <td></td> <svg/> <img~src=x>';
    const deep = fill(opened.replaceAll(' ', ''), 20_000);
    for (const sign of [
      ...`${opened} ${started} ${closed}`.split(' ').map((sign) => sign.replaceAll('~', ' ')),
      ...signs,
    ]) {
      for (const html of [fill(sign), `${deep}${fill(sign, large / 4)}`]) {
        await htmlToText(html, 'https://a.example.org/b/', new AbortController().signal);
      }
    }
    for (const sign of [...signs, 'a.', '%73', '@', '[::1]', '../']) {
      try {
        pageAddress(`https://${fill(sign)}`);
      } catch {
        // Refused, and soon.
      }
    }
  },
  'edits of many lines': () => {
    for (const sign of ['-a\n', '|a|\n|-|\n', 'a\n']) {
      const search = fill(sign);
      for (const replace of [search.toUpperCase(), `${search}x`])
        applyEdits('one\n  two\nthree\n', [{ search, replace }]);
    }
  },
  links: () => {
    const target = { kind: 'web', href: 'https://a.example', shown: '' } as const;
    for (const sign of ['a.', '.', 'http://', 'a..', '@', ':']) misleadingHost(fill(sign, 20_000), target);
  },
};

if (process.argv[2] !== undefined) await entries[process.argv[2]]?.();

export const entryNames = Object.keys(entries);
