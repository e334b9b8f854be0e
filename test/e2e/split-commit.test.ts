import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { pullRequestReply } from '../../src/features/git/core/pull-request.ts';
import { splitReply } from '../../src/features/git/core/split-request.ts';
import { costMicroUsd } from '../../src/spend/price.ts';
import { messageText } from '../service/chat-request.ts';
import { gitIn } from '../support/git-in.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { openChat } from './chat.ts';
import { chatRequests } from './chat-requests.ts';
import { enterKey } from './session.ts';
import { fillShop, setShippingPrice } from './shop.ts';
import { openSourceControl, textOf } from './source-control.ts';
import { useSession } from './use-session.ts';

const generous = { timeoutMs: 60_000, timeout: 180_000 };

/** Two places of one file and a new file are staged; a third file is changed and not staged. */
async function fillChanges(folder: string): Promise<void> {
  await fillShop(folder);
  const git = gitIn(folder);
  await setShippingPrice(folder, 'return standardCents', 'return Math.round(standardCents)');
  await writeFile(path.join(folder, 'src/notes.ts'), "export const notes = ['one'];\n");
  await writeFile(path.join(folder, '.env'), 'SHOP_KEY=hunter2\n');
  await git('add', '-A', '-f');
  const cart = path.join(folder, 'src/cart.ts');
  await writeFile(cart, `${await readFile(cart, 'utf8')}// only in the working tree\n`);
}

/** What was told counts a usual reply; that of a test is short. The sums are as they are shown, in ten-thousandths. */
function assertNear(toldUsd: number, billedUsd: number, replyTokens: number): void {
  const reply = costMicroUsd(replyTokens) / 1e6;
  const words = `${toldUsd} told, ${billedUsd} billed`;
  assert.ok(billedUsd <= toldUsd + 0.0001 && toldUsd <= billedUsd + reply + 0.0001, words);
}

