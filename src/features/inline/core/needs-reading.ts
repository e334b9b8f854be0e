import { hasWord } from '../../../base/has-word.ts';
export interface UnknownNames {
  files: readonly string[];
  symbols: readonly string[];
}

const extensions =
  'astro|bash|c|cc|cfg|cjs|coffee|cpp|cs|css|csv|cts|dart|ex|exs|fs|go|gradle|graphql|h|hpp|hs|html|ini|ipynb|java|js|json|jsonc|jsx|kt|kts|less|lua|md|mjs|ml|mts|php|pl|proto|ps1|pug|py|pyi|r|rb|rs|rst|sass|scala|scss|sh|sql|svelte|swift|tf|toml|ts|tsx|txt|vue|xml|yaml|yml|zig';
const isFile = new RegExp(`\\w\\.(?:${extensions})$`);
const symbol =
  /`([\p{L}_$][\p{L}\p{N}_$.]*)(?:\(\))?`|\b([\p{L}_$][\p{L}\p{N}_$]*)(?=\()|\b(\p{Ll}+\p{Lu}[\p{L}\p{N}_$]*|\p{Lu}[\p{Ll}\p{N}]+\p{Lu}[\p{L}\p{N}_$]*|[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+)\b/gu;
const products =
  /^(?:JavaScript|TypeScript|CoffeeScript|GitHub|GitLab|PostgreSQL|MySQL|GraphQL|OpenAPI|OpenAI|JSDoc|JsDoc|TSDoc|PyTest|NumPy|iOS|macOS|DevOps|VSCode|(?:Node|Vue|Next|Nuxt|Express|React|D3|Three|Alpine|Ember|Backbone)\.js)$/;
const brings =
  /\b(?:as|called|named|to|into|introduce|create|extract|new|rename|namens|als|in|zu|nenne|neue[rsn]?|function|method|class|interface|type|variable|constant|const|parameter|property|field|Funktion|Methode|Klasse|Variable|Konstante)\s+[`"']?$/iu;

/**
 * Finds files and names in an instruction that `known`, the text of everything that is sent, does not show: only for
 * these it can help to read. A name that the edit introduces, as in "rename it to x", does not count.
 */
export function unknownNames(instruction: string, known: string): UnknownNames {
  const files: string[] = [];
  // A call of a method, as in `items.c()`, is no file.
  const rest = instruction.replace(/[\w.@/-]+(?!\()/g, (word) => {
    const name = word.replace(/[.-]$/, '');
    if (!isFile.test(name)) return word;
    if (!products.test(name)) files.push(name);
    return ' ';
  });
  const symbols = [...rest.matchAll(symbol)].flatMap((match) => {
    const name = (match[1] ?? match[2] ?? match[3] ?? '').split('.').at(-1) ?? '';
    const isNew = brings.test(rest.slice(0, match.index));
    return name.length < 3 || isNew || products.test(name) || hasWord(known, name) ? [] : [name];
  });
  return { files: [...new Set(files)].filter((name) => !known.includes(name)), symbols: [...new Set(symbols)] };
}
