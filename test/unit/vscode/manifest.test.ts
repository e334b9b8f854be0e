import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { toolDefinitions } from '../../../src/agent/tool-definitions.ts';
import { readCommand } from '../../../src/conversation/composing/slash-commands.ts';
import { toolSpecs } from '../../../src/tools/all-tools.ts';
import { commandIds, inSideBar, sideBarCommandIds, unlistedCommandIds } from '../../../src/vscode/host/command-ids.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const manifest = JSON.parse(read('package.json'));
const texts = JSON.parse(read('package.nls.json'));
const contributes = manifest.contributes;
const allIds: readonly string[] = [...commandIds, ...sideBarCommandIds.map(inSideBar)];
/** What can be called, listed or not. */
const handledIds: readonly string[] = [...allIds, ...unlistedCommandIds];
const settings: Record<string, { scope: string; default: unknown; order: number }> = Object.assign(
  {},
  ...contributes.configuration.map((category: { properties: object }) => category.properties),
);

interface Entry {
  command: string;
  when?: string;
  enablement?: string;
}

describe('manifest', () => {
  it('contributes exactly the commands that the code handles', () => {
    const contributed = contributes.commands.map((command: { command: string }) => command.command);
    assert.deepEqual([...contributed].sort(), [...allIds].sort(), 'run `npm run documents`');
  });

  it('F30 keeps the palette and menus few: at most 76 commands, 43 of them in the palette of an idle window', () => {
    const { commands, menus } = contributes;
    assert.ok(commands.length <= 76, String(commands.length));
    const hidden = new Set(
      menus.commandPalette.flatMap(({ command, when }: Entry) => (when === 'false' ? command : [])),
    );
    const shown = commands.filter(({ command, enablement }: Entry) => !hidden.has(command) && enablement === undefined);
    assert.ok(shown.length <= 43, String(shown.length));
  });

  it('names only its own commands in menus and keys', () => {
    const used = [
      ...Object.values<{ command?: string }[]>(contributes.menus).flat(),
      ...contributes.keybindings,
    ].flatMap((entry) => entry.command ?? []);
    assert.ok(used.length > 0);
    for (const command of used) assert.ok(handledIds.includes(command), command);
  });

  it('F11: offers in title bars of the side bar what acts on its chat, and in the palette what acts on the focused one', () => {
    const { commandPalette, 'view/title': titleBars } = contributes.menus;
    for (const id of sideBarCommandIds) {
      const twin = inSideBar(id);
      const shown = titleBars.map(({ command }: { command: string }) => command);
      assert.ok(shown.includes(twin), twin);
      assert.ok(
        titleBars.every(
          (entry: { command: string; when: string }) => entry.command !== id || entry.when === 'view == svc.usage',
        ),
        id,
      );
      assert.ok(
        commandPalette.some(
          (entry: { command: string; when: string }) => entry.command === twin && entry.when === 'false',
        ),
      );
      const [one, other] = [id, twin].map((name) => {
        const { command: _, ...rest } = contributes.commands.find(
          ({ command }: { command: string }) => command === name,
        );
        return rest;
      });
      assert.deepEqual(one, other);
    }
  });

  it('F27 F29 registers exactly the models and tools that it contributes, and says of each tool what the code says', () => {
    const shim = read('src/features/native-chat/vscode/register-models.ts');
    const vendors = contributes.languageModelChatProviders.map(({ vendor }: { vendor: string }) => vendor);
    assert.deepEqual(
      vendors,
      [...shim.matchAll(/registerLanguageModelChatProvider\('(\w+)'/g)].map((match) => match[1]),
    );
    for (const { managementCommand } of contributes.languageModelChatProviders) {
      assert.ok(allIds.includes(managementCommand));
    }
    const contributed = contributes.languageModelTools.map(
      ({ name, modelDescription, inputSchema }: Record<string, unknown>) => ({
        name,
        description: modelDescription,
        parameters: inputSchema,
      }),
    );
    // A subagent pays, so other chats are not offered one.
    const tools = toolSpecs.filter(({ access, kind }) => access === 'read' && kind !== 'subagent');
    assert.deepEqual(
      contributed,
      toolDefinitions(tools).map((tool) => ({ ...tool, name: `svc_${tool.name}` })),
      'run `npm run l10n` and commit package.json',
    );
  });

  it('F28 contributes the one participant that it registers, with commands that it knows', () => {
    const [participant, ...others] = contributes.chatParticipants;
    assert.equal(others.length, 0);
    assert.match(
      read('src/features/native-chat/vscode/register-participant.ts'),
      new RegExp(`participantId = '${participant.id}'`),
    );
    for (const { name } of participant.commands) {
      const command = readCommand(`/${name}`, []);
      assert.ok(command.do === 'send' && command.text !== `/${name}`, name);
    }
  });

  it('reads exactly the settings that it contributes', () => {
    const source = `${read('src/vscode/host/settings.ts')}${read('src/features/git/vscode/github-view.ts')}`;
    const readKeys = new Set(
      [...source.matchAll(/(?:read|readUserValue|readUserOrDefault)(?:<[^(]*>)?\('([\w.]+)'\)/g)].map(
        (match) => `svc.${match[1]}`,
      ),
    );
    assert.deepEqual([...readKeys].sort(), Object.keys(settings).sort());
  });

  it('takes for a setting that nobody set what its entry says', () => {
    const source = read('src/vscode/host/settings.ts');
    const fallbacks = [
      ...source.matchAll(/\bread\w*(?:<[^(]*>)?\('([\w.]+)'\) \?\? (true|false|\[\]|\d+|'\w*')(?=[,;\n])/g),
    ].map(([, key = '', value = '']) => [key, JSON.parse(value.replaceAll("'", '"'))]);
    assert.ok(fallbacks.length >= 10, JSON.stringify(fallbacks));
    assert.deepEqual(
      fallbacks,
      fallbacks.map(([key]) => [key, settings[`svc.${key}`]?.default]),
    );
  });

  it('has a text for every key, and no text without a use', () => {
    const used = new Set([...JSON.stringify(manifest).matchAll(/"%([\w.]+)%"/g)].map((match) => match[1]));
    assert.deepEqual(Object.keys(texts).sort(), [...used].sort());
  });

  it('X14: keeps the address, the limits and program paths out of reach of a workspace', () => {
    for (const key of [
      'baseUrl',
      'dashboardUrl',
      'supportEmail',
      'spend.dailyLimitUsd',
      'spend.conversationLimitUsd',
      'spend.confirmAboveUsd',
      'tools.maxSteps',
      'request.maxTokens',
      'context.maxTokens',
      'search.ripgrepPath',
    ]) {
      assert.equal(settings[`svc.${key}`]?.scope, 'application', key);
    }
  });

  it('X51: the steps of one message cannot cost a dollar before somebody is asked', () => {
    const steps = settings['svc.tools.maxSteps']?.default;
    const askAbove = settings['svc.spend.confirmAboveUsd']?.default;
    assert.ok(typeof steps === 'number' && typeof askAbove === 'number');
    assert.ok(steps * askAbove <= 1, `${steps} × ${askAbove}`);
  });

  it('X14 X34: takes what a workspace must not set from the user only, and says so for Restricted Mode', () => {
    const source = `${read('src/vscode/host/settings.ts')}${read('src/features/git/vscode/github-view.ts')}`;
    const own = new Set(
      [...source.matchAll(/readUser(?:Value|OrDefault)<[^(]*>\('([\w.]+)'\)/g)].map((match) => `svc.${match[1]}`),
    );
    const restricted: string[] = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
    for (const [key, { scope }] of Object.entries(settings)) {
      if (scope !== 'application') continue;
      assert.ok(own.has(key), `${key} is read from the user's settings`);
      assert.ok(restricted.includes(key), `${key} is restricted`);
    }
  });

  it('S17: has no setting for the key', () => {
    for (const key of Object.keys(settings)) assert.doesNotMatch(key, /apiKey|token$|secret/i);
  });

  it('S20 N16 cannot be loaded in a browser host', () => {
    assert.equal(manifest.browser, undefined);
    assert.equal(manifest.main, './dist/extension.js');
  });

  it('X29 ux 1.3 ux 2.10 is activated by a file with a language, a link to it, a command and a tab of ours that VS Code restores, not at every start', () => {
    assert.deepEqual(manifest.activationEvents, [
      'onLanguage',
      'onUri',
      'onFileSystem:svc-original',
      'onFileSystem:svc-plan',
      'onFileSystem:svc-proposal',
      'onWebviewPanel:svc.chatEditor',
      // VS Code adds those that the manifest lists.
      ...unlistedCommandIds.map((id) => `onCommand:${id}`),
    ]);
  });

  it('ux 1.1 S14 S16 has one walkthrough of five steps, each with a command, a picture in words and an event that ends it', () => {
    const [walkthrough, ...others] = contributes.walkthroughs;
    assert.deepEqual([walkthrough.id, walkthrough.steps.length, others.length], ['svc.gettingStarted', 5, 0]);
    for (const { description, media, completionEvents } of walkthrough.steps) {
      const text: string = texts[description.slice(1, -1)];
      const commands = [...text.matchAll(/\(command:([\w.]+)\)/g)].map((match) => match[1]);
      assert.equal(commands.length, 1, text);
      for (const event of completionEvents) {
        const command = /^onCommand:(.*)/.exec(event)?.[1];
        const setting = /^onSettingChanged:(.*)/.exec(event)?.[1];
        if (command !== undefined) commands.push(command);
        else if (setting !== undefined) assert.ok(setting in settings, setting);
        else
          assert.match(event, /^onContext:svc\.(?:hasKey|hasSentMessage|walkthrough(?:KeyStored|ModelPicked|Asked))$/);
      }
      for (const command of commands)
        assert.ok(
          handledIds.some((id) => id === command),
          command,
        );
      assert.ok(texts[media.altText.slice(1, -1)].length > 20);
      const picture = read(media.svg);
      assert.match(picture, /^<svg /);
      assert.doesNotMatch(picture, /fill="#|stroke="#|href|<script/, 'colours are those of the theme');
    }
    assert.match(texts['walkthrough.ask.text'], /doesn't say whether it logs or keeps them/);
  });

  it('gives every setting a default, an order and a description', () => {
    for (const [key, setting] of Object.entries(settings)) {
      assert.ok('default' in setting, key);
      assert.equal(typeof setting.order, 'number', key);
      assert.ok('markdownDescription' in setting, key);
    }
  });

  it('gives no two settings of a category the same place', () => {
    for (const { title, properties } of contributes.configuration) {
      const orders = Object.values<{ order: number }>(properties).map(({ order }) => order);
      assert.deepEqual(orders, [...new Set(orders)], title);
    }
  });

  it('has no setting that the code reads without using it', () => {
    const fields = [
      ...(/interface Settings \{([\s\S]*?)\n\}/.exec(read('src/vscode/host/settings.ts'))?.[1] ?? '').matchAll(
        /^ {2}(\w+)[(:]/gm,
      ),
    ];
    assert.ok(fields.length > 30, String(fields.length));
    const users = readdirSync(new URL('../../../src', import.meta.url), { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => name.endsWith('.ts') && name !== 'vscode/host/settings.ts')
      .map((name) => read(`src/${name}`))
      .join('\n');
    const unused = fields.filter(([, field]) => !new RegExp(`\\b${field}\\b`).test(users)).map(([, field]) => field);
    assert.deepEqual(unused, [], 'pass each to the part that it changes');
  });
});