describe('changes split into commits', () => {
  const gitHub = path.join(import.meta.dirname, '../host/github-extension');
  const session = useSession({ fillWorkspace: fillChanges, otherExtensions: [gitHub] });

  it('F42 tells its price, shows groups with their changes, stages one at a time, commits nothing, and undoes the staging', async function () {
    this.timeout(600_000);
    const { service, window, folder } = session();
    const { page } = window;
    const git = async (...args: string[]) => (await gitIn(folder)(...args)).stdout.trim();
    await openChat(session());
    await enterKey(session());
    service.reset();
    const groups = [
      { message: 'shop: raise the limit for free shipping', hunks: [3, 2] },
      { message: 'shop: round the shipping\n\nCents are whole.', hunks: [4, 3, 99] },
    ];
    service.script({ replies: [{ text: `\`\`\`json\n${JSON.stringify(groups)}\n\`\`\`` }] });
    const { message, view } = await openSourceControl(session());
    const staged = await git('write-tree');
    const head = await git('rev-parse', 'HEAD');
    const before = service.balanceMicroUsd();
    await window.runCommand('svc: Split Changes into Commits');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    const first = rows.filter({ hasText: 'Staged Changes' });
    await first.waitFor(generous);
    const told = Number(/≈ \$(0\.\d{4}) for one request/.exec(await textOf(first))?.[1] ?? assert.fail());
    assert.match(await textOf(first), /4 changes · 3 files/);
    await window.screenshot('split-price');
    await page.keyboard.press('Enter');
    await rows.filter({ hasText: 'Left over' }).waitFor(generous);
    const billed = (before - service.balanceMicroUsd()) / 1e6;
    assertNear(told, billed, splitReply.tokens);
    const title = await page.locator('.quick-input-title').innerText();
    assert.equal(title, `Stage This Group · 4 changes · 3 files · $${billed.toFixed(4)}`);
    const [asked] = chatRequests(session());
    const said = asked?.messages.map(messageText).join('\n') ?? '';
    assert.match(said, /\+const freeFromCents = 5900/);
    assert.doesNotMatch(said, /hunter2|only in the working tree/);
    await window.screenshot('split-groups-light');
    const limit = rows.filter({ hasText: 'raise the limit' });
    await limit.hover();
    await limit.getByRole('button', { name: 'Show Changes' }).click(generous);
    const patch = page.locator('.editor-group-container.active .monaco-editor .view-lines').first();
    await waitFor('the diff', async () => /\+const freeFromCents = 5900/.test(await textOf(patch)), generous);
    await window.screenshot('split-diff');
    await page.keyboard.press('Escape');

    // Again: nothing is asked, and nothing paid.
    await window.setTheme('Dark Modern');
    await window.runCommand('svc: Split Changes into Commits');
    await rows.filter({ hasText: 'Left over' }).waitFor(generous);
    await window.screenshot('split-groups-dark');
    await page.keyboard.press('Enter');
    await window.notification(/^Staged: shop: raise the limit for free shipping/);
    assert.equal(chatRequests(session()).length, 1);
    assert.equal(await message(), 'shop: raise the limit for free shipping');
    assert.deepEqual((await git('diff', '--cached')).match(/^[+-](?![+-]).*/gm), [
      "+export const notes = ['one'];",
      '-const freeFromCents = 4900;',
      '+const freeFromCents = 5900;',
    ]);
    assert.equal(await git('rev-parse', 'HEAD'), head);
    await window.screenshot('split-staged');
    await window.pressNotificationButton('Undo Staging', /^Staged: shop/);
    await waitFor('the index as before', async () => (await git('write-tree')) === staged, generous);
    await waitFor('an empty box', async () => !(await message()).includes('shop:'), generous);

    // Group by group, by the keyboard; what the user has typed is theirs.
    await window.setTheme('Dark High Contrast');
    await window.runCommand('svc: Split Changes into Commits');
    await rows.filter({ hasText: 'Left over' }).waitFor(generous);
    await page.keyboard.press('Enter');
    await window.notification(/^Staged: shop: raise/);
    await git('commit', '-m', 'shop: raise the limit for free shipping');
    await view.locator('.scm-input').first().click(generous);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('mine');
    await window.runCommand('svc: Split Changes into Commits');
    await rows.filter({ hasText: 'committed · 2 changes' }).waitFor(generous);
    await window.screenshot('split-next');
    await page.keyboard.press('Enter');
    await window.notification(/has a message that you typed. Replace it with: shop: round the shipping/);
    assert.equal(await message(), 'mine');
    await window.pressNotificationButton('Replace', /message that you typed/);
    await window.notification(/^Staged: shop: round the shipping/);
    assert.equal(await message(), 'shop: round the shipping Cents are whole.');
    await git('commit', '-m', 'shop: round the shipping');
    await window.pressNotificationButton('Next Group', /^Staged: shop: round/);
    await rows.filter({ hasText: 'Left over' }).waitFor(generous);
    await page.keyboard.press('Enter');
    await window.notification(/^Staged, the last group: Left over/);
    assert.equal(await git('write-tree'), staged);
    assert.match(await git('status', '--porcelain'), /^ ?M src\/cart\.ts$/m);
    assert.equal(chatRequests(session()).length, 1);
    await window.setTheme('Light Modern');
  });

  it('F42 writes the text of a pull request from the commits of a branch, in the form that the repository has, and pushes nothing', async function () {
    this.timeout(600_000);
    const { service, window, folder } = session();
    const { page } = window;
    const git = async (...args: string[]) => (await gitIn(folder)(...args)).stdout.trim();
    await git('commit', '--allow-empty', '-m', 'shop: leave the rest');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await window.runCommand('svc: Write Pull Request Text');
    await window.notification(/^There is no other branch/);
    await git('checkout', '-q', '-b', 'work');
    await window.runCommand('svc: Write Pull Request Text');
    await window.notification(/^This branch has no commits of its own beside main/);
    const form = path.join(folder, 'pull_request_template.md');
    await writeFile(form, '## Why\n<!-- say why -->\n');
    await git('add', 'pull_request_template.md', 'src/cart.ts');
    await git('commit', '-m', 'shop: note it in the cart');
    service.reset();
    service.script({
      replies: [
        {
          text: `# Note it in the cart\n\n## Why\n${Array.from({ length: 80 }, (_, at) => `Customer ${at} asked.`).join(' ')}`,
        },
      ],
    });
    const before = service.balanceMicroUsd();
    await window.runCommand('svc: Write Pull Request Text');
    const row = rows.filter({ hasText: 'Into main' });
    await row.waitFor(generous);
    const told = Number(
      /≈ \$(0\.\d{4}) for one request\. Nothing is pushed/.exec(await textOf(row))?.[1] ?? assert.fail(),
    );
    assert.match(await textOf(row), /1 commit · 2 files/);
    await window.screenshot('pull-request-price');
    await page.keyboard.press('Enter');
    const written = await window.notification(/^Pull request text written/);
    const billed = (before - service.balanceMicroUsd()) / 1e6;
    assertNear(told, billed, pullRequestReply.tokens);
    const notice = await textOf(written.locator('.notification-list-item-message').first());
    assert.ok(notice.endsWith(` · $${billed.toFixed(4)}`), notice);
    const lines = page.locator('.editor-group-container.active .monaco-editor .view-lines').first();
    assert.match(await textOf(lines), /^Note it in the cart ## Why Customer 0 asked\. /);
    const said = chatRequests(session())[0]?.messages.map(messageText).join('\n') ?? '';
    assert.match(said, /The branch work is to go into main\./);
    assert.match(said, /^- shop: note it in the cart$/m);
    assert.match(said, /\+\/\/ only in the working tree/);
    assert.match(said, /The template:\n## Why/);
    await window.screenshot('pull-request-text');
  });

  it('F42 of 254 files says in one line that only the biggest changes were sent, and asks only once about the view of GitHub', async function () {
    this.timeout(600_000);
    const { service, window, folder } = session();
    const { page } = window;
    const git = gitIn(folder);
    await window.notification(/^The sparkle button in GitHub's Create Pull Request view can ask svc too/);
    await window.screenshot('pull-request-view-question');
    await window.pressNotificationButton("Don't Use", /^The sparkle button/);
    await git('checkout', '-q', '-b', 'many', 'main');
    for (let at = 0; at < 254; at++) {
      await writeFile(path.join(folder, `src/part-${at}.ts`), `export const part = ${at};\n`.repeat((at % 50) + 1));
    }
    await git('add', '-A', 'src/part-*');
    await git('commit', '-m', 'shop: add 254 parts');
    service.reset();
    service.script({ replies: [{ text: 'Add 254 parts\n\nEach is a file.' }] });
    await window.runCommand('svc: Write Pull Request Text');
    const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Into main' });
    await row.waitFor(generous);
    assert.match(await textOf(row), /1 commit · 254 files/);
    await page.keyboard.press('Enter');
    const written = await window.notification(/^Written from/);
    const message = written.locator('.notification-list-item-message').first();
    assert.match(await textOf(message), /^Written from the \d+ biggest of 254 changes · \$0\.\d{4}$/);
    assert.ok(await message.evaluate((line) => line.scrollWidth <= line.clientWidth), 'it is seen to its end');
    const said = chatRequests(session())[0]?.messages.map(messageText).join('\n') ?? '';
    assert.match(said, /\[134 more files\]/);
    await window.screenshot('pull-request-of-many-files');
    assert.equal(await page.getByText('The sparkle button').count(), 0);
  });
});
