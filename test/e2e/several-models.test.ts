import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { gitIn } from '../support/git-in.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { killHost } from './kill-host.ts';
import { resizeSideBar } from './resize-side-bar.ts';
import { edit } from './scripted-calls.ts';
import { fillShop } from './shop.ts';
import { useChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

const generous = { timeoutMs: 120_000, timeout: 120_000 };
const [right, cheat, lazy] = ['svc/glm-5.3', 'svc/kimi-k3', 'svc/qwen-3.8-27b'];

/** The shop with a test that is red: shipping costs ten cents too much. */
async function fillRedShop(folder: string): Promise<void> {
  await fillShop(folder);
  await writeFile(
    path.join(folder, 'price.test.sh'),
    'if grep -q "standardCents - 10" src/shipping.ts; then echo "0 failed"; else echo "1 failed"; exit 1; fi\n',
  );
  const git = gitIn(folder);
  await git('add', '-A');
  await git('commit', '-m', 'shop: test the price');
}

describe('a task on several models', () => {
  const session = useSession({ fillWorkspace: fillRedShop, settings: { 'svc.tools.sandbox.mode': 'on' } });
  const chat = useChat(session);
  const pick = async (names: readonly string[]) => {
    const list = session().window.page.locator('.quick-input-list .monaco-list-row');
    await list.first().waitFor(generous);
    for (const row of await list.all()) {
      const box = row.getByRole('checkbox').first();
      const name = (await row.locator('.label-name').first().innerText()).trim();
      if ((await box.isChecked()) !== names.includes(name)) await box.click();
    }
  };

  it('U20 tells the price of all before, what the tests say of each after, brings one back, and the others go with a patch', async function () {
    this.timeout(600_000);
    const { service, window, folder } = session();
    const { page } = window;
    const { frame } = chat();
    const shipping = path.join(folder, 'src/shipping.ts');
    const before = await readFile(shipping, 'utf8');
    service.reset();
    const says = (model: string, calls: ReturnType<typeof edit>[][]) => [
      ...calls.map((toolCalls) => ({ match: { model }, toolCalls })),
      { match: { model }, text: 'Ten cents less.' },
    ];
    const look = (file: string) => ({ name: 'read_file', arguments: { path: file } });
    service.script({
      replies: [
        ...says(right ?? '', [
          [look('src/shipping.ts')],
          [edit('src/shipping.ts', 'return standardCents;', 'return standardCents - 10;')],
        ]),
        ...says(cheat ?? '', [[look('price.test.sh')], [edit('price.test.sh', 'exit 1', 'exit 0')]]),
        ...says(lazy ?? '', []),
      ],
    });
    const balance = service.balanceMicroUsd();
    await window.runCommand('svc: Run a Task on Several Models…');
    const box = page.locator('.quick-input-widget');
    await box
      .getByText('Select two or three models')
      .or(box.locator('input[placeholder="Select two or three models"]'))
      .first()
      .waitFor(generous);
    await pick(['GLM 5.3', 'Kimi K3', 'Qwen 3.8 27B']);
    await window.screenshot('several-models-pick');
    await box.getByRole('button', { name: 'OK' }).click();
    await box.getByText(/3 models · usually ≈ \$0\.\d+ · stops at \$\d\.\d\d/).waitFor(generous);
    await page.keyboard.type('Make shipping ten cents cheaper.');
    await window.screenshot('several-models-task');
    await page.keyboard.press('Enter');
    await box.getByText(/Runs before and after the task/).waitFor(generous);
    await page.keyboard.type('sh price.test.sh');
    await window.screenshot('several-models-tests');
    await page.keyboard.press('Enter');

    const head = frame.getByRole('region', { name: 'Several models', exact: true });
    await head.getByText(/^Tests passed by 1 of 3 models · before: 1 red · \$0\.\d+$/).waitFor(generous);
    const billed = (balance - service.balanceMicroUsd()) / 1e6;
    await head.getByText(`$${billed.toFixed(4)}`).waitFor(generous);
    const row = (name: string) =>
      frame
        .getByRole('region', { name: 'Models', exact: true })
        .locator('.strip-line')
        .filter({ hasText: new RegExp(`^${name.replaceAll('.', '.')} · `) });
    await row('GLM 5.3')
      .getByText(/^GLM 5\.3 · green · 1 file, 1 hunk · \$0\.\d{4}$/)
      .waitFor(generous);
    await row('Kimi K3')
      .getByText(/^Kimi K3 · 1 red · changed price\.test\.sh, with that: green/)
      .waitFor(generous);
    await row('Qwen 3.8 27B')
      .getByText(/^Qwen 3\.8 27B · 1 red · nothing changed/)
      .waitFor(generous);
    assert.equal(await readFile(shipping, 'utf8'), before);
    await window.screenshot('several-models-light');
    await resizeSideBar(page, 222);
    await window.screenshot('several-models-narrow');
    await window.setTheme('Dark Modern');
    await resizeSideBar(page, 400);
    await window.screenshot('several-models-dark');
    await window.setTheme('Dark High Contrast');
    await window.screenshot('several-models-contrast');

    await head.getByRole('button', { name: 'Table' }).press('Enter');
    await waitFor('the table', async () => (await window.webviewFrame('table', generous)) !== undefined, generous);
    await window.screenshot('several-models-table');
    await head.getByRole('button', { name: 'Compare' }).press('Enter');
    await box.getByText('GLM 5.3 ↔ Kimi K3').waitFor(generous);
    await page.keyboard.press('Enter');
    await page.getByText('GLM 5.3 ↔ Kimi K3').first().waitFor(generous);
    await window.screenshot('several-models-compare');

    if (await row('GLM 5.3').getByRole('button', { name: /^Open/ }).isVisible())
      await row('GLM 5.3').getByRole('button', { name: /^Open/ }).press('Enter');
    const strip = frame.getByRole('region', { name: 'Worktree', exact: true });
    await strip.getByRole('button', { name: 'Bring Back' }).press('Enter');
    await waitFor('the edit', async () => /standardCents - 10;/.test(await readFile(shipping, 'utf8')), generous);
    await frame.getByRole('region', { name: 'Changes', exact: true }).getByRole('button', { name: 'Undo All' }).click();
    await waitFor('the file as before', async () => (await readFile(shipping, 'utf8')) === before, generous);
    await head.getByRole('button', { name: 'Remove Others' }).press('Enter');
    await window.pressDialogButton('Remove');
    await waitFor(
      'one worktree',
      async () => (await gitIn(folder)('worktree', 'list')).stdout.trim().split('\n').length === 2,
      generous,
    );
  });

  it('U20 a host that was killed while they worked: the next says where each stood, and goes on', async function () {
    this.timeout(600_000);
    const { service, window } = session();
    const { page } = window;
    service.reset();
    service.script({ rules: [{ effect: { stallAfterChunks: 1 } }], replies: [] });
    await window.runCommand('svc: Run a Task on Several Models…');
    const box = page.locator('.quick-input-widget');
    await pick(['GLM 5.3', 'Kimi K3']);
    await box.getByRole('button', { name: 'OK' }).click();
    await box.getByText(/2 models · usually/).waitFor(generous);
    await page.keyboard.type('Say hello.');
    await page.keyboard.press('Enter');
    await box.getByText(/Runs before and after the task/).waitFor(generous);
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
    const head = chat().frame.getByRole('region', { name: 'Several models', exact: true });
    await head.getByRole('button', { name: 'Stop All' }).waitFor(generous);
    await chat()
      .frame.getByText(/Kimi K3 · .*working|Kimi K3 · working/)
      .waitFor(generous);
    await window.screenshot('several-models-running');
    await killHost(session().server.userDataDir);
    await window.reload();
    const { frame } = await chat.reopen();
    const again = frame.getByRole('region', { name: 'Several models', exact: true });
    await again.getByRole('button', { name: 'Continue' }).waitFor(generous);
    await frame.getByText(/^GLM 5\.3 · .*interrupted/).waitFor(generous);
    await window.screenshot('several-models-interrupted');
    service.reset();
    service.script({ replies: [{ times: 2, text: 'Hello.' }] });
    await again.getByRole('button', { name: 'Continue' }).press('Enter');
    await again.getByText(/^2 models · (?:≈ )?\$/).waitFor(generous);
    await frame.getByText(/^Kimi K3 · nothing changed · (?:≈ )?\$/).waitFor(generous);
  });
});
