import assert from 'node:assert/strict';
import { menuContext } from '../../media/chat/transcript/context-menu.ts';
import type { ChatEvent } from '../../src/shared/events.ts';
import { someOf, times } from '../support/effort.ts';
import { approvals, calls, request } from './agent-fixtures.ts';
import { ask, cost, end, failure, glm, kimi, say, snapshot, toolStep, turn } from './fixtures.ts';
import { hostileTexts as vectors } from './hostile-texts.ts';
import { openPanel, type PanelPage } from './panel-page.ts';

const allowedTags = new Set(
  `ARTICLE B BDI BLOCKQUOTE BR BUTTON CODE DD DEL DETAILS DIV DL DT EM FOOTER HEADER H2 H3 HR INS LI OL P PATH PRE SECTION SPAN STRONG SUMMARY SVG
   TABLE TBODY TD TH THEAD TR UL`.split(/\s+/),
);
const allowedAttributes = new Set(
  `aria-controls aria-current aria-describedby aria-disabled aria-expanded aria-hidden aria-keyshortcuts aria-label aria-labelledby aria-posinset aria-pressed aria-setsize class d data-about data-id data-move data-start data-shown-at dir draggable id open role scope start tabindex title type viewBox`.split(
    ' ',
  ),
);

/** VS Code reads these as data of the page: nothing of the model's may be in them. */
const menuContexts: readonly string[] = Object.values(menuContext);

/** What must never be there, in the document as it is now. */
function foreignParts(panel: PanelPage, tags: string[], attributes: string[]): Promise<string[]> {
  return panel.page.evaluate(
    ([tags, attributes, contexts]) => {
      const found: string[] = [];
      for (const element of document.querySelectorAll('[role=log] *, .strips *')) {
        if (!tags?.includes(element.tagName.toUpperCase())) found.push(`<${element.tagName}>`);
        for (const { name, value } of element.attributes) {
          const allowed = name === 'data-vscode-context' ? contexts?.includes(value) : attributes?.includes(name);
          if (!allowed) found.push(`${element.tagName} ${name}`);
        }
      }
      if ((globalThis as { pwned?: unknown }).pwned !== undefined) found.push('a script ran');
      return found;
    },
    [tags, attributes, menuContexts] as const,
  );
}

