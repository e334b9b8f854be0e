import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../../../src/base/clock.ts';
import { diffLineHunks } from '../../../../src/edits/apply/line-diff.ts';
import {
  askNextPlaces,
  type NextResult,
  nextPlacesRequest,
} from '../../../../src/features/next-places/core/ask-next-places.ts';
import { carriedOver } from '../../../../src/features/next-places/core/carry-over.ts';
import { changedParts } from '../../../../src/features/next-places/core/changed-parts.ts';
import { type FileChange, findPlaces } from '../../../../src/features/next-places/core/find-places.ts';
import type { PlaceEdit } from '../../../../src/features/next-places/core/place-edits.ts';
import {
  type PlaceWindow,
  type SentPlaces,
  windowsAround,
} from '../../../../src/features/next-places/core/place-windows.ts';
import { type Place, placeKey } from '../../../../src/files/workspace.ts';
import type { ChatRequest, Reply, ReplyCall, StreamResult } from '../../../../src/service/contract.ts';
import { createEstimator, requestMicroUsd } from '../../../../src/spend/estimate.ts';
import type { Language } from '../../../../src/tools/language/language.ts';
import { paidAttempt } from '../../../support/paid-attempt.ts';
import { createRandom } from '../../../support/random.ts';
import { makeTempDir, type TempDir } from '../../../support/temp-dir.ts';
import { wholeReply } from '../../../support/whole-reply.ts';
import { openFolders, writeFiles } from '../../tools/workspace.ts';

type Texts = Map<string, string[]>;

/** Renames of this project's history: the name before and after. */
const renames = {
  because: ['SensitiveKind', 'Because'],
  'live-history': ['KeptHistory', 'LiveHistory'],
  'readable-text': ['decodeText', 'readableText'],
  'reply-result-bytes': ['maxTurnResultBytes', 'maxReplyResultBytes'],
  'shown-path': ['displayPath', 'shownPath'],
} as const;

/** The files of a commit, before and after it, where lines that it changed in any other way are as they are after it. */
function commitOf(fixture: string, [from, to]: readonly [string, string]): { before: Texts; after: Texts } {
  const file = path.resolve(import.meta.dirname, `../../../fixtures/renames/${fixture}.diff`);
  const [before, after]: Texts[] = [new Map(), new Map()];
  for (const one of readFileSync(file, 'utf8')
    .split(/^diff --git /m)
    .slice(1)) {
    const name = /\n\+\+\+ b\/(.*)/.exec(one)?.[1] ?? assert.fail();
    const rows = one.slice(one.indexOf('\n', one.indexOf('\n@@ ') + 1) + 1).split('\n');
    const gone = new Set(rows.filter((row) => row.startsWith('-')).map((row) => row.slice(1)));
    const fresh = rows.filter((row) => /^[ +]/.test(row)).map((row) => ({ isNew: row[0] === '+', text: row.slice(1) }));
    const old = (text: string) => text.replace(new RegExp(`\\b${to}\\b`, 'g'), from);
    before?.set(
      name,
      fresh.map(({ isNew, text }) => (isNew && gone.has(old(text)) ? old(text) : text)),
    );
    after?.set(
      name,
      fresh.map(({ text }) => text),
    );
  }
  return { before: before ?? new Map(), after: after ?? new Map() };
}

