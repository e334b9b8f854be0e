import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import { type Chat, chatIn, openChat, showSteps } from '../e2e/chat.ts';
import { enterKey } from '../e2e/session.ts';
import { useSession } from '../e2e/use-session.ts';
import { projectRoot } from '../run/pool.ts';
import { waitFor } from '../vscode/wait-for.ts';

const vsix = path.resolve(projectRoot, process.env.SVC_TEST_VSIX ?? 'dist/svc-assistant.vsix');

/** What a person who installs the package meets: nothing of the project's folder is used here but the local service. */
describe(`the package ${path.basename(vsix)}`, () => {
  const session = useSession({
    vsix,
    withoutBaseUrl: true,
    viewport: { width: 1280, height: 800 },
    service: { script: { settings: { chunkDelayMs: 2 } } },
  });

  /** Files that a page asked for in vain; the code puts their names together. */
  const notThere: string[] = [];

  /** The folder into which VS Code unpacked the package. */
  const installed = () => {
    const extensions = path.join(session().server.userDataDir, 'extensions');
    const folders = readdirSync(extensions).filter((name) => name.startsWith('svc.svc-assistant-'));
    assert.equal(folders.length, 1, folders.join());
    return path.join(extensions, folders[0] ?? '');
  };
  const files = () =>
    readdirSync(installed(), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(installed(), path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  const read = (file: string) => readFileSync(path.join(installed(), file), 'latin1');

  it('holds every file that its manifest and its code name', () => {
    const all = files();
    const contributed: string[] = [];
    JSON.parse(read('package.json'), (_, value) => {
      if (typeof value === 'string' && /^(?:\.\/)?[\w./-]+\.(?:js|svg|png|md|json)$/.test(value))
        contributed.push(value);
      return value;
    });
    const named = contributed.map((file) => path.posix.normalize(file));
    assert.ok(named.length > 5, named.join());
    const missing = named.filter((file) => file.includes('/') && !all.includes(file));
    const names = new Set(all.map((file) => path.posix.basename(file)));
    for (const file of all.filter((each) => /\.(?:js|css)$/.test(each))) {
      for (const [, target = ''] of read(file).matchAll(
        /["'`(](?:\.{1,2}\/)?([\w./-]+\.(?:js|css|wasm\.br|svg|ttf))["'`)]/g,
      )) {
        if (!names.has(path.posix.basename(target))) missing.push(`${target}, named by ${file}`);
      }
    }
    assert.deepEqual(missing, []);
    for (const text of [
      'package.nls.json',
      'package.nls.de.json',
      'l10n/bundle.l10n.de.json',
      'LICENSE.txt',
      'dist/ThirdPartyNotices.txt',
    ])
      assert.ok(all.includes(text), text);
  });

  it('holds no source, source map, test, picture of the repository or path of this machine', () => {
    const strange = files().filter(
      (file) =>
        !/^(?:dist|l10n|media)\/.*\.(?:js|css|wasm\.br|svg|png|json|txt|ttf)$|^[\w.]+\.(?:json|md|txt)$|^docs\/user\/[a-z-]+\.md$|^\.vsixmanifest$/.test(
          file,
        ),
    );
    assert.deepEqual(strange, []);
    const home = `${homedir()}${path.sep}`;
    for (const file of files()) {
      const text = read(file);
      for (const trace of ['sourceMappingURL=', 'sourcesContent', projectRoot, ...(home.length > 6 ? [home] : [])])
        assert.ok(!text.includes(trace), `${file} holds ${trace}`);
    }
  });

  it('S1 S17 S18 takes an address and a key', async () => {
    const { window, service } = session();
    window.page.on('response', (response) => {
      if (response.status() >= 400 && response.url().includes('vscode-resource')) notThere.push(response.url());
    });
    await window.runCommand('svc.openChat');
    const chat = await chatIn(session());
    await chat.frame.getByRole('button', { name: /address/i }).click();
    await window.answerInputBox(service.baseUrl);
    await chat.frame.getByText('Done').waitFor();
    await enterKey(session());
    assert.equal(service.charges.length, 0);
  });

  it('S10 S11 F13 answers from a file of the workspace and shows what that cost', async () => {
    const { window, service } = session();
    const chat = await openChat(session());
    await chat.ask('Where is the shipping cost decided? Look at src/shipping.ts.');
    const answer = await chat.finishedAnswer();
    await showSteps(answer);
    await answer.getByText('Read src/shipping.ts').first().waitFor();
    assert.match(await answer.innerText(), /freeFromCents is 4900/);
    const shown = `$${(service.charges.reduce((sum, { microUsd }) => sum + microUsd, 0) / 1e6).toFixed(4)}`;
    assert.match(shown, /[1-9]/);
    assert.ok((await answer.locator('.cost').innerText()).includes(shown), shown);
    await waitFor('the spend in the status bar', async () => (await window.statusBarText()).includes(`· ${shown}`));
    await waitFor('code in the colors of the theme', () => usesSeveralColors(chat));
  });

  it('shows where the money went', async () => {
    const { window } = session();
    await window.runCommand('svc.showSpend');
    await (await window.webviewFrame('text=By feature')).getByText('By model').first().waitFor();
    assert.deepEqual(notThere, []);
  });

  it('has a page without a blank picture and without a dead link', async () => {
    const { window } = session();
    await window.runCommand('Extensions: Show Installed Extensions');
    await window.page.locator('.extensions-list .monaco-list-row').filter({ hasText: 'svc Assistant' }).first().click();
    const page = () => window.webviewFrame('h2:has-text("Privacy")');
    await page();
    for (const theme of ['Light Modern', 'Dark Modern']) {
      await window.setTheme(theme);
      await window.screenshot(`installed-page-${theme.toLowerCase().replace(' ', '-')}`);
    }
    // VS Code draws the page anew when the theme changes, and what was found a moment before may be gone.
    const faults = await waitFor('the page as it stays', async () => faultsOf(await page()));
    assert.deepEqual(faults, []);
  });
});

/** Grammars and their engine of regular expressions are files of their own in the package. */
async function usesSeveralColors(chat: Chat): Promise<boolean> {
  const colors = await chat.frame
    .locator('.code-block code span')
    .evaluateAll((spans) => spans.map((span) => getComputedStyle(span).color));
  return new Set(colors).size > 1;
}

/**
 * VS Code draws pictures that come from https, and opens links to https, http and mail, and to places in the page. Its own button
 * that leads to the top is no link.
 */
function faultsOf(page: Frame): Promise<string[]> {
  return page.evaluate(() => [
    ...[...document.querySelectorAll('img')]
      .map((each) => each.getAttribute('src') ?? '')
      .filter((src) => !/^https:/.test(src)),
    ...[...document.querySelectorAll('a:not([role=button])')]
      .map((each) => each.getAttribute('href') ?? '')
      .filter(
        (href) =>
          !/^(?:https?|mailto):/.test(href) && !(href.startsWith('#') && document.getElementById(href.slice(1))),
      ),
  ]);
}