/** So that nothing escapes the look. */
function unfoldAll(panel: PanelPage): Promise<void> {
  return panel.page.evaluate(async () => {
    for (const details of document.querySelectorAll('details')) details.open = true;
    for (const toggle of document.querySelectorAll<HTMLElement>('[aria-expanded=false]:not([aria-haspopup])'))
      toggle.click();
    for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}

describe('model text is only ever text', () => {
  let panel: PanelPage;
  before(async () => {
    panel = await openPanel();
  });
  after(() => panel.close());

  async function assertHarmless(more: readonly string[] = []): Promise<void> {
    assert.deepEqual(await foreignParts(panel, [...allowedTags, ...more], [...allowedAttributes]), []);
    assert.deepEqual(panel.foreignRequests(), []);
    assert.deepEqual(panel.problems(), []);
    for (const message of await panel.posted()) assert.equal(message.type, 'ready');
  }

  async function assertQuestionsHarmless(count: number): Promise<void> {
    await unfoldAll(panel);
    // The card's own form is the only one.
    const own = panel.log.locator('form.text-form');
    assert.equal(await panel.log.locator('form').count(), count);
    assert.equal(await own.count(), count);
    await own.evaluateAll((forms) => {
      for (const form of forms) form.remove();
    });
    await assertHarmless();
  }

  /** A page that is opened for each takes half a minute more and finds the same. */
  const inGroups = (size: number) =>
    Array.from({ length: Math.ceil(vectors.length / size) }, (_, index) => ({
      first: index * size + 1,
      group: vectors.slice(index * size, index * size + size),
    }));

  for (const { first, group } of someOf(inGroups(8), 4)) {
    it(`X17 X18 vectors from ${first} on: ${JSON.stringify(group[0]?.slice(0, 50))}`, async () => {
      const everywhere = group.flatMap((vector, index): ChatEvent[] => {
        const turnId = `turn-${index}`;
        return [
          ...ask(vector, turnId),
          { type: 'reasoningDelta', turnId, step: 0, text: vector },
          ...toolStep(
            vector,
            [
              {
                id: `c${index}`,
                name: vector,
                title: vector,
                arguments: JSON.stringify({ [vector]: vector }),
                output: vector,
              },
            ],
            turnId,
          ),
          { type: 'notice', turnId, step: 0, notice: { kind: 'note', text: vector } },
          { type: 'textDelta', turnId, step: 1, text: vector },
          end(turnId),
        ];
      });
      const all = group.join('\n');
      const failed = failure('bad-request', { serverMessage: all, message: all, model: all });
      await panel.send(
        snapshot([...everywhere, ...ask('Hi', 'turn-f'), end('turn-f', { outcome: 'failed', failure: failed })], {
          modelNames: { [kimi]: all, [glm]: all },
          model: { id: all, name: all },
          attachments: group.map((label, index) => ({ id: `a${index}`, label })),
        }),
      );
      await unfoldAll(panel);
      await assertHarmless();
      const asked = group.map((text, index) => ({ callId: `c${index}`, text, options: [text] }));
      await panel.send(
        snapshot([
          ...ask('Hi'),
          ...calls(asked.map(({ callId }) => ({ id: callId, name: 'ask_user' }))),
          ...asked.flatMap((question): ChatEvent[] => {
            const { callId, text } = question;
            const base = { turnId: 'turn-1', step: 0 };
            return [
              { type: 'toolStarted', ...base, callId, name: 'ask_user', title: `Ask: ${text}`, at: 0 },
              { type: 'asked', ...base, id: question.callId, kind: 'question', about: question },
            ];
          }),
        ]),
      );
      await assertQuestionsHarmless(group.length);
    });
  }

  // These places know no markup at all: several at a time find the same.
  for (const { first, group } of someOf(inGroups(8), 4)) {
    it(`X22 X25 in requests, diffs, plans, edits and the queue, vectors from ${first} on`, async () => {
      const vector = group.join('\n');
      const change = { tool: vector, title: vector, warnings: [vector], scopes: ['once' as const, 'always' as const] };
      const diff = `@@ -1,1 +1,1 @@\n-${vector}\n+${vector}  \n ${vector}\n${vector}`;
      await panel.send(
        snapshot(
          [
            ...turn('Hi', 'Hello', 'turn-0'),
            { type: 'compacted', turnId: 'turn-1', summary: vector, tokensBefore: 2, tokensAfter: 1 },
            ...approvals(
              request({ kind: 'command', command: vector, cwd: vector, shell: vector }, { ...change, callId: 'c1' }),
              request(
                { kind: 'edit', path: vector, diff, added: 1, removed: 1, isNew: false, isProtected: true },
                { ...change, callId: 'c2' },
              ),
              request({ kind: 'rename', path: vector, to: vector, isProtected: true }, { ...change, callId: 'c3' }),
              request({ kind: 'external', tool: vector, arguments: vector }, { ...change, callId: 'c4' }),
              request({ kind: 'fetch', url: vector, domain: vector }, { ...change, callId: 'c5' }),
            ),
            { type: 'planUpdated', turnId: 'turn-1', items: [{ text: vector, state: 'active' }] },
          ],
          {
            edits: [{ uri: vector, path: vector, added: 1, removed: 1, renamedFrom: vector }],
            queue: { items: [{ id: 'q', text: vector }], paused: true },
          },
        ),
      );
      await unfoldAll(panel);
      await assertHarmless();
      await panel.send(
        snapshot([
          ...ask('Hi'),
          ...calls([{ id: 'c2', name: 'run_command' }]),
          { type: 'toolStarted', turnId: 'turn-1', step: 0, callId: 'c2', name: vector, title: vector, at: 0 },
          { type: 'toolOutput', turnId: 'turn-1', step: 0, callId: 'c2', text: vector },
        ]),
      );
      await unfoldAll(panel);
      await assertHarmless();
    });
  }

  it('X17 X18 holds for text that comes a few letters at a time', async () => {
    await panel.send(snapshot());
    await panel.events(...ask('Hi', 'turn-s'));
    const text = vectors.join('\n\n');
    const few = times(12, 3);
    await panel.page.evaluate(
      async (pieces: ChatEvent[]) => {
        for (const [index, event] of pieces.entries()) {
          window.dispatchEvent(new MessageEvent('message', { data: { type: 'events', events: [event] } }));
          if (index % 5 === 0) await new Promise((resolve) => requestAnimationFrame(resolve));
        }
      },
      Array.from({ length: Math.ceil(text.length / few) }, (_, index) =>
        say(text.slice(index * few, (index + 1) * few), 'turn-s'),
      ),
    );
    await panel.events(end('turn-s', { cost: cost() }));
    await assertHarmless();
  });

  it('X17 shows an image as a chip with its alt text and never loads it', async () => {
    await panel.send(snapshot(turn('Hi', '![a cat](https://evil.example/cat.png?leak=1)')));
    await panel.page.getByText('Image not loaded: a cat').waitFor();
    await assertHarmless();
  });

  it('X18 shows where a link that pretends leads', async () => {
    await panel.send(snapshot(turn('Hi', '[https://github.com/login](https://evil.example/login)')));
    await panel.page.getByText('(evil.example)').waitFor();
  });

  it('X18 shows direction marks instead of obeying them', async () => {
    await panel.send(snapshot(turn('Hi', 'safe \u202eexe.txt and `a\u200bb`')));
    await panel.page.getByText('safe ␣U+202Eexe.txt').waitFor();
    await panel.page.getByText('a␣U+200Bb').waitFor();
  });

  it('X18 no middle click, drag or Ctrl+click opens a page', async () => {
    await panel.send(snapshot(turn('Hi', '[docs](https://example.com/)')));
    const pages = panel.page.context().pages().length;
    const link = panel.page.getByRole('link', { name: 'docs' });
    await link.click({ button: 'middle' });
    await link.click({ modifiers: ['Control'] });
    assert.equal(panel.page.context().pages().length, pages);
    assert.match(panel.page.url(), /^http:\/\/127\.0\.0\.1/);
  });

  it('ignores messages that are none of the host’s', async () => {
    await panel.page.evaluate(() => {
      for (const data of [null, 1, 'x', {}, { type: 'eval' }, { type: 'constructor' }, []]) {
        window.dispatchEvent(new MessageEvent('message', { data }));
      }
    });
    assert.deepEqual(panel.problems(), []);
  });
});
