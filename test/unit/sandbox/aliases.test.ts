import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { aliasesOf } from '../../../src/sandbox/plan/aliases.ts';
import { onlyPosix } from '../../support/posix.ts';

const mount = (device: string, source: string, target: string) =>
  `30 1 ${device} ${source} ${target} rw - ext4 /dev/x rw`;
const root = mount('8:1', '/', '/');

const cases: readonly { title: string; mounts: readonly string[]; folder: string; aliases: readonly string[] }[] = [
  { title: 'nowhere else', mounts: [root, mount('8:2', '/', '/data')], folder: '/home/u', aliases: [] },
  {
    title: 'itself mounted again',
    mounts: [root, mount('8:1', '/home/u', '/var/www')],
    folder: '/home/u',
    aliases: ['/var/www'],
  },
  {
    title: 'in a larger folder that is mounted again',
    mounts: [root, mount('8:1', '/home', '/var/home')],
    folder: '/home/u',
    aliases: ['/var/home/u'],
  },
  {
    title: 'a folder of it mounted again',
    mounts: [root, mount('8:1', '/home/u/site', '/var/my\\040site')],
    folder: '/home/u',
    aliases: ['/var/my site'],
  },
  {
    title: 'on a disk of its own, all of which is mounted again',
    mounts: [root, mount('8:2', '/@home', '/home'), mount('8:2', '/', '/var/disk')],
    folder: '/home/u',
    aliases: ['/var/disk/@home/u'],
  },
  {
    title: 'where the first mount is covered by a second',
    mounts: [root, mount('8:2', '/', '/home'), mount('8:3', '/', '/home'), mount('8:3', '/u', '/var/u')],
    folder: '/home/u',
    aliases: ['/var/u'],
  },
  {
    title: 'a folder with a name that begins like it',
    mounts: [root, mount('8:1', '/home/uu', '/var/uu')],
    folder: '/home/u',
    aliases: [],
  },
  {
    title: 'mounted again inside of itself',
    mounts: [root, mount('8:1', '/home/u/a', '/home/u/b')],
    folder: '/home/u',
    aliases: [],
  },
];

describe('folders by which the same files are seen', () => {
  before(onlyPosix);
  for (const { title, mounts, folder, aliases } of cases) {
    it(`X52 other folders that show the same files: ${title}`, () =>
      assert.deepEqual(aliasesOf([folder], mounts), aliases));
  }
});
