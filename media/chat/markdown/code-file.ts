import type { Token } from 'marked';
import { isForTerminal } from '../../../src/shared/command-line.ts';
import { type LinkTarget, linkTarget } from './links.ts';
import { textOf } from './plain-text.ts';

export type CodeFile = Extract<LinkTarget, { kind: 'file' }>;

const sourceEndings = new Set(
  `astro bash bat c cc cfg cjs clj conf cpp cs css csv cts cxx dart env erl ex exs fish fs go gradle graphql h hpp hs htm
  html ini ipynb java jl js json jsonc jsx kt kts less lock lua m md mdx mjs ml mm mts php pl properties proto ps1 py pyi
  r rb rs rst sass scala scss sh sql svelte svg swift tf toml ts tsx txt vue xml yaml yml zig zsh`.split(/\s+/),
);
const wholeNames = /^(?:[\w.-]+\.)?(?:Dockerfile|Makefile|Gemfile|Rakefile|Procfile|\.gitignore|\.editorconfig|\.env)$/;
/** These info strings mark program output, which belongs to no file even when the words above name one. */
const outputs = new Set(['', 'text', 'txt', 'plaintext', 'output', 'console', 'log']);

/**
 * Reads language and file from a fence's info string: `ts`, `ts:src/a.ts`, `ts title="src/a.ts"`, `src/a.ts`,
 * `12:20:src/a.ts` (lines 12 to 20, of which the first is kept).
 */
export function readFence(info: string): { language: string; file?: CodeFile } {
  const [first = '', ...others] = info.trim().split(/\s+/);
  const [, before = '', after = ''] = /^([\w+#.-]*?)(?::\d+)?:([^:]+)$/.exec(first) ?? [];
  const prefixed = fileOf(after);
  const line = Number(before);
  if (prefixed && line > 0) {
    return { language: endingOf(prefixed), file: { ...prefixed, line, shown: `${prefixed.path}:${line}` } };
  }
  if (prefixed) return { language: short(before) || endingOf(prefixed), file: prefixed };
  const alone = fileOf(first);
  if (alone) return { language: endingOf(alone), file: alone };
  const words = others.map((word) => fileOf(word.replace(/^(?:title|file|filename|path|name)=|["'{}]/g, '')));
  const file = words.find((word) => word !== undefined);
  return { language: short(first), file };
}

/**
 * Guesses the file of a code block from its info string, else from a comment on its first line, else, unless it is
 * output or a command, from the words right above it. Because it is a guess, it is only shown, and opened on request.
 */
export function codeFile(info: string, above: Token | undefined, code: string): CodeFile | undefined {
  const { language, file } = readFence(info);
  if (file) return file;
  const commented = commentedFile(code);
  if (commented || outputs.has(language) || isForTerminal(language)) return commented;
  return above && namedAbove(above);
}

function commentedFile(code: string): CodeFile | undefined {
  const end = code.indexOf('\n');
  if (end < 0 || end > 300) return undefined;
  const comment = /^\s*(?:\/\/|#|--|;|\/\*|<!--)\s*(?:file(?:name)?:\s*)?(\S+)\s*(?:\*\/|-->)?\s*$/i;
  return fileOf(comment.exec(code.slice(0, end))?.[1] ?? '');
}

function namedAbove(above: Token): CodeFile | undefined {
  if (above.type !== 'paragraph' && above.type !== 'heading' && above.type !== 'text') return undefined;
  if (!('tokens' in above) || !above.tokens) return undefined;
  const plain = /^(?:file(?:name)?:\s*)?(\S+?):?$/i.exec(above.raw.replace(/^#+\s*|\*\*/g, '').trim())?.[1];
  const alone = fileOf(plain ?? '');
  if (alone) return alone;
  const marked = above.tokens.findLastIndex((token) => ['codespan', 'strong', 'link'].includes(token.type));
  const rest = above.tokens
    .slice(marked + 1)
    .map(({ raw }) => raw)
    .join('');
  const leads = above.type === 'heading' ? /^[^.,;!?]{0,60}$/ : /^[^.,;!?]{0,60}:$/;
  const isOnlyName = marked === 0 && rest.trim() === '';
  if (!(leads.test(rest.trim()) || isOnlyName)) return undefined;
  const last = above.tokens[marked];
  return last && fileOf(last.type === 'link' ? String(last.href) : textOf([last]));
}

export function fileOf(text: string): CodeFile | undefined {
  if (text.length > 300 || /^\/|[\s?#]|:\/\//.test(text.replace(/#L\d.*$/, ''))) return undefined;
  const target = linkTarget(text);
  return target.kind === 'file' && looksLikeFile(target.path) ? target : undefined;
}

function looksLikeFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (!/^[\p{L}\p{N}\p{M}_@$+~()[\]. -]+$/u.test(name)) return false;
  const ending = /[^.]\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase();
  if (ending === undefined) return wholeNames.test(name);
  return path.includes('/') || sourceEndings.has(ending);
}

function endingOf({ path }: CodeFile): string {
  return /\.([A-Za-z0-9]+)$/.exec(path)?.[1] ?? '';
}

function short(language: string): string {
  return language.slice(0, 40);
}
