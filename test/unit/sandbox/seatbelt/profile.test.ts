import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { SandboxPlan } from '../../../../src/sandbox/plan/plan.ts';
import { seatbeltProfile } from '../../../../src/sandbox/seatbelt/profile.ts';
import { readProfile } from './profile-reader.ts';

const none: SandboxPlan = {
  ...{
    roots: [],
    home: '/Users/ada',
    tools: [],
    borrowed: [],
    writable: [],
    guarded: [],
    scan: { guarded: [], links: [], masked: [], emptied: [], loaded: new Map(), linked: [] },
    secretsBeyond: { masked: [], emptied: [] },
    held: [],
    beyond: [],
    reopened: [],
    registryPorts: [],
    masked: [],
  },
  state: {
    home: '/Users/ada/Library/svc/c/home',
    temp: '/Users/ada/Library/svc/c/tmp',
    settings: '/Users/ada/Library/svc/c/s',
  },
  ...{
    hidden: ['/Users', '/Volumes'],
    filtered: new Map(),
    replaced: new Map(),
    registriesHidden: false,
    emptied: [],
    switches: [],
  },
};
const root = '/Users/ada/shop';
const plan: SandboxPlan = {
  ...none,
  roots: [root],
  hidden: [...none.hidden, '/Users/ada/Library/Code'],
  tools: [{ source: '/Users/ada/.nvm', target: '/Users/ada/.nvm' }],
  guarded: [`${root}/.git`, `${root}/docs/AGENTS.md`],
  masked: [`${root}/server/.env`],
  emptied: [`${root}/.ssh`],
};

function profileOf(of: SandboxPlan, network = false) {
  const text = seatbeltProfile(of, { network });
  assert.ok(text !== undefined);
  return readProfile(text);
}

const may = (profile: ReturnType<typeof profileOf>, place: string) =>
  ['file-read-data', 'file-write-data', 'file-write-create', 'file-write-unlink', 'file-link']
    .filter((operation) => profile.allows(operation, place))
    .map((operation) => operation.replace('file-', ''))
    .join(' ');
const everything = 'read-data write-data write-create write-unlink link';

