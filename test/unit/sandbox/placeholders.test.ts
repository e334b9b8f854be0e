import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { nameOfThis } from '../../../src/base/temporary.ts';
import { createPlaceholders, removeLeftOver } from '../../../src/sandbox/placeholders.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';

/** Of a process that has ended. */
const deadPid = Number(execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }));

describe('F31 things that are in the workspace while commands run', () => {
  let temp: TempDir;
  const inTemp = (name: string) => path.join(temp.path, name);
  beforeEach(async () => {
    temp = await makeTempDir();
    for (const name of ['state', 'ws']) await mkdir(inTemp(name));
  });
  afterEach(() => temp.remove());

  it('are made when they are missing, and go with the last command that needs them', async () => {
    const { take } = createPlaceholders(inTemp('state'));
    await mkdir(inTemp('ws/mine'));
    const wanted = [
      { place: inTemp('ws/mine') },
      { place: inTemp('ws/folder') },
      { place: inTemp('ws/file'), text: '.' },
    ];
    const [first, second] = [await take(wanted), await take(wanted)];
    assert.deepEqual(readdirSync(inTemp('state')), [nameOfThis('made')]);
    await first();
    await first();
    assert.deepEqual(readdirSync(inTemp('ws')).toSorted(), ['file', 'folder', 'mine']);
    await second();
    assert.deepEqual([readdirSync(inTemp('ws')), readdirSync(inTemp('state'))], [['mine'], []]);
  });

  it('stay when somebody has put something into them', async () => {
    const { take } = createPlaceholders(inTemp('state'));
    const giveBack = await take([{ place: inTemp('ws/folder') }, { place: inTemp('ws/file'), text: '.' }]);
    await writeFile(inTemp('ws/folder/x'), 'x');
    await writeFile(inTemp('ws/file'), 'mine');
    await giveBack();
    assert.deepEqual([existsSync(inTemp('ws/folder/x')), await readFile(inTemp('ws/file'), 'utf8')], [true, 'mine']);
  });

  it('of a window that was killed are removed at the next start, those of one that lives are not', async () => {
    const own = nameOfThis('made');
    const dead = own.replace(/\d+$/, String(deadPid));
    const otherSpace = dead.replace(/-\d+-/, '-1-');
    for (const [name, folder] of [
      [own, 'own'],
      [dead, 'dead'],
      [otherSpace, 'other'],
    ] as const) {
      await mkdir(inTemp(`ws/${folder}`));
      await writeFile(inTemp(`state/${name}`), JSON.stringify([{ place: inTemp(`ws/${folder}`) }]));
    }
    await mkdir(inTemp(`state/${dead.replace('made', 'trial')}-a1B2/root`), { recursive: true });
    await mkdir(inTemp('state/a-conversation'));
    await removeLeftOver(inTemp('state'));
    assert.deepEqual(readdirSync(inTemp('ws')).toSorted(), ['other', 'own']);
    assert.deepEqual(readdirSync(inTemp('state')).toSorted(), ['a-conversation', own, otherSpace].toSorted());
  });
});
