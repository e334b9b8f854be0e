import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as z from 'zod/mini';
import type { Tool } from '../../../src/agent/tool.ts';
import { createOffer, type OfferDeps } from '../../../src/chat/offer.ts';
import type { ChatMode } from '../../../src/shared/approval.ts';
import type { HistoryMessage } from '../../../src/shared/messages.ts';
import { toolSpecs } from '../../../src/tools/index.ts';

const root = { name: 'project', uri: 'file:///project', fsPath: '/project' };
const foreignTool = {
  name: 'other_search',
  access: 'execute',
  description: '',
  parameters: z.object({}),
} as unknown as Tool;

function offerWith(change: Partial<OfferDeps> = {}) {
  const specs = toolSpecs as readonly Tool[];
  return createOffer({
    workspace: { isTrusted: () => true, roots: () => [root] },
    isRepository: () => true,
    mode: () => 'agent',
    windowTools: specs.filter(({ access }) => access !== 'write'),
    editToolsFor: (_, others) => [...others, ...specs.filter(({ access }) => access === 'write')],
    isSandboxed: () => true,
    foreign: () => [foreignTool],
    rules: (inPlay) => `rules for ${inPlay.join()}`,
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
    const offered = (mode: ChatMode) => offerWith({ mode: () => mode }).tools('c', asked('Hello'));
    assert.ok(offered('ask').every(({ access }) => !['write', 'execute'].includes(access)));
    assert.ok(offered('edit').some(({ access }) => access === 'write'));
    assert.ok(offered('edit').every(({ access }) => access !== 'execute'));
    assert.ok(names(offered('agent')).includes(foreignTool.name));
    assert.ok(names(offered('agent')).includes('run_command'));
  });

  it('F31 offers what needs a page, a repository or a disk only where there is one', () => {
    const has = (change: Partial<OfferDeps>, name: string, text = 'Hello') =>
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
    const offer = offerWith();
    const history = asked('Hello');
    const tools = offer.tools('c', history);
    const sent = offer.parts(tools, history).systemPrompt();
    const { system, rules, tools: weighed } = offer.overhead('c', history);
    assert.ok(sent.includes(rules) && rules.startsWith('rules for'));
    assert.equal(sent.replace(rules, '').length - system.length < 40, true, 'only what introduces the rules is added');
    assert.deepEqual(
      weighed.map(({ name }) => name),
      names(tools),
    );
  });

  it('S24 sends no image to a model that takes none, and keeps the words', () => {
    const image = { hash: 'a', mime: 'image/png' as const, width: 1, height: 1, bytes: 1 };
    const history: HistoryMessage[] = [{ role: 'user', text: 'Look', images: [image] as never }];
    const refuses = { parameters: {}, images: { works: false, at: '', evidence: '' } };
    assert.deepEqual(offerWith().toSent(history, 'm'), history);
    assert.deepEqual(offerWith({ learned: { get: () => refuses } }).toSent(history, 'm'), asked('Look'));
  });
});