describe('the profile for commands on macOS', () => {
  it('F31 opens the workspace, and neither what is outside nor what is kept from commands inside', () => {
    const profile = profileOf(plan);
    for (const [place, wanted] of [
      [`${root}/src/a.ts`, everything],
      [`${none.state.home}/.npm/x`, everything],
      [`${none.state.temp}/x`, everything],
      ['/usr/bin/git', 'read-data'],
      ['/Users/ada/.nvm/bin/node', 'read-data'],
      ['/Users/ada/.aws/credentials', ''],
      ['/Users/ada/Library/Code/secrets', ''],
      ['/Users/ada/other/a.ts', ''],
      ['/Users/ada/shop-2/a.ts', ''],
      ['/Volumes/Backup/a', ''],
      ['/private/tmp/x', ''],
      ['/private/var/folders/x', ''],
      [`${root}/.git/config`, 'read-data'],
      [`${root}/.git/hooks/pre-commit`, 'read-data'],
      [`${root}/docs/AGENTS.md`, 'read-data'],
      [`${root}/server/.env`, ''],
      [`${root}/.ssh/id_ed25519`, ''],
    ] as const)
      assert.equal(may(profile, place), wanted, place);
  });

  it('F31 keeps the folders around what is covered in their place, and the roots', () => {
    const profile = profileOf(plan);
    for (const folder of [root, `${root}/docs`, `${root}/server`]) {
      assert.ok(!profile.allows('file-write-unlink', folder), folder);
      assert.ok(profile.allows('file-write-create', `${folder}/new`), folder);
    }
    assert.ok(profile.allows('file-write-unlink', `${root}/src`));
  });

  it('F31 forbids editor settings that do not exist yet, in any case', () => {
    const odd = '/Users/ada/a+b (c).d';
    const profile = profileOf({ ...plan, roots: [root, odd] });
    for (const place of [
      `${root}/.vscode`,
      `${root}/.vscode/tasks.json`,
      `${root}/.VSCode/settings.json`,
      `${odd}/.vscode/x`,
    ])
      assert.ok(!/write|link/.test(may(profile, place)), place);
    for (const place of [`${root}/.vscode-test/x`, `${root}/vscode/x`, `${root}/src/.vscode/x`])
      assert.equal(may(profile, place), everything, place);
  });

  it('F31 lets programs look at the folders above those that they may read, and into none of them', () => {
    const profile = profileOf(plan);
    for (const folder of ['/Users', '/Users/ada', '/Users/ada/Library/svc/c']) {
      assert.ok(profile.allows('file-read-metadata', folder), folder);
      assert.ok(!profile.allows('file-read-data', folder), folder);
    }
    assert.ok(!profile.allows('file-read-metadata', '/Users/ada/.aws'));
  });

  it('F31 opens the network only when it is lifted, and no way to other programs then', () => {
    const [shut, lifted] = [profileOf(plan), profileOf(plan, true)];
    assert.ok(!shut.allows('network-outbound', 'ip *:*'));
    assert.ok(lifted.allows('network-outbound', 'ip *:*'));
    for (const socket of ['/private/var/run/docker.sock', `${root}/agent.sock`, '/Users/ada/.docker/run/docker.sock'])
      for (const profile of [shut, lifted]) assert.ok(!profile.allows('network-outbound', socket), socket);
    assert.ok(!shut.allows('network-outbound', '/private/var/run/mDNSResponder'));
    for (const profile of [shut, lifted]) {
      assert.ok(profile.allows('network-outbound', `${none.state.temp}/own.sock`));
      assert.ok(profile.allows('signal', 'same-sandbox'));
      assert.ok(!profile.allows('signal', 'others'));
      for (const service of [
        'com.apple.coreservices.launchservicesd',
        'com.apple.securityd.xpc',
        'com.apple.pasteboard.1',
      ])
        assert.ok(!profile.allows('mach-lookup', service), service);
    }
  });

  it('F31 is none where a place has a name that it cannot write down for sure', () => {
    for (const name of ['a"b', 'a\\b', 'a\nb', 'a\u0000b', 'a\uFFFDb'])
      assert.equal(seatbeltProfile({ ...plan, masked: [`${root}/${name}/.env`] }, { network: false }), undefined, name);
    assert.ok(seatbeltProfile({ ...plan, masked: [`${root}/grün (1)/.env`] }, { network: false }));
  });

  it('F31 gives for any workspace what the rules in words give', () => {
    const name = fc.constantFrom('a', 'b', 'c', '.git', '.env');
    const below = (top: string) =>
      fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => [top, ...parts].join('/'));
    const places = (top: string) => fc.uniqueArray(below(top), { maxLength: 3 });
    const world = fc.record({
      roots: fc.constantFrom([root], [root, '/Users/ada/two'], ['/srv/work']),
      tools: places('/Users/ada/tools'),
      writable: places('/Users/ada/data'),
      hidden: fc.uniqueArray(fc.oneof(below('/Users/ada/data'), below('/opt')), { maxLength: 2 }),
      guarded: places(root),
      masked: places(root),
      emptied: places(root),
      place: fc.oneof(
        ...[root, '/Users/ada/two', '/srv/work', '/Users/ada/tools', '/Users/ada/data', '/opt', '/usr', '/Users/x'].map(
          below,
        ),
      ),
    });
    fc.assert(
      fc.property(world, ({ place, tools, ...some }) => {
        const whole: SandboxPlan = {
          ...none,
          ...some,
          hidden: [...none.hidden, ...some.hidden],
          tools: tools.map((tool) => ({ source: tool, target: tool })),
        };
        const profile = profileOf(whole);
        const { canRead, canWrite, canMove } = inWords(whole, place);
        assert.equal(profile.allows('file-read-data', place), canRead, `read ${place}`);
        assert.equal(profile.allows('file-write-data', place), canWrite, `write ${place}`);
        assert.equal(profile.allows('file-link', place), canWrite, `link ${place}`);
        assert.equal(profile.allows('file-write-unlink', place), canMove, `move ${place}`);
      }),
      { numRuns: 2000 },
    );
  });
});

/** The rules as SECURITY.md has them, said without any order. */
function inWords(
  { roots, home, state, hidden, tools, writable, guarded, masked, emptied }: SandboxPlan,
  place: string,
) {
  const isIn = (folders: readonly string[], one = place) =>
    folders.some((folder) => `${one}/`.startsWith(`${folder}/`));
  const isClosed = isIn([...masked, ...emptied]);
  const isWork = isIn([...roots, state.home, state.temp]);
  const shown = [...tools.map(({ source }) => source), ...writable];
  const isOpen = isWork || isIn(writable);
  /** The editor's data inside of a folder that the user lets commands see. */
  const isEditors = hidden.some(
    (folder) => isIn([folder]) && shown.some((outer) => outer !== folder && isIn([outer], folder)),
  );
  const isHidden = isIn([...hidden, home]) && !isOpen && !isIn(shown);
  const canRead = !isClosed && !isEditors && !isHidden;
  const isSettings = roots.some((one) => isIn([`${one}/.vscode`]));
  const canWrite = isOpen && !isClosed && !isEditors && !isIn(guarded) && !isSettings;
  const holds = [...guarded, ...masked, ...emptied].some((one) => one !== place && isIn([place], one));
  return { canRead, canWrite, canMove: canWrite && !holds && !roots.includes(place) };
}
