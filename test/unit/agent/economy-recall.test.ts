import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { type EconomyOptions, economise } from '../../../src/agent/economy/economise.ts';
import { tellLaterChanges, toHistory } from '../../../src/agent/history.ts';
import { continuationRequest } from '../../../src/service/step/step-continuation.ts';
import { estimateTokens } from '../../../src/service/tokens.ts';
import type { HistoryMessage } from '../../../src/shared/messages.ts';
import { toolKind } from '../../../src/tools/index.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const model = 'svc/glm-5.3';
const options: EconomyOptions = { model, toolKind, keepRecentSteps: 1, recentTokens: 400 };
const header = '[Brought back from earlier steps for what the user wrote last:]';

let made = 0;
function step(name: string, args: object, result: string): HistoryMessage[] {
  const id = `c${++made}`;
  return [
    { role: 'assistant', text: '', model, toolCalls: [{ id, name, arguments: JSON.stringify(args) }] },
    { role: 'tool', callId: id, name, text: result },
  ];
}

const user = (text: string): HistoryMessage => ({ role: 'user', text });

function read(path: string, lines: readonly string[]): HistoryMessage[] {
  return step(
    'read_file',
    { path },
    `${path}: ${lines.length} lines\n${lines.map((line, at) => `${at + 1}\t${line}`).join('\n')}`,
  );
}

/** Lines of which a record keeps none, with `told` in their middle. */
function around(told: string, word = 'call'): string[] {
  const lines = Array.from({ length: 90 }, (_, at) => `  ${word}(a${at % 7}, b${at});`);
  return lines.with(45, told);
}

const filler = () => [...read('other.js', around('', 'filler')), ...read('more.js', around('', 'more'))];

/** What was brought back, without its heading; undefined for nothing. */
function recalled(messages: readonly HistoryMessage[]): string | undefined {
  const { messages: sent } = economise(messages, options);
  const holding = sent.filter(({ text }) => text.includes(header));
  assert.ok(holding.every(({ role }) => role === 'tool') && holding.length <= 1, 'X23: in one result');
  return holding[0]?.text.split(`${header}\n`)[1];
}

