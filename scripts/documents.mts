// `npm run documents`: writes what the pages take from the manifest and the code.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withExamples } from './examples.mts';
import { withMadeParts } from './made-parts.mts';

const folder = path.join(import.meta.dirname, '../docs/user');
for (const name of readdirSync(folder)) {
  const file = path.join(folder, name);
  writeFileSync(file, withMadeParts(readFileSync(file, 'utf8')));
}
const architecture = path.join(folder, '../architecture.md');
writeFileSync(architecture, withExamples(readFileSync(architecture, 'utf8')));
