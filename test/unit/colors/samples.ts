import { createRequire } from 'node:module';
import type { ColorSetup } from '../../../src/colors/catalog.ts';

export const wasm = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm');
export const thread = new URL('../../../src/colors/color-thread.ts', import.meta.url);

/** A language of words: `let` is a keyword, `"…"` a string, `/* … *\/` a comment that spans lines. */
const grammar = {
  scopeName: 'source.toy',
  patterns: [
    { match: '\\blet\\b', name: 'keyword.control.toy' },
    { match: '"[^"]*"', name: 'string.quoted.toy' },
    { begin: '/\\*', end: '\\*/', name: 'comment.block.toy' },
  ],
};

/** Takes about forever on a line of `a`s, as careless patterns do; the engine gives up only on each pattern for itself. */
const hostile = {
  scopeName: 'source.hostile',
  patterns: Array.from({ length: 200 }, (_, index) => ({ match: `(?:a|aa|a{${index + 3}})*(?<!a)$`, name: 'keyword' })),
};

const dark = {
  include: './base.json',
  tokenColors: [
    { settings: { foreground: '#111111' } },
    { scope: 'string', settings: { foreground: '#00ff00' } },
    { scope: ['comment'], settings: { foreground: 'red; } * { display: none', fontStyle: 'italic' } },
  ],
};

const base = `{
  // What every theme of this family has.
  "tokenColors": [{ "scope": "keyword, storage", "settings": { "foreground": "#ff0000", "fontStyle": "bold" } },],
}`;

const light = { tokenColors: [{ scope: 'keyword', settings: { foreground: '#0000ff' } }] };

const files: Record<string, string> = {
  '/toy.json': JSON.stringify(grammar),
  '/hostile.json': JSON.stringify(hostile),
  '/dark.json': JSON.stringify(dark),
  '/base.json': base,
  '/light.json': JSON.stringify(light),
};

export async function readSample(file: string): Promise<string> {
  const text = files[file.replaceAll('\\', '/')];
  if (text === undefined) throw new Error(`there is no ${file}`);
  return text;
}

export function sampleSetup(folder = '/', customizations: unknown = undefined): ColorSetup {
  return {
    catalog: {
      languages: { toy: 'source.toy', hostile: 'source.hostile', gone: 'source.gone' },
      grammars: [
        { scope: 'source.toy', file: `${folder}toy.json` },
        { scope: 'source.hostile', file: `${folder}hostile.json` },
        { scope: 'source.gone', file: `${folder}gone.json` },
      ],
    },
    themes: { Dark: `${folder}dark.json`, Light: `${folder}light.json` },
    customizations,
    brackets: false,
  };
}
