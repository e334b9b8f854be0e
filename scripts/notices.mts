import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** A library of which something is in a bundle. */
interface Library {
  name: string;
  version: string;
  license: string;
  /** Its licence and notices, word for word. */
  texts: readonly string[];
}

/**
 * The licences of all libraries that the bundles hold, as one text. `inputs` are paths as esbuild's metafiles name them.
 * Rejects when a library comes without the text of its licence, because it must not be passed on then.
 */
export async function thirdPartyNotices(inputs: Iterable<string>): Promise<string> {
  const folders = new Set([...inputs].flatMap((input) => folderOf(input) ?? []));
  const libraries = await Promise.all([...folders].map(readLibrary));
  const parts = libraries
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(({ name, version, license, texts }) => [`${name} ${version} (${license})`, ...texts].join('\n\n'));
  return ['svc Assistant holds parts of the following libraries.', ...new Set(parts)]
    .join(`\n\n${'-'.repeat(80)}\n\n`)
    .concat('\n');
}

/** For a package that names the licence and its owner but has no file with the text. */
function mit(owner: string): string {
  return `MIT License

Copyright (c) ${owner}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
}

/** `node_modules/a/node_modules/@b/c/lib/x.js` is of the package in `node_modules/a/node_modules/@b/c`. */
function folderOf(input: string): string | undefined {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
}

async function readLibrary(folder: string): Promise<Library> {
  const { name, version, license, author } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
  if (texts.length === 0 && license === 'MIT' && author) texts.push(mit(author.name ?? author));
  if (texts.length === 0) throw new Error(`${name} comes without the text of its licence (${license})`);
  return { name, version, license, texts: texts.map((text) => text.replaceAll('\r\n', '\n').trim()) };
}
