import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { getVsCode } from '../vscode/get-vscode.ts';
import { projectRoot } from './bundle.ts';
import type { Comparison, Figure } from './figure.ts';
import { packageProduct } from './package-product.ts';
import type { Part } from './part.ts';

/** P10: what is shipped and what is loaded when. Exact, so there is one round. */
export const sizes: Part = {
  ids: ['P10'],
  measure: async (context) => {
    context.progress('P10: packaging the product');
    const vsix = await packageProduct();
    const dist = path.join(projectRoot, 'dist');
    const { root } = await getVsCode('1.139');
    const copilotHost = await kiloBytesOf([path.join(root, 'extensions/copilot/dist/extension.js')]);
    const alone = (goal: number): Comparison => ({ by: 'alone', goal });
    const atActivation = await kiloBytesOf([path.join(dist, 'extension.js')]);
    const chat = ['extension.js', 'assistant.js'].map((file) => path.join(dist, file));
    const forChat = await kiloBytesOf(chat);
    const allHost = await kiloBytesOf(
      (await readdir(dist, { recursive: true }))
        .filter((file) => file.endsWith('.js') && !file.startsWith('media'))
        .map((file) => path.join(dist, file)),
    );
    return [
      size('code loaded at activation', { ours: atActivation, Copilot: copilotHost }, [alone(60), beside]),
      size('host code for a chat, without the HTTP client', { ours: forChat }, [alone(300)]),
      size('all host code', { ours: allHost, Copilot: copilotHost }, [beside]),
      size('package', { ours: await kiloBytesOf([vsix]) }, [alone(1500)]),
    ];
  },
};

const beside: Comparison = { by: 'ratio', anchor: 'Copilot' };

function size(what: string, round: Record<string, number>, comparisons: Comparison[]): Figure {
  return { id: 'P10', what, unit: 'kB', rounds: [round], ours: 'ours', comparisons };
}

async function kiloBytesOf(files: readonly string[]): Promise<number> {
  const sizesInBytes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return sizesInBytes.reduce((sum, bytes) => sum + bytes, 0) / 1000;
}
