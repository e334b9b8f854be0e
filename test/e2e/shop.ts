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

/** What a model may answer to the question how the shipping is decided. */
export const shippingAnswer = `Shipping is decided in \`src/shipping.ts:5\`:

\`\`\`ts
export function shippingCents(itemsCents: number): number {
  if (itemsCents === 0 || itemsCents >= freeFromCents) return 0;
  return standardCents;
}
\`\`\`

- An **empty cart** ships nothing and costs nothing.
- From **49 euros** on (\`freeFromCents\`) shipping is free.
- Everything else costs **4.90 euros** (\`standardCents\`).

The amount is compared *before* any voucher is taken off, because \`src/cart.ts\` passes the sum of the items.
`;
