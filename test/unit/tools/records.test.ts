import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { toolSpecs } from '../../../src/tools/all-tools.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

describe('the records of tools', () => {
  it('F13 every file of a tool stands in the list, under the name of its tool', () => {
    const files = readdirSync(path.join(root, 'src/tools'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && read(`src/tools/${file}`).includes('toolRecord({'),
    );
    assert.deepEqual(
      files.map((file) => path.basename(file, '.ts').replaceAll('-', '_')).sort(),
      toolSpecs.map(({ name }) => name).sort(),
      'a tool is a file below src/tools and a line in src/tools/all-tools.ts',
    );
  });
});
