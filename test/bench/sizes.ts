import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { getVsCode } from '../vscode/get-vscode.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { projectRoot } from './bundle.ts';
import type { Comparison, Figure } from './figure.ts';
import { withEditor } from './latency/editor.ts';
import { packageProduct } from './package-product.ts';
import type { Part } from './part.ts';

/** P10: what is shipped and what is loaded when. Exact, so there is one round. */
export const sizes: Part = {
  ids: ['P10'],
  measure: async (context) => {
    context.progress('P10: packaging the product');
    // Before the product is built again, which begins with an empty folder.
    const packed = await kiloBytesOf([await packageProduct()]);
    const dist = path.join(projectRoot, 'dist');
    const { root } = await getVsCode('1.139');
    const copilotHost = await kiloBytesOf([path.join(root, 'extensions/copilot/dist/extension.js')]);
    const alone = (goal: number): Comparison => ({ by: 'alone', goal });
    const atActivation = await kiloBytesOf([path.join(dist, 'extension.js')]);
    context.progress('P10: what a chat reads');
    const { forAnswer, forToolCall } = await loadedByChat();
    const read = (files: readonly string[]) => kiloBytesOf(files.map((file) => path.join(dist, file)));
    const allHost = await kiloBytesOf(
      (await readdir(dist, { recursive: true }))
        .filter((file) => file.endsWith('.js') && !file.startsWith('media'))
        .map((file) => path.join(dist, file)),
    );
    return [
      size('code loaded at activation', { ours: atActivation, Copilot: copilotHost }, [alone(60), beside]),
      size('host code for a chat, without the HTTP client', { ours: await read(forAnswer) }, [alone(300)]),
      size('the same with the first call of a tool', { ours: await read(forToolCall) }, [{ by: 'alone' }]),
      size('all host code', { ours: allHost, Copilot: copilotHost }, [beside]),
      size('package', { ours: packed }, [alone(1000)]),
    ];
  },
};

/**
 * What the extension host has read of `dist/`, the HTTP client left out, when the chat was opened in a folder and one message was
 * answered; and after another one, for which a tool was called.
 */
async function loadedByChat(): Promise<{ forAnswer: readonly string[]; forToolCall: readonly string[] }> {
  return withEditor(async (editor, server) => {
    const window = await editor.freshWindow();
    await window.runCommand('svc.openChat');
    const frame = await window.webviewFrame('[aria-label="Message"]', { timeoutMs: 60_000 });
    const answered = async (text: string) => {
      server.use([text]);
      await frame.getByRole('textbox', { name: 'Message' }).fill('Write it.');
      await frame.getByRole('button', { name: 'Send', exact: true }).click();
      await waitFor('the answer', () => frame.getByText(text).isVisible(), { timeoutMs: 60_000 });
      const loaded = await editor.loadedIn(window);
      return loaded.filter((file) => file !== 'direct-fetch.js');
    };
    const forAnswer = await answered('The first answer.');
    server.callNext('list_directory');
    const forToolCall = await answered('The second answer.');
    await window.close();
    return { forAnswer, forToolCall };
  });
}

const beside: Comparison = { by: 'ratio', anchor: 'Copilot' };

function size(what: string, round: Record<string, number>, comparisons: Comparison[]): Figure {
  return { id: 'P10', what, unit: 'kB', rounds: [round], ours: 'ours', comparisons };
}

async function kiloBytesOf(files: readonly string[]): Promise<number> {
  const sizesInBytes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return sizesInBytes.reduce((sum, bytes) => sum + bytes, 0) / 1000;
}
