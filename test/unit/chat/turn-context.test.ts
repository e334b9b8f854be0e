import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as z from 'zod/mini';
import type { Tool } from '../../../src/agent/tool.ts';
import { createTurnContext, type TurnContextDeps } from '../../../src/chat/turn-context.ts';
import type { ChatMode } from '../../../src/shared/approval.ts';
import type { HistoryMessage } from '../../../src/shared/messages.ts';
import { toolSpecs } from '../../../src/tools/all-tools.ts';

const root = { name: 'project', uri: 'file:///project', fsPath: '/project' };
const foreignTool = {
  name: 'other_search',
  access: 'execute',
  description: '',
  parameters: z.object({}),
} as unknown as Tool;

function offerWith(change: Partial<TurnContextDeps> = {}) {
  const specs = toolSpecs as readonly Tool[];
  return createTurnContext({
    workspace: { isTrusted: () => true, roots: () => [root] },
    isRepository: () => true,
    settings: { chatMode: () => 'agent' },
    windowTools: specs.filter(({ access }) => access !== 'write'),
    editToolsFor: (_, others) => [...others, ...specs.filter(({ access }) => access === 'write')],
    isSandboxed: () => true,
    external: () => [foreignTool],
    steering: {
      rules: (paths) => `rules for ${paths.join()}`,
      byPath: () => [],
      rows: () => '',
      agentText: () => '',
      narrow: (tools) => tools,
    },
    learned: { get: () => ({ parameters: {} }) },
    machine: () => 'Linux, bash',
    today: () => '2026-11-23',
    ...change,
  });
}

const names = (tools: readonly Tool[]) => tools.map(({ name }) => name);
const asked = (text: string): HistoryMessage[] => [{ role: 'user', text }];

