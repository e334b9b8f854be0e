import assert from 'node:assert/strict';
import { menuContext } from '../../media/chat/transcript/context-menu.ts';
import type { ChatEvent } from '../../src/shared/events.ts';
import { approvals, calls, request } from './agent-fixtures.ts';
import { ask, cost, end, failure, glm, kimi, say, snapshot, toolStep, turn } from './fixtures.ts';
import { hostileTexts as vectors } from './hostile-texts.ts';
import { openPanel, type PanelPage } from './panel-page.ts';

const allowedTags = new Set(
  `ARTICLE B BDI BLOCKQUOTE BR BUTTON CODE DD DEL DETAILS DIV DL DT EM FOOTER HEADER H2 H3 HR INS LI OL P PATH PRE SECTION SPAN STRONG SUMMARY SVG
   TABLE TBODY TD TH THEAD TR UL`.split(/\s+/),
);
const allowedAttributes = new Set(
  `aria-controls aria-current aria-describedby aria-disabled aria-expanded aria-hidden aria-keyshortcuts aria-label aria-labelledby aria-pressed class d data-about data-id data-move data-start data-shown-at dir draggable id open role scope start tabindex title type viewBox`.split(
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
    for (const toggle of document.querySelectorAll<HTMLElement>('[aria-expanded=false]')) toggle.click();
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

  async function assertQuestionHarmless(): Promise<void> {
    await unfoldAll(panel);
    // The card's own form is the only one.
    assert.equal(await panel.log.locator('form').count(), 1);
    const own = panel.log.locator('form.text-form');
    await own.evaluate((form) => form.remove());
    await assertHarmless();
  }

  for (const [index, vector] of vectors.entries()) {
    it(`X17 X18 vector ${index + 1}: ${JSON.stringify(vector.slice(0, 50))}`, async () => {
      const everywhere: ChatEvent[] = [
        ...ask(vector),
        { type: 'reasoningDelta', turnId: 'turn-1', step: 0, text: vector },
        ...toolStep(vector, [
          { id: 'c1', name: vector, title: vector, arguments: JSON.stringify({ [vector]: vector }), output: vector },
        ]),
        { type: 'notice', turnId: 'turn-1', step: 0, notice: { kind: 'note', text: vector } },
        { type: 'textDelta', turnId: 'turn-1', step: 1, text: vector },
        end('turn-1', {
          outcome: 'failed',
          failure: failure('bad-request', { serverMessage: vector, message: vector, model: vector }),
        }),
      ];
      const names = { [kimi]: vector, [glm]: vector };
      await panel.send(
        snapshot(everywhere, {
          modelNames: names,
          model: { id: vector, name: vector },
          attachments: [{ id: 'a', label: vector }],
        }),
      );
      await unfoldAll(panel);
      await assertHarmless();
      const title = `Ask: ${vector}`;
      await panel.send(
        snapshot([
          ...ask('Hi'),
          ...calls([{ id: 'c1', name: 'ask_user' }]),
          { type: 'toolStarted', turnId: 'turn-1', step: 0, callId: 'c1', name: 'ask_user', title, at: 0 },
          {
            type: 'questionAsked',
            turnId: 'turn-1',
            step: 0,
            question: { callId: 'c1', text: vector, options: [vector] },
          },
        ]),
      );
      await assertQuestionHarmless();
    });
  }

  // These places know no markup at all: several at a time find the same.
  const groups = Array.from({ length: Math.ceil(vectors.length / 8) }, (_, index) =>
    vectors.slice(index * 8, index * 8 + 8).join('\n'),
  );
  for (const [index, vector] of groups.entries()) {
    it(`X22 X25 in requests, diffs, plans, edits and the queue, vectors from ${index * 8 + 1} on`, async () => {
      const change = { tool: vector, title: vector, warnings: [vector], scopes: ['once', 'always'] as const };
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
              request({ kind: 'foreign', tool: vector, arguments: vector }, { ...change, callId: 'c4' }),
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

  it('X17 X18 holds for text that comes letter by letter', async () => {
    await panel.send(snapshot());
    await panel.events(...ask('Hi', 'turn-s'));
    const text = vectors.join('\n\n');
    await panel.page.evaluate(
      async (pieces: ChatEvent[]) => {
        for (const event of pieces) {
          window.dispatchEvent(new MessageEvent('message', { data: { type: 'events', events: [event] } }));
          if (Math.random() < 0.2) await new Promise((resolve) => requestAnimationFrame(resolve));
        }
      },
      Array.from({ length: Math.ceil(text.length / 3) }, (_, index) =>
        say(text.slice(index * 3, index * 3 + 3), 'turn-s'),
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
