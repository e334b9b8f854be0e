// `npm run documents`: writes what the pages take from the manifest and the code, and the code from the manifest.
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

const { contributes } = JSON.parse(readFileSync(path.join(folder, '../../package.json'), 'utf8'));
const ids = contributes.commands.map(({ command }: { command: string }) => command);
const listed = ids.filter((id: string) => !id.endsWith('InSideBar')).map((id: string) => `  '${id}',\n`);
writeFileSync(
  path.join(folder, '../../src/vscode/host/manifest-command-ids.ts'),
  `/** Holds the commands of \`package.json\`, without their \`…InSideBar\` twins. \`npm run documents\` writes it. */
export const commandIds = [\n${listed.join('')}] as const;\n`,
);
