import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gitIn } from '../support/git-in.ts';
import { copySampleWorkspace } from '../vscode/sample-workspace.ts';

/** The sample shop as a repository of one commit: with a file that does not parse, and a staged change of the shipping price. */
export async function fillShop(folder: string): Promise<void> {
  await copySampleWorkspace(folder);
  await writeFile(path.join(folder, 'broken.json'), '{\n  "name": "corner-shop",\n  "colour" "blue"\n}\n');
  const git = gitIn(folder);
  await git('init');
  await git('add', '.');
  await git('commit', '-m', 'shop: open the corner shop');
  await setShippingPrice(folder, '4900', '5900');
  await git('add', 'src/shipping.ts');
}

export async function setShippingPrice(folder: string, from: string, to: string): Promise<void> {
  const shipping = path.join(folder, 'src/shipping.ts');
  await writeFile(shipping, (await readFile(shipping, 'utf8')).replace(from, to));
}