describe('the offer of a turn', () => {
  it('F13 X40 offers nothing in a workspace that is not trusted or has no folder', () => {
    const nowhere = [
      { isTrusted: () => false, roots: () => [root] },
      { isTrusted: () => true, roots: () => [] },
    ];
    for (const workspace of nowhere) assert.deepEqual(offerWith({ workspace }).tools('c', asked('Hello')), []);
  });

  it('F13 offers what its mode allows, and other extensions’ tools to an agent alone', () => {
    const offered = (mode: ChatMode) => offerWith({ settings: { chatMode: () => mode } }).tools('c', asked('Hello'));
    assert.ok(offered('ask').every(({ access }) => !['write', 'execute'].includes(access)));
    assert.ok(offered('edit').some(({ access }) => access === 'write'));
    assert.ok(offered('edit').every(({ access }) => access !== 'execute'));
    assert.ok(names(offered('agent')).includes(foreignTool.name));
    assert.ok(names(offered('agent')).includes('run_command'));
  });

  it('F31 offers what needs a page, a repository or a disk only where there is one', () => {
    const has = (change: Partial<TurnContextDeps>, name: string, text = 'Hello') =>
      names(offerWith(change).tools('c', asked(text))).includes(name);
    assert.deepEqual([has({}, 'fetch_url'), has({}, 'fetch_url', 'See https://example.org/a')], [false, true]);
    const virtual = { isTrusted: () => true, roots: () => [{ name: 'web', uri: 'vscode-vfs://web/' }] };
    assert.deepEqual([has({}, 'run_command'), has({ workspace: virtual }, 'run_command')], [true, false]);
    const repositoryTools = (toolSpecs as readonly Tool[]).filter(({ needs }) => needs === 'repository');
    assert.ok(repositoryTools.length > 0);
    for (const { name } of repositoryTools) assert.equal(has({ isRepository: () => false }, name), false);
  });

  it('F15 tells of a sandbox only where there is one', () => {
    const told = (isSandboxed: boolean) =>
      offerWith({ isSandboxed: () => isSandboxed })
        .tools('c', asked('Hello'))
        .find(({ name }) => name === 'run_command')?.description;
    assert.notEqual(told(true), told(false));
  });

  it('U1 weighs the very system text, rules and tools that are sent', () => {
    const turnContext = offerWith();
    const history = asked('Hello');
    const tools = turnContext.tools('c', history);
    const sent = turnContext.parts(tools, history).systemPrompt(history);
    const { system, rules, tools: weighed } = turnContext.overhead('c', history);
    assert.ok(sent.includes(rules) && rules.startsWith('rules for'));
    assert.equal(sent.replace(rules, '').length - system.length < 40, true, 'only what introduces the rules is added');
    assert.deepEqual(
      weighed.map(({ name }) => name),
      names(tools),
    );
  });

  it('F34 P11 load_skill and the rows of what it loads come together, or not at all', () => {
    const history = asked('Hello');
    const sent = (rows: string) => {
      const turnContext = offerWith({
        steering: {
          rules: () => '',
          byPath: () => [],
          rows: () => rows,
          agentText: () => '',
          narrow: (tools) => tools,
        },
      });
      const tools = turnContext.tools('c', history);
      return {
        has: names(tools).includes('load_skill'),
        prompt: turnContext.parts(tools, history).systemPrompt(history),
      };
    };
    assert.deepEqual([sent('').has, sent('- pdf: Fills forms').has], [false, true]);
    assert.ok(sent('- pdf: Fills forms').prompt.endsWith('\n- pdf: Fills forms'));
    assert.equal(sent('').prompt.length, sent('- pdf: Fills forms').prompt.length - '\n- pdf: Fills forms'.length);
    const restricted = { isTrusted: () => false, roots: () => [root] };
    const turnContext = offerWith({
      workspace: restricted,
      steering: { rules: () => '', byPath: () => [], rows: () => 'x', agentText: () => '', narrow: (tools) => tools },
    });
    assert.doesNotMatch(turnContext.parts(turnContext.tools('c', history), history).systemPrompt(history), /\nx$/);
  });

  it('F34 rules for the files that a step touched hold for the next request, and the user is told once', () => {
    const byPath = (paths: readonly string[]) => (paths.includes('a.ts') ? ['.cursor/rules/ts.mdc'] : []);
    const turnContext = offerWith({
      steering: {
        rules: (paths) => paths.join(),
        byPath,
        rows: () => '',
        agentText: () => '',
        narrow: (tools) => tools,
      },
    });
    const history = asked('Read a.ts');
    const parts = turnContext.parts([], history);
    assert.equal(parts.rulesNote?.(history), undefined);
    assert.doesNotMatch(parts.systemPrompt(history), /\na\.ts$/);
    const call = { id: '1', name: 'read_file', arguments: '{"path":"a.ts"}' };
    const later: HistoryMessage[] = [...history, { role: 'assistant', text: '', model: 'm', toolCalls: [call] }];
    assert.match(parts.systemPrompt(later), /\na\.ts$/);
    assert.match(parts.rulesNote?.(later) ?? '', /now in force: \.cursor\/rules\/ts\.mdc/);
    assert.equal(parts.rulesNote?.(later), undefined);
    // A summary within the turn takes the call out of the messages.
    assert.match(parts.systemPrompt(history), /\na\.ts$/);
    // What the conversation had touched before its last message is no news.
    const next = [...later, ...asked('Go on')];
    assert.equal(turnContext.parts([], next).rulesNote?.(next), undefined);
  });

  it('F34 the text of a skill is sent until its turn ends, and not with the next message', () => {
    const call = { id: '1', name: 'load_skill', arguments: '{"name":"pdf"}' };
    const history: HistoryMessage[] = [
      ...asked('Fill it'),
      { role: 'assistant', text: '', model: 'm', toolCalls: [call] },
      { role: 'tool', callId: '1', name: 'load_skill', text: 'A long text' },
      ...asked('Thanks'),
    ];
    assert.doesNotMatch(JSON.stringify(offerWith().toSent(history, 'm')), /A long text/);
  });

  it('F35 P11 a subagent is offered where its history is long or its user names it, and changes no other request', () => {
    const turnContext = offerWith();
    const has = (history: readonly HistoryMessage[]) => names(turnContext.tools('c', history)).includes('ask_subagent');
    const long: HistoryMessage[] = [
      ...asked(Array.from({ length: 4000 }, (_, at) => `word${at}`).join(' ')),
      { role: 'assistant', text: 'Yes.', model: 'm', toolCalls: [] },
      ...asked('And now?'),
    ];
    const short = asked('Who calls it? Mail me@subagent.example');
    assert.deepEqual([has(short), has(long), has(asked('Let @subagent find who calls it'))], [false, true, true]);
    const without = offerWith({
      windowTools: (toolSpecs as readonly Tool[]).filter(
        ({ access, kind }) => access !== 'write' && kind !== 'subagent',
      ),
    });
    const sent = ({ tools, parts, overhead }: typeof turnContext) => {
      const offered = tools('c', short);
      return JSON.stringify([offered, parts(offered, short).systemPrompt(short), overhead('c', short)]);
    };
    assert.equal(sent(turnContext), sent(without));
  });

  it('F35 a subagent begins with tools that only look, none of which asks one, and with the rules, but not as the picked agent', () => {
    const turnContext = offerWith({
      windowTools: (toolSpecs as readonly Tool[]).filter(({ kind }) => kind !== 'subagent'),
      steering: {
        ...{ rules: () => 'The rules.', byPath: () => [], rows: () => 'rows', agentText: () => 'The picked agent.' },
        narrow: (tools) => tools.filter(({ name }) => name !== 'get_changes'),
      },
    });
    const agent = { name: 'a', text: 'You find.', models: [], narrow: (tools: readonly Tool[]) => tools.slice(0, 2) };
    const [plain, narrowed] = [turnContext.subagent(undefined), turnContext.subagent(agent)];
    assert.ok(plain.tools.length > 4);
    assert.ok(plain.tools.every(({ access, kind }) => access === 'read' && kind !== 'subagent'));
    assert.ok(!names(plain.tools).includes('get_changes'));
    assert.equal(narrowed.tools.length, 2);
    assert.match(plain.systemPrompt([]), /The rules\.$/);
    assert.doesNotMatch(plain.systemPrompt([]), /The picked agent|rows/);
    assert.match(narrowed.systemPrompt([]), /You find\.\nThe rules\.$/);
    const restricted = offerWith({ workspace: { isTrusted: () => false, roots: () => [root] } });
    assert.deepEqual(restricted.subagent(undefined).tools, []);
  });

  it('S24 sends no image to a model that takes none, and keeps the words', () => {
    const image = { hash: 'a', mime: 'image/png' as const, width: 1, height: 1, bytes: 1 };
    const history: HistoryMessage[] = [{ role: 'user', text: 'Look', images: [image] as never }];
    const refuses = { parameters: {}, images: { works: false, at: '', evidence: '' } };
    assert.deepEqual(offerWith().toSent(history, 'm'), history);
    assert.deepEqual(offerWith({ learned: { get: () => refuses } }).toSent(history, 'm'), asked('Look'));
  });
});
