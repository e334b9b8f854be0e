import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { getVsCode } from '../vscode/get-vscode.ts';
import { peersFolder } from './bundle.ts';

const peers = ['openai', '@ai-sdk/openai-compatible', 'ai', 'eventsource-parser'];

/** What was measured with what, for the line below the table. The peers' versions are exact in their manifest. */
export async function versions(): Promise<string> {
  const { realVersion } = await getVsCode('1.139');
  const manifest = JSON.parse(await readFile(path.join(peersFolder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const named = peers.map((name) => `${name} ${manifest.dependencies[name]}`);
  return [`VS Code ${realVersion}`, `Node ${process.versions.node}`, ...named].join(', ');
}
