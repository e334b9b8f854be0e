import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { createConsent } from '../../../src/agent/consent.ts';
import { toHistory } from '../../../src/agent/history.ts';
import { runTurn } from '../../../src/agent/loop.ts';
import { asksAboutImages } from '../../../src/service/wire/images.ts';
import { normaliseHistory } from '../../../src/service/wire/normalise-history.ts';
import { parseDurableEvent } from '../../../src/shared/event-schema.ts';
import { isStored } from '../../../src/shared/event-traits.ts';
import type { ChatEvent, DurableEvent } from '../../../src/shared/events.ts';
import type { HistoryImage, HistoryMessage } from '../../../src/shared/messages.ts';
import type { ExternalResultPart } from '../../../src/tools/external-result.ts';
import { createExternalTools, type ExternalTool } from '../../../src/tools/external-tools.ts';
import { onePixelPng } from '../../support/pictures.ts';
import { openFolders } from '../tools/workspace.ts';
import { allowsOnce, askWith } from './ask-with.ts';
import { createManualClock, createScriptedClient, model, type ScriptedReply } from './scripted-client.ts';

const names = ['list_issues', 'get_issue', 'draw_graph'].map((name) => `mcp_github_${name}`);
const image: ExternalResultPart = { kind: 'data', mediaType: 'image/png', bytes: onePixelPng };