describe('what is brought back for a question', () => {
  const house = around('// the cellar lies behind the kitchen');
  const begun = [user('look at the house'), ...read('src/house.js', house), ...filler()];

  it('U13 is the line that the question is about, with its file and its number', () => {
    assert.equal(
      recalled([...begun, user('What lies behind the kitchens?')]),
      'src/house.js\n46 // the cellar lies behind the kitchen',
    );
  });

  it('U13 is nothing when no line fits, and nothing for lines that hold only words of the message', () => {
    assert.equal(recalled([...begun, user('Thanks, that was all.')]), undefined);
    const loop = [user('go'), ...read('loop.js', around('continue;')), ...filler()];
    assert.equal(recalled([...loop, user('Continue!')]), undefined);
  });

  it('U13 is what is left of a file that is named, whatever it is called by', () => {
    for (const name of ['src/house.js', 'house.js', 'House']) {
      assert.match(
        recalled([...begun, user(`Where are the potatoes in ${name}?`)]) ?? '',
        /\n46 \/\/ the cellar/,
        name,
      );
    }
    assert.equal(recalled([...begun, user('Where are the potatoes in houses.js?')]), undefined);
    const short = [user('go'), ...read('src/house.js', around('s -= 42;')), ...filler()];
    assert.match(recalled([...short, user('How many steps in house.js?')]) ?? '', /\n46 s -= 42;/);
  });

  it('U13 is a line of what a program printed', () => {
    const printed = around('moved the parcel to the attic').map((line) => `  ✓ ${line}`);
    const ran = [
      user('go'),
      ...step('run_command', { command: 'npm test' }, ['Exit code 0 after 4 s.', ...printed].join('\n')),
      ...filler(),
    ];
    assert.match(
      recalled([...ran, user('where did the parcel go?')]) ?? '',
      /^run_command .*npm test.*\n {0,2}✓ moved the parcel/,
    );
  });

  it('U13 is the newest form of a line, and not one that an edit took away', () => {
    const later = read('src/house.js', house.with(45, '// the cellar lies below the kitchen'));
    assert.equal(
      recalled([...begun, ...later, ...filler(), user('Where is the cellar?')])
        ?.split('\n')
        .filter((line) => /cellar/.test(line))
        .join(),
      '46 // the cellar lies below the kitchen',
    );
    const edit = { path: 'src/house.js', edits: [{ search: '// the cellar lies behind the kitchen', replace: '' }] };
    const edited = step('edit_file', edit, 'Edited src/house.js: line 46. Added 0, removed 1.');
    assert.doesNotMatch(recalled([...begun, ...edited, ...filler(), user('Where is the cellar?')]) ?? '', /behind/);
  });

  it('U13 is also a line whose number an edit above it gave to another one', () => {
    const edit = { path: 'src/house.js', edits: [{ search: 'call(a3, b10);', replace: 'call(a3, b10);\ncall(b);' }] };
    const edited = step('edit_file', edit, 'Edited src/house.js: lines 11–12 are new. Added 1, removed 0.');
    const again = step(
      'read_file',
      { path: 'src/house.js', startLine: 40 },
      ['src/house.js', ...house.slice(38, 45).map((line, at) => `${at + 40}\t${line}`)].join('\n'),
    );
    assert.match(recalled([...begun, ...edited, ...again, ...filler(), user('Where is the cellar?')]) ?? '', /behind/);
  });

  it('U13 says nothing twice: what a record or a later read holds is not told again', () => {
    const known = [
      user('go'),
      ...read('src/house.js', around('// the cellar must stay behind the kitchen')),
      ...filler(),
    ];
    assert.equal(recalled([...known, user('Where is the cellar?')]), undefined);
  });

  it('U13 stays while the steps after the question are whole, and goes with them', () => {
    const asked = [...begun, user('Where is the cellar?')];
    assert.match(recalled([...asked, ...step('list_directory', { path: '.' }, 'src/')]) ?? '', /cellar/);
    assert.equal(recalled([...asked, ...filler(), ...filler()]), undefined);
  });

  it('U13 is nothing where there is no room for it', () => {
    const asked = [...begun, user('Where is the cellar?')];
    const { messages } = economise(asked, { ...options, recall: false });
    assert.ok(messages.every(({ text }) => !text.includes(header)));
  });

  it('U13 H18 follows what the user wrote, not a note about files that have to be read again', () => {
    const history = [...begun, user('Thanks, that was all.')];
    tellLaterChanges(history, { undone: ['src/house.js'], changed: [] });
    assert.match(history.at(-1)?.text ?? '', /house\.js/);
    assert.equal(recalled(history), undefined);
  });

  it('U13 H18 sees the message also above a long note', () => {
    const history = [...begun, user('Where is the cellar?')];
    tellLaterChanges(history, {
      undone: Array.from({ length: 20 }, (_, at) => `src/${'x'.repeat(60)}${at}.js`),
      changed: [],
    });
    assert.match(recalled(history) ?? '', /cellar/);
  });

  it('U7 U13 goes by the question of the user where an answer is continued', () => {
    const cut: HistoryMessage = { role: 'assistant', text: 'It lies', model, toolCalls: [] };
    const lines = around('the reply was cut without a preamble').with(20, '// the cellar lies behind the kitchen');
    const house2 = [user('go'), ...read('src/house.js', lines), ...filler()];
    const text = recalled([...house2, user('Where is the cellar?'), cut, user(continuationRequest)]);
    assert.match(text ?? '', /cellar/);
    assert.doesNotMatch(text ?? '', /preamble/);
  });

  it('U13 tells nothing that stands in an attachment', () => {
    const attached = (text: string): HistoryMessage[] =>
      toHistory([
        {
          type: 'userMessage',
          id: 'm',
          at: 0,
          text,
          attachments: [{ id: 'a', kind: 'file', label: 'src/house.js', text: house.join('\n') }],
        },
      ]);
    assert.equal(recalled([...begun, ...attached('What lies behind the kitchen?')]), undefined);
    assert.equal(recalled([...begun, ...attached('look'), user('What lies behind the kitchen?')]), undefined);
    const changed = {
      id: 'a',
      label: 'src/house.js',
      text: house.with(45, '// the cellar lies below the kitchen').join('\n'),
    };
    const now = toHistory([
      { type: 'userMessage', id: 'm', at: 0, text: 'Where is the cellar?', attachments: [changed] },
    ]);
    assert.equal(recalled([...begun, ...now]), undefined, 'what the file held before');
  });

  it('U13 follows what the user wrote, not what is attached', () => {
    const label = 'src/kitchen.ts';
    const attachments = [
      { id: 'a', label, text: 'const house = open();' },
      { id: 'b', label: 'notes', text: 'Behind the kitchen:\n```\nthe cellar\n```' },
    ];
    const message = toHistory([{ type: 'userMessage', id: 'm', at: 0, text: 'Explain the potatoes.', attachments }]);
    assert.equal(recalled([...begun, ...message]), undefined);
  });

  it('X33 looks for what was written in time that follows the length of the message', async () => {
    const spent = await cpuMs(() =>
      assert.equal(recalled([...begun, user(`Attached: x\n${'`'.repeat(200_000)}`)]), undefined),
    );
    assert.ok(spent < 10_000, `${spent} ms`);
  });

  it('U13 names a long call by its beginning', () => {
    const printed = around('moved the parcel to the attic')
      .map((line) => `✓ ${line}`)
      .join('\n');
    const ran = [user('go'), ...step('run_command', { command: `cat <<'END'\n${'x '.repeat(9000)}\nEND` }, printed)];
    const text = recalled([...ran, ...filler(), user('where did the parcel go?')]) ?? '';
    assert.match(text, /parcel/);
    assert.ok(text.length < 1000, `${text.length}`);
  });

  it('U13 finds words of scripts that put no blanks between them, or add endings to them', () => {
    for (const [told, question] of [
      ['// 缓存的上限由管理员决定', '谁决定缓存上限？'],
      ['// キャッシュの上限は管理者が決める', '上限を決めるのは誰ですか'],
      ['// 캐시의 한도는 관리자가 정한다', '누가 한도를 정해?'],
    ] as const) {
      const history = [user('go'), ...read('src/house.js', around(told)), ...filler(), user(question)];
      assert.equal(recalled(history), `src/house.js\n46 ${told}`, question);
    }
  });

  it('U13 finds the name of a file in a text without blanks', () => {
    assert.match(recalled([...begun, user('请问house.js里的土豆在哪里？')]) ?? '', /\n46 \/\/ the cellar/);
  });

  it('U13 follows only the last message', () => {
    assert.equal(recalled([...begun, user('Where is the cellar?'), user('Never mind, thanks.')]), undefined);
  });

  it('U1 tells for any other message what it would bring back', () => {
    const { recall } = economise([...begun, user('')], options);
    const text = 'Where is the cellar?';
    assert.equal(recall(text), `${header}\n${recalled([...begun, user(text)])}`);
    assert.equal(recall('x'), undefined);
  });

  it('U13 is short, and each of its lines stands in a result, for any history', () => {
    const word = fc.constantFrom('cellar', 'kitchen', 'house', 'attic', 'of', 'run', 'x1');
    const line = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
    const file = fc.record({
      path: fc.constantFrom('house.js', 'attic.md'),
      lines: fc.array(line, { minLength: 20, maxLength: 400 }),
    });
    let some = 0;
    fc.assert(
      fc.property(fc.array(file, { minLength: 2, maxLength: 5 }), line, (files, question) => {
        const reads = files.flatMap(({ path, lines }) => read(path, lines));
        const text = recalled([user('go'), ...reads, user(question)]);
        if (text === undefined) return;
        some++;
        assert.ok(estimateTokens(text) <= 3200, `${estimateTokens(text)} tokens`);
        for (const told of text.split('\n')) {
          const bare = told.replace(/^\d+ /, '');
          assert.ok(
            reads.some((message) => message.text.includes(bare)),
            told,
          );
        }
      }),
    );
    assert.ok(some > 10, `${some} brought something back`);
  });
});
