import assert from 'node:assert/strict';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { thirdPartyNotices } from '../../../scripts/notices.mts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { writeFiles } from '../tools/workspace.ts';

describe('the licences of what is bundled', () => {
  let temp: TempDir;
  beforeEach(async () => {
    temp = await makeTempDir();
  });
  afterEach(() => temp.remove());
  const input = (file: string) => path.posix.join(temp.path.replaceAll('\\', '/'), 'node_modules', file);
  const manifest = (name: string) => JSON.stringify({ name, version: '1.0.0', license: 'MIT' });

  it('stand in one text, each library once, with everything it says', async () => {
    await writeFiles(temp.path, {
      'node_modules/b/package.json': manifest('b'),
      'node_modules/b/LICENSE.md': 'Licence of b\r\n',
      'node_modules/b/NOTICE': 'Notice of b',
      'node_modules/b/node_modules/@a/c/package.json': manifest('@a/c'),
      'node_modules/b/node_modules/@a/c/license': 'Licence of c',
    });
    const text = await thirdPartyNotices([
      'src/own.ts',
      input('b/lib/index.js'),
      input('b/lib/other.js'),
      input('b/node_modules/@a/c/index.js'),
    ]);
    const rule = `\n\n${'-'.repeat(80)}\n\n`;
    assert.equal(
      text,
      [
        'svc Assistant holds parts of the following libraries.',
        '@a/c 1.0.0 (MIT)\n\nLicence of c',
        'b 1.0.0 (MIT)\n\nLicence of b\n\nNotice of b\n',
      ].join(rule),
    );
  });

  it('must be there: a library without one is not bundled', async () => {
    await writeFiles(temp.path, { 'node_modules/b/package.json': manifest('b') });
    await assert.rejects(thirdPartyNotices([input('b/index.js')]), /b comes without the text of its licence/);
  });
});
