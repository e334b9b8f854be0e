import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pseudo, pseudoBundle } from './pseudo.ts';

/** The language under which VS Code finds the pseudo-locale. */
export const pseudoLanguage = 'qps-ploc';

/** Copies the built extension in `root` to `folder`, translated as any language would be: two more files. */
export async function writePseudoExtension(root: string, folder: string): Promise<void> {
  await mkdir(path.join(folder, 'l10n'), { recursive: true });
  for (const part of ['dist', 'media', 'package.json', 'package.nls.json']) {
    await cp(path.join(root, part), path.join(folder, part), { recursive: true });
  }
  const texts = JSON.parse(await readFile(path.join(root, 'package.nls.json'), 'utf8'));
  const write = (file: string, content: object) => writeFile(path.join(folder, file), JSON.stringify(content));
  await write(`package.nls.${pseudoLanguage}.json`, pseudo(texts));
  await write(`l10n/bundle.l10n.${pseudoLanguage}.json`, pseudoBundle());
}