describe('a turn with tools of others that are loaded', () => {
  let list: ExternalTool[];
  beforeEach(() => {
    list = names.map((name) => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object' } }));
  });

  async function take(script: readonly ScriptedReply[], answer: readonly ExternalResultPart[] = []) {
    const external = { list: () => list, invoke: async () => answer };
    const stored: string[] = [];
    const keepImage = async (url: string) => `${'a'.repeat(63)}${stored.push(url)}`;
    const tools = createExternalTools({
      ...{ ...openFolders({}), external, picked: () => names, loadAbove: () => 0, keepImage },
    })({ own: [], conversationId: 'c', keep: (all) => all });
    const { client, requests } = createScriptedClient(script);
    const events: ChatEvent[] = [];
    let calls = 0;
    const emit = (event: ChatEvent) => void events.push(event);
    const result = await runTurn(
      {
        ...{ client, tools, systemPrompt: () => 'system', clock: createManualClock(), maxSteps: () => 10 },
        newCallId: () => `c${++calls}`,
        log: (line) => assert.fail(line),
      },
      {
        ...{ turnId: 't', history: [{ role: 'user', text: 'Go' }], model, request: { surface: 'chat' as const } },
        emit,
        signal: new AbortController().signal,
        person: { consent: createConsent(), ask: askWith(emit, 't', allowsOnce) },
      },
    );
    assert.equal(result.outcome, 'finished');
    const sent = requests.map((request) => (request.tools ?? []).map(({ name }) => name));
    return { requests, sent, events, stored };
  }

  const call = (name: string, args: object = {}) => ({ name, arguments: JSON.stringify(args) });
  const done = { text: 'Done.' };

  it('F20 U18 each joins at the end of the list from the next request on, and what stood there stays as it was', async () => {
    const { sent, requests } = await take([
      { toolCalls: [call('load_tools', { names: ['draw_graph'] })] },
      { toolCalls: [call('load_tools', { names: ['mcp_github_get_issue'] }), call('mcp_github_list_issues')] },
      done,
    ]);
    assert.deepEqual(sent, [
      ['load_tools'],
      ['load_tools', 'mcp_github_draw_graph'],
      ['load_tools', 'mcp_github_draw_graph', 'mcp_github_get_issue'],
    ]);
    const bodies = requests.map(({ tools }) => JSON.stringify(tools).slice(0, -1));
    assert.ok(bodies[1]?.startsWith(bodies[0] ?? '-') && bodies[2]?.startsWith(bodies[1]));
    // Called by a name that was not loaded, it ran.
    const results = requests.at(-1)?.messages.filter(({ role }) => role === 'tool');
    assert.deepEqual(
      results?.map(({ text }) => text.slice(0, 24)),
      ['Loaded for this task: mc', 'Loaded for this task: mc', '[no text in the result]'],
    );
  });

  it('F20 X03 one that changes within the turn leaves the list, and the user is told once', async () => {
    const change = () => {
      list = list.map((tool) => (tool.name === 'mcp_github_draw_graph' ? { ...tool, description: 'Sends.' } : tool));
    };
    const { sent, events } = await take([
      { toolCalls: [call('load_tools', { names: ['draw_graph', 'get_issue'] })] },
      { toolCalls: [call('mcp_github_get_issue')], during: change },
      { toolCalls: [call('mcp_github_draw_graph')] },
      done,
    ]);
    assert.deepEqual(sent.slice(1), [
      ['load_tools', 'mcp_github_draw_graph', 'mcp_github_get_issue'],
      ['load_tools', 'mcp_github_get_issue'],
      ['load_tools', 'mcp_github_get_issue'],
    ]);
    const notes = events.flatMap((event) =>
      event.type === 'notice' && event.notice.kind === 'note' ? [event.notice.text] : [],
    );
    assert.deepEqual(notes, ['Changed or gone, and no longer loaded: mcp_github_draw_graph']);
    const last = events.findLast((event) => event.type === 'toolFinished');
    assert.match(last?.type === 'toolFinished' ? last.forModel : '', /changed what it says of itself/);
  });

  it('F20 images of a result follow all results of the reply, are stored, and come again as they were sent', async () => {
    const { requests, events, stored } = await take(
      [
        { text: 'Looking.', toolCalls: [call('mcp_github_draw_graph'), call('mcp_github_get_issue')] },
        { toolCalls: [call('mcp_github_list_issues')] },
        done,
      ],
      [{ kind: 'text', text: 'Drawn.' }, image, image, image],
    );
    const sent = requests.at(-1)?.messages ?? [];
    assert.deepEqual(
      sent.map(({ role }) => role),
      ['system', 'user', 'assistant', 'tool', 'tool', 'user', 'assistant', 'tool', 'user'],
    );
    const imagesAt = (at: number): readonly HistoryImage[] => {
      const message = sent[at];
      return message?.role === 'user' ? (message.images ?? []) : [];
    };
    assert.deepEqual(
      imagesAt(5).map(({ label }) => label),
      ['mcp_github_draw_graph 1', 'mcp_github_draw_graph 2', 'mcp_github_draw_graph 3', 'mcp_github_get_issue 1'],
    );
    assert.match(sent[4]?.text ?? '', /\[2 more of its images are not sent: the results of one reply can have 4\.\]/);
    assert.equal(stored.length, 9);
    // What is read back from the disk gives the very same messages.
    const durable = events
      .filter(isStored)
      .flatMap((event) => parseDurableEvent(JSON.parse(JSON.stringify(event))) ?? []);
    const asked: DurableEvent = { type: 'userMessage', id: 'u', at: 0, text: 'Go', attachments: [] };
    const again: HistoryMessage[] = toHistory([asked, ...durable]);
    assert.deepEqual(again.slice(0, -1), sent.slice(1));
    // A picture that nobody asked about is no reason to ask another model.
    assert.equal(asksAboutImages(again), false);
    const wire = (works: boolean) =>
      normaliseHistory(again, model, { parameters: {}, images: { works } } as never, {
        strength: 'normal',
        imageUrl: ({ hash }) => stored[Number(hash.slice(63)) - 1],
      });
    assert.equal(JSON.stringify(wire(true)).match(/data:image\/png;base64/g)?.length, 7);
    assert.doesNotMatch(JSON.stringify(wire(false)), /data:image/);
    assert.match(JSON.stringify(wire(false)), /mcp_github_draw_graph 1, 1×1, not sent to this model/);
  });
});
