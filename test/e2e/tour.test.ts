import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { axeProblems } from '../panel/axe.ts';
import { sampleTour, tourRules, tourSettings } from '../vscode/start-tour.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { type Chat, chatIn, showSteps } from './chat.ts';
import { type Session, sessionKey } from './session.ts';
import { useSession } from './use-session.ts';

const generous = { timeout: 180_000 };
const [question = '', edit = '', tests = '', busy = ''] = sampleTour.flatMap(({ prompt }) => prompt ?? []);

/** A person who follows the tour, and what it takes them. */
interface Hand {
  name: string;
  /** Of clicks, or of key presses that are no text. */
  steps: number;
  send(chat: Chat): Promise<void>;
  allow(chat: Chat, button: string): Promise<void>;
  keepAll(chat: Chat): Promise<void>;
  selectModel(session: Session, chat: Chat, name: string): Promise<void>;
}

function mouse(): Hand {
  const click = async (chat: Chat, name: string) => {
    await chat.button(name).click(generous);
    hand.steps += 1;
  };
  const hand: Hand = {
    name: 'mouse',
    steps: 0,
    send: (chat) => click(chat, 'Send'),
    allow: click,
    keepAll: (chat) => click(chat, 'Keep All'),
    async selectModel({ window }, chat, name) {
      await chat.frame.getByRole('button', { name: /^Model: / }).click(generous);
      const row = chat.frame.getByRole('listbox', { name: 'Model' }).getByText(name, { exact: true });
      await row.waitFor(generous);
      await window.screenshot('model-at-its-button');
      await row.click();
      hand.steps += 2;
    },
  };
  return hand;
}

function keyboard(session: () => Session): Hand {
  const press = async (key: string) => {
    await session().window.page.keyboard.press(key);
    hand.steps += 1;
  };
  const hand: Hand = {
    name: 'keyboard',
    steps: 0,
    send: () => press('Enter'),
    allow: () => press('Control+Enter'),
    keepAll: () => press('Control+Enter'),
    async selectModel({ window }, _chat, name) {
      await press('Control+Alt+Period');
      await waitFor('the models', async () => (await window.quickInput.labels()).includes(name));
      await window.page.keyboard.type(name);
      await waitFor('one model in front', async () => (await window.quickInput.labels())[0] === name);
      await press('Enter');
      await window.quickInput.widget.waitFor({ state: 'hidden' });
    },
  };
  return hand;
}

for (const [name, handOf] of [
  ['mouse', mouse],
  ['keyboard', keyboard],
] as const) {
  describe(`the tour that npm start gives, by ${name}`, () => {
    const session = useSession({
      service: { tour: sampleTour, script: { rules: tourRules } },
      otherExtensions: [path.resolve(import.meta.dirname, '../vscode/start-extension')],
      env: { SVC_START_QUESTION: question },
      settings: tourSettings(),
    });
    const hand = handOf(session);
    let chat: Chat;
    let beganAt = 0;
    const picture = async (step: string) => {
      await session().window.screenshot(`tour-${name}-${step}`);
      if (name === 'keyboard' && chat) assert.deepEqual(await axeProblems(chat.frame), [], step);
    };
    const ask = async (text: string) => {
      // A list that has just closed gives the focus back a moment later.
      await waitFor('the text in the message', async () => {
        await chat.message.fill(text, generous);
        return chat.message.evaluate((box) => box === document.activeElement && document.hasFocus());
      });
      await waitFor('all of the text', async () => (await chat.message.inputValue()) === text);
      await hand.send(chat);
      await chat.frame.getByRole('article', { name: 'You' }).filter({ hasText: text }).last().waitFor(generous);
    };
    const shown = async () => (await (await chat.finishedAnswer()).innerText()).replace(/\s+/g, ' ');

    it('S1 opens with our chat in front, the question in it, and asks for the key when it is sent', async function () {
      this.timeout(240_000);
      const { window } = session();
      beganAt = performance.now();
      chat = await chatIn(session());
      await waitFor('the question', async () => (await chat.message.inputValue()) === question);
      await waitFor('the focus in the message', () =>
        chat.message.evaluate((box) => box === document.activeElement && document.hasFocus()),
      );
      await picture('1-setup');
      await hand.send(chat);
      await window.quickInput.widget.locator('input[type="password"]').waitFor(generous);
      await picture('2-key');
      await window.answerInputBox(sessionKey);
      hand.steps += 1;
      // What was sent before the key is sent after it.
      assert.match(await shown(), /src\/shipping\.ts:5\. .*free from 49 euros.*freeFromCents is 4900/);
      await picture('3-answer');
    });

    it('F14 F17 makes an edit of two hunks that is kept', async function () {
      this.timeout(240_000);
      await ask(edit);
      await chat.frame.getByRole('group', { name: 'Approval needed: edit_file' }).waitFor(generous);
      await picture('4-approval');
      await hand.allow(chat, 'Allow in This Chat');
      assert.match(await shown(), /I changed 2 places/);
      await picture('5-edit');
      await hand.keepAll(chat);
      await chat.frame.getByRole('region', { name: 'Changes' }).waitFor({ state: 'hidden', ...generous });
      const seconds = ((performance.now() - beganAt) / 1000).toFixed(1);
      console.log(`first kept edit by ${name}: ${hand.steps} steps, ${seconds} s since the window is usable`);
      const text = await readFile(path.join(session().folder, 'src/shipping.ts'), 'utf8');
      assert.match(text, /freeFromCents = 5900;[\s\S]*free from 59 euros/);
    });

    it('F15 runs the tests of the folder', async function () {
      this.timeout(240_000);
      await ask(tests);
      await chat.frame.getByRole('group', { name: 'Approval needed: run_command' }).waitFor(generous);
      await hand.allow(chat, 'Allow Once');
      assert.match(await shown(), /npm test.*pass 2.*fail 0/);
      await picture('6-command');
    });

    it('S9 meets a model at capacity, whose place another takes by name, and ends', async function () {
      this.timeout(240_000);
      await hand.selectModel(session(), chat, 'Kimi K3');
      await chat.frame.getByRole('button', { name: 'Model: Kimi K3' }).waitFor(generous);
      await ask(busy);
      assert.match(await shown(), /WELCOME: 10.*That was the tour/);
      await showSteps(await chat.finishedAnswer());
      await chat.frame
        .getByText(/Kimi K3 was at capacity/)
        .first()
        .waitFor(generous);
      await picture('7-capacity');
      assert.deepEqual(await session().window.notifications(), []);
    });
  });
}