describe('carrying a change on to the next places', () => {
  let temp: TempDir;
  let requests: ChatRequest[];
  beforeEach(async () => {
    temp = await makeTempDir();
    requests = [];
  });
  afterEach(() => temp.remove());

  const blind: Pick<Language, 'outline' | 'references'> = {
    outline: async () => undefined,
    references: async () => [],
  };
  const open = (language = blind) => {
    const folders = openFolders({ ws: temp.path });
    const [root = assert.fail()] = folders.workspace.roots();
    return { ...folders, root, language, clock: systemClock, isProtected: (name: string) => name === 'protected.ts' };
  };
  const write = (texts: Texts) =>
    writeFiles(temp.path, Object.fromEntries([...texts].map(([name, lines]) => [name, lines.join('\n')])));
  const changeOf = (place: Place, before: readonly string[], lines: readonly string[]): FileChange => ({
    place,
    lines,
    parts: changedParts(before, lines),
  });
  const find = async (changes: readonly FileChange[], language = blind): Promise<SentPlaces> => {
    const deps = open(language);
    return windowsAround(deps, await findPlaces(deps, changes, new AbortController().signal), changes);
  };

  /** One request, at a model that calls `edit_file` as told. */
  const ask = async (
    changes: readonly FileChange[],
    windows: readonly PlaceWindow[],
    answer: readonly PlaceEdit[] | Partial<Reply>,
    signal = new AbortController().signal,
  ): Promise<NextResult> => {
    const { workspace } = open();
    const request = nextPlacesRequest({ model: 'm', request: {}, workspace, changes, windows });
    const reply: Partial<Reply> = Array.isArray(answer)
      ? { toolCalls: answer.map((edit): ReplyCall => ({ name: 'edit_file', arguments: JSON.stringify(edit) })) }
      : (answer as Partial<Reply>);
    const client = {
      async stream(asked: ChatRequest): Promise<StreamResult> {
        requests.push(asked);
        if (signal.aborted) return { outcome: 'stopped', reply: wholeReply('m'), attempts: [] };
        return { outcome: 'done', reply: wholeReply('m', reply), attempts: [paidAttempt] };
      },
    };
    return askNextPlaces({ client, clock: systemClock, log: assert.fail }, { request, windows, turnId: 't', signal });
  };
  const done = (result: NextResult) => (result.outcome === 'done' ? result : assert.fail(result.outcome));

  /** The edits of `after` within the windows, with up to three lines on either side. */
  const wantedIn = (windows: readonly PlaceWindow[], after: Texts): PlaceEdit[] =>
    [...Map.groupBy(windows, (one) => one.path)].flatMap(([name, own]) => {
      const edits = own.flatMap(({ first, lines }) => {
        const wanted = after.get(name)?.slice(first, first + lines.length) ?? [];
        const hunks = diffLineHunks(lines, wanted).map(({ before: old }) => ({
          start: old.start,
          end: old.start + old.count,
        }));
        return hunks.map(({ start, end }, at) => {
          const from = Math.max(hunks[at - 1]?.end ?? 0, start - 3);
          const rows = (all: readonly string[]) =>
            all.slice(from, Math.min(hunks[at + 1]?.start ?? end + 3, end + 3)).join('\n');
          return { search: rows(lines), replace: rows(wanted) };
        });
      });
      return edits.length === 0 ? [] : [{ path: name, edits }];
    });

  const shapeHolds = ({ windows, sent, left }: SentPlaces, [change]: readonly FileChange[], found: number) => {
    assert.ok(windows.length <= 12 && windows.reduce((sum, { lines }) => sum + lines.length, 0) <= 144);
    assert.ok(sent + left <= found);
    for (const { place, first, lines } of windows) {
      if (change === undefined || placeKey(place) !== placeKey(change.place)) continue;
      for (const part of change.parts)
        assert.ok(part.first >= first + lines.length || part.first + part.after.length <= first);
    }
  };

  /** From the first line of the change on, until nothing is left; gives the texts and the requests that it took. */
  const carryAll = async ({ before, after }: { before: Texts; after: Texts }) => {
    const now: Texts = new Map([...before].map(([name, lines]) => [name, [...lines]]));
    const name = [...before.keys()].find((one) => before.get(one)?.join('\n') !== after.get(one)?.join('\n'));
    const [old, fresh] = [before.get(name ?? '') ?? [], after.get(name ?? '') ?? []];
    const line = old.findIndex((text, at) => text !== fresh[at]);
    const own = old.toSpliced(line, 1, fresh[line] ?? '');
    now.set(name ?? '', own);
    const { root } = open();
    const part = { first: line, before: old.slice(line, line + 1), after: own.slice(line, line + 1) };
    for (let round = 1; round < 20; round++) {
      await write(now);
      const changes = [{ place: { root, path: name ?? '' }, lines: now.get(name ?? '') ?? [], parts: [part] }];
      const sent = await find(changes);
      shapeHolds(sent, changes, Number.POSITIVE_INFINITY);
      const edits = wantedIn(sent.windows, after);
      if (edits.length === 0) return { now, left: sent.left };
      const { edited, refused, count } = done(await ask(changes, sent.windows, edits));
      assert.ok(refused === 0 && count > 0 && count <= 5, `${refused} refused, ${count} taken`);
      for (const one of edited) {
        const text = now.get(one.window.path) ?? assert.fail();
        const { lines, lost } = carriedOver(sent.texts.get(placeKey(one.window.place)) ?? [], text, [one]);
        assert.equal(lost, 0);
        now.set(one.window.path, lines);
      }
    }
    return assert.fail('never done');
  };

  for (const [fixture, names] of Object.entries(renames)) {
    it(`F41 a rename of this project's history becomes the commit, from its first line on: ${fixture}`, async () => {
      const commit = commitOf(fixture, names);
      const changed = [...commit.after].filter(
        ([name, lines]) => lines.join('\n') !== commit.before.get(name)?.join('\n'),
      );
      assert.ok(changed.length >= 2);
      const { now } = await carryAll(commit);
      for (const [name, lines] of commit.after) assert.deepEqual(now.get(name), lines, name);
    });
  }

  it('F41 made-up renames become the commit too, in three languages', async () => {
    const random = createRandom(41);
    for (let round = 0; round < 12; round++) {
      const [before, after]: [Texts, Texts] = [new Map(), new Map()];
      const use = random.pick([
        (of: string) => `const x = ${of}(y);`,
        (of: string) => `x = ${of}(y)`,
        (of: string) => `x := ${of}(y)`,
      ]);
      for (let file = 0; file < 6; file++) {
        const rows = Array.from({ length: random.between(1, 60) }, (_, at) =>
          random.between(0, 9) === 0
            ? undefined
            : `row ${file} ${at} ${random.pick(['loadThing2', 'thing', 'reload'])}`,
        );
        const text = (name: string) => rows.map((row) => row ?? use(name));
        before.set(`f${file}.txt`, file === 0 ? ['def loadThing(y)', ...text('loadThing')] : text('loadThing'));
        after.set(`f${file}.txt`, file === 0 ? ['def fetchThing(y)', ...text('fetchThing')] : text('fetchThing'));
      }
      const { now } = await carryAll({ before, after });
      assert.deepEqual([...now], [...after]);
      await temp.remove();
      temp = await makeTempDir();
    }
  });

  it('F41 X a model that edits elsewhere changes nothing: other lines, other files, and what it makes of them', async () => {
    const lines = Array.from({ length: 80 }, (_, at) => (at % 30 === 20 ? 'oldName(1)' : `step${at}(${at});`));
    await write(
      new Map([
        ['a.ts', ['newName()']],
        ['b.ts', lines],
        ['.env', ['KEY=oldName']],
        ['c.ts', ['alone']],
      ]),
    );
    const { root } = open();
    const changes = [changeOf({ root, path: 'a.ts' }, ['oldName()'], ['newName()'])];
    const { windows } = await find(changes);
    assert.deepEqual([...new Set(windows.map((one) => one.path))], ['b.ts']);
    const random = createRandom(7);
    const isSent = (at: number) => windows.some(({ first, lines: own }) => at >= first && at < first + own.length);
    for (let round = 0; round < 40; round++) {
      const at = random.between(0, lines.length - 1);
      if (isSent(at)) continue;
      const search = lines.slice(at, at + random.between(1, 3)).join('\n');
      const edits = [{ search, replace: 'stolen();', replaceAll: random.next() < 0.5 }];
      const result = done(await ask(changes, windows, [{ path: 'b.ts', edits }]));
      assert.deepEqual([result.count, result.refused, result.edited.length], [0, 1, 0], search);
    }
    for (const name of ['c.ts', '.env', '../b.ts', 'a.ts', `${temp.path}/b.ts`]) {
      const edits = [{ search: name === '.env' ? 'KEY=oldName' : 'oldName(1)', replace: 'x' }];
      const { count, refused } = done(await ask(changes, windows, [{ path: name, edits }]));
      assert.deepEqual([count, refused], [0, 1], name);
    }
    const unseen = [{ path: 'b.ts', edits: [{ search: 'oldName(1)', replace: 'a\0b' }] }];
    assert.equal(done(await ask(changes, windows.slice(0, 1), unseen)).count, 0, 'what is no text');
    const other = { toolCalls: [{ name: 'delete_file', arguments: '{"path":"b.ts"}' }] };
    const { count, refused } = done(await ask(changes, windows, other));
    assert.deepEqual([count, refused], [0, 1]);
  });

  it('F41 while the language server knows the open file alone, the word is searched', async () => {
    const before = ['export function parse(text: string) {', '}'];
    const lines = ['export function parse(text: string, mode: number) {', '}'];
    await write(
      new Map([
        ['parse.ts', lines],
        ['a.ts', ["parse('a');", "parsed('a');"]],
      ]),
    );
    const { root } = open();
    const place = { root, path: 'parse.ts' };
    const language = { ...blind, references: async () => [{ place, name: 'parse.ts', line: 1 }] };
    const { windows } = await find([changeOf(place, before, lines)], language);
    assert.deepEqual(
      windows.map(({ path: name }) => name),
      ['a.ts'],
    );
  });

  it('F41 of 400 references 12 places are sent, the nearest first, and the others are counted', async () => {
    const texts: Texts = new Map();
    for (let file = 0; file < 20; file++) {
      const rows = Array.from({ length: 400 }, (_, at) => (at % 20 === 10 ? '  parse(text);' : `  // ${at}`));
      texts.set(file < 2 ? `src/f${file}.ts` : `other/f${file}.ts`, rows);
    }
    texts.set('src/parse.ts', ['export function parse(text: string, mode: Mode) {}']);
    await write(texts);
    const { root } = open();
    const asked: string[] = [];
    const language = {
      outline: async () => [{ name: 'parse', kind: 'function', line: 1, endLine: 1, depth: 0 }],
      references: async (_place: Place, line: number, column: number) => {
        asked.push(`${line}:${column}`);
        return [...texts].flatMap(([name, rows]) =>
          rows.flatMap((row, at) =>
            row.includes('parse(text') ? [{ place: { root, path: name }, name, line: at + 1 }] : [],
          ),
        );
      },
    };
    const before = ['export function parse(text: string) {}'];
    const changes = [changeOf({ root, path: 'src/parse.ts' }, before, texts.get('src/parse.ts') ?? [])];
    const sent = await find(changes, language);
    assert.deepEqual(asked, ['1:17']);
    assert.deepEqual([sent.sent, sent.left, sent.windows.length], [12, 388, 12]);
    assert.deepEqual([...new Set(sent.windows.map((one) => one.path))], ['src/f0.ts']);
    shapeHolds(sent, changes, 400);
    assert.ok(sent.windows.every(({ lines }) => lines.length === 12 && lines[5] === '  parse(text);'));
    const { workspace } = open();
    const request = nextPlacesRequest({ model: 'm', request: {}, workspace, changes, windows: sent.windows });
    assert.ok(requestMicroUsd(createEstimator(undefined), request) <= 900);
  });

  it('F41 by words, only the word itself counts, and nothing secret, ignored, protected, or written by a program is sent', async () => {
    const use = ['oldName'];
    await write(
      new Map([
        ['.gitignore', ['hidden.ts', '']],
        ['a.ts', ['newName']],
        ['b.ts', ['oldNames', 'x', 'myoldName', ...Array.from({ length: 30 }, () => 'x'), 'oldName']],
        ['hidden.ts', use],
        ['.env', use],
        ['package-lock.json', use],
        ['.vscode/settings.json', use],
        ['AGENTS.md', use],
        ['protected.ts', use],
        ['long.ts', [`oldName ${'x'.repeat(500)}`]],
      ]),
    );
    const { root } = open();
    const changes = [changeOf({ root, path: 'a.ts' }, ['oldName'], ['newName'])];
    const { windows, sent, left } = await find(changes);
    assert.deepEqual([windows.map((one) => `${one.path} ${one.first}`), sent, left], [['b.ts 28'], 1, 0]);
    const named = { ...blind, references: async () => [{ place: { root, path: '.env' }, name: '.env', line: 1 }] };
    const kept = [changeOf({ root, path: 'a.ts' }, ['newName(1)'], ['newName(2)'])];
    assert.deepEqual((await find(kept, named)).windows, []);
  });

  it('F41 what the language features do not say in two seconds is looked for by the word', async () => {
    await write(
      new Map([
        ['a.ts', ['total(items, rate)']],
        ['b.ts', ['total(items)']],
      ]),
    );
    const { root } = open();
    const after = (ms: number, run: () => void) => systemClock.after(ms / 1000, run);
    const deps = { ...open(), clock: { ...systemClock, after } };
    const silent = {
      outline: () => new Promise<never>(() => undefined),
      references: () => new Promise<never>(() => undefined),
    };
    const changes = [changeOf({ root, path: 'a.ts' }, ['total(items)'], ['total(items, rate)'])];
    const failing = {
      outline: () => Promise.reject(new Error('no')),
      references: () => Promise.reject(new Error('no')),
    };
    for (const language of [silent, failing]) {
      // The word itself is looked for by the real clock.
      let waits = 0;
      const clock = {
        ...deps.clock,
        after: (ms: number, run: () => void) => (++waits <= 2 ? after(ms, run) : systemClock.after(ms, run)),
      };
      const { places } = await findPlaces({ ...deps, language, clock }, changes, new AbortController().signal);
      assert.deepEqual(
        places.map(({ place, line }) => `${place.path}:${line}`),
        ['b.ts:0'],
      );
    }
  });

  describe('the request', () => {
    let changes: FileChange[];
    let windows: readonly PlaceWindow[];
    beforeEach(async () => {
      await write(
        new Map([
          ['a.ts', ['one', 'newName();', 'three']],
          ['b.ts', ['x', 'oldName();', 'y']],
        ]),
      );
      const { root } = open();
      changes = [changeOf({ root, path: 'a.ts' }, ['one', 'oldName();', 'three'], ['one', 'newName();', 'three'])];
      windows = (await find(changes)).windows;
    });
    const edit = { path: 'b.ts', edits: [{ search: 'oldName();', replace: 'newName();' }] };

    it('F41 carries the change, those lines, and one tool, and is the only one, whatever is answered', async () => {
      const answers: Partial<Reply>[] = [
        { text: 'Nothing.' },
        { text: 'I will now edit b.ts:' },
        { toolCalls: [{ name: 'edit_file', arguments: '{"path":' }] },
      ];
      for (const answer of answers) assert.equal(done(await ask(changes, windows, answer)).count, 0);
      assert.equal(requests.length, answers.length);
      const [{ messages, tools, maxTokens, surface } = assert.fail()] = requests;
      assert.deepEqual([tools?.map(({ name }) => name), maxTokens, surface], [['edit_file'], 3000, 'inline']);
      assert.equal(
        messages[1]?.text,
        'The change:\n\nFile: a.ts\n  one\n- oldName();\n+ newName();\n  three\n\nExcerpts:\n\nFile: b.ts, lines 1 to 3\nx\noldName();\ny',
      );
      assert.equal(done(await ask(changes, windows, answers[2] ?? {})).refused, 1);
    });

    it('F41 takes an edit as it takes one of the chat, and one that is made already is none', async () => {
      const { edited, count } = done(await ask(changes, windows, [edit]));
      assert.deepEqual([edited[0]?.lines, count], [['x', 'newName();', 'y'], 1]);
      const same = { path: './b.ts', edits: [{ search: 'oldName();', replace: 'oldName();' }] };
      const { count: none, refused } = done(await ask(changes, windows, [same]));
      assert.deepEqual([none, refused], [0, 0]);
      const elsewhere = done(await ask(changes, windows, [{ ...edit, path: 'a.ts' }]));
      assert.deepEqual([elsewhere.count, elsewhere.refused], [0, 1], 'lines that another file has');
    });

    it('F41 counts nothing of a reply that was cut, and nothing after Stop', async () => {
      const call = { name: 'edit_file', arguments: JSON.stringify(edit) };
      for (const cut of [{ finish: 'length' }, { evidence: 'none' }, { damagedEvents: 1 }] as const) {
        const result = await ask(changes, windows, { ...cut, toolCalls: [call] });
        assert.deepEqual([result.outcome, 'edited' in result], ['cut', false], JSON.stringify(cut));
      }
      const stop = new AbortController();
      stop.abort();
      assert.equal((await ask(changes, windows, [edit], stop.signal)).outcome, 'stopped');
    });

    it('F41 takes at most five edits and says how many there were more', async () => {
      const rows = Array.from({ length: 9 }, (_, at) => `oldName(${at});`);
      await write(new Map([['b.ts', rows]]));
      const { windows: all } = await find(changes);
      const edits = rows.map((row) => ({ search: row, replace: row.replace('old', 'new') }));
      const { count, more, edited } = done(await ask(changes, all, [{ path: 'b.ts', edits }]));
      assert.deepEqual([count, more], [5, 4]);
      assert.deepEqual(edited[0]?.lines.filter((line) => line.startsWith('new')).length, 5);
    });

    it('F41 finds its lines where they are by now, and leaves out what was changed meanwhile', async () => {
      const { edited } = done(await ask(changes, windows, [edit]));
      const sent = ['x', 'oldName();', 'y'];
      assert.deepEqual(carriedOver(sent, ['new', 'line', ...sent], edited), {
        lines: ['new', 'line', 'x', 'newName();', 'y'],
        lost: 0,
      });
      const typed = ['x', 'oldName(typed);', 'y'];
      assert.deepEqual(carriedOver(sent, typed, edited), { lines: typed, lost: 1 });
      assert.deepEqual(carriedOver(sent, [], edited), { lines: [], lost: 1 });
    });
  });
});
