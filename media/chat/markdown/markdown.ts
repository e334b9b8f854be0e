import { Hooks, Lexer, type Token, Tokenizer, type Tokens } from 'marked';

/** A block never changes again once another block follows it. */
export interface Block {
  key: number;
  token: Token;
  codeNumber: number;
  above: Token | undefined;
  /** Changes when a later link definition gives the same text another meaning. */
  version: number;
  live: boolean;
}

export interface LiveMarkdown {
  /** `text` is the whole reply so far. The cost depends on what was added, not on what was there. */
  update(text: string): readonly Block[];
}

interface OpenFence {
  codeStart: number;
  closing: RegExp;
  lang: string;
  checked: number;
}

/**
 * Lexes only the last block of a growing reply, which can still change; an open fence is only searched for its
 * closing line. HTML, images and links come out as tokens, and the view must draw them safely.
 */
export function createLiveMarkdown(): LiveMarkdown {
  let text = '';
  let settled: Block[] = [];
  let settledLength = 0;
  let tailBlocks: Block[] = [];
  let codeBlocks = 0;
  let settledCodeBlocks = 0;
  let links: Links = {};
  let usedLinks = '{}';
  let version = 0;
  let fence: OpenFence | undefined;

  function restart(): void {
    settled = [];
    settledLength = 0;
    settledCodeBlocks = 0;
    links = {};
    fence = undefined;
  }

  function lexTail(): void {
    const whole = settledLength === 0;
    const { tokens, links: found } = lex(text.slice(settledLength), links);
    const defines = Object.keys(found).length > Object.keys(links).length;
    if (defines && !whole) {
      // A definition also gives meaning to references further up.
      restart();
      lexTail();
      return;
    }
    const used = JSON.stringify(found);
    if (used !== usedLinks) version++;
    usedLinks = used;
    settle(tokens);
    if (defines) links = lex(text.slice(0, settledLength)).links;
  }

  function settle(tokens: readonly Token[]): void {
    const cut = settledCount(tokens, text.length - settledLength);
    codeBlocks = settledCodeBlocks;
    for (const token of tokens.slice(0, cut)) {
      settledLength += token.raw.length;
      if (isShown(token)) settled.push(nextBlock(settled.length, settled.at(-1), token, false));
    }
    settledCodeBlocks = codeBlocks;
    tailBlocks = [];
    for (const token of tokens.slice(cut)) {
      if (!isShown(token)) continue;
      const key = settled.length + tailBlocks.length;
      tailBlocks.push(nextBlock(key, tailBlocks.at(-1) ?? settled.at(-1), token, true));
    }
    fence = openFence(tokens[cut], tokens.length - cut, text.length - settledLength);
  }

  function nextBlock(key: number, before: Block | undefined, token: Token, live: boolean): Block {
    const isCode = token.type === 'code';
    if (isCode) codeBlocks++;
    return {
      key,
      token,
      codeNumber: isCode ? codeBlocks : 0,
      above: isCode ? before?.token : undefined,
      version,
      live,
    };
  }

  function growFence(open: OpenFence): boolean {
    const tail = text.slice(settledLength);
    const from = open.checked;
    open.closing.lastIndex = from;
    if (open.closing.test(tail)) return false;
    open.checked = Math.max(open.codeStart, tail.lastIndexOf('\n') + 1);
    const last = tailBlocks.at(-1);
    if (last?.token.type !== 'code') return false;
    // Exactly what the lexer makes of an open block: blank lines at its end stay.
    const oneNewline = tail.endsWith('\n') && !tail.endsWith('\n\n') && tail.length > open.codeStart;
    const code = tail.slice(open.codeStart, oneNewline ? -1 : undefined);
    tailBlocks = [{ ...last, token: { type: 'code', raw: tail, lang: open.lang, text: code } }];
    return true;
  }

  return {
    update(next) {
      const clean = next.includes('\r') ? next.replace(/\r\n?/g, '\n') : next;
      if (clean === text) return [...settled, ...tailBlocks];
      const grows = clean.startsWith(text);
      text = clean;
      if (!grows) {
        restart();
      }
      if (!(grows && fence && growFence(fence))) lexTail();
      return [...settled, ...tailBlocks];
    },
  };
}

export function countCodeBlocks(text: string): number {
  return lex(text).tokens.filter((token) => token.type === 'code').length;
}

type Links = Record<string, Pick<Tokens.Link | Tokens.Image, 'href' | 'title'>>;

/**
 * Bounds signs × characters, the worst-case cost of finding the ends of emphasis, code and links, for one text and
 * for one draw.
 */
const maxInlineCost = 2_000_000;
const maxDrawCost = 8_000_000;

/** Emphasis, code and links take quadratic time, so text that would take too long stays plain. */
class BoundedLexer extends Lexer {
  private spent = 0;

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    // An address may begin at `http`. Plain text ends there and at `!`, and is searched again for an address with `@`.
    let signs = 1 + (source.match(/http/gi)?.length ?? 0);
    for (const sign of source) if ('*_~[`<!\\$'.includes(sign)) signs++;
    const cost = signs * source.length;
    if (cost > maxInlineCost || this.spent + cost > maxDrawCost) {
      tokens.push({ type: 'text', raw: source, text: source, escaped: false });
      return tokens;
    }
    this.spent += cost;
    if (this.options.hooks) this.options.hooks.emStrongMask = (masked) => withoutFormulas(source, masked);
    return super.inlineTokens(source, tokens);
  }
}

/**
 * A README in a fence holds fences of its own, which models write no shorter: there, each closing fence belongs to the
 * last opening one.
 */
class PairingTokenizer extends Tokenizer {
  /** A line of `---` below a formula is no underline of the paragraph above the formula. */
  override lheading(source: string): Tokens.Heading | undefined {
    const token = super.lheading(source);
    return token && formulaBelow.test(token.raw) ? undefined : token;
  }

  /** Models put code into fences: what stands far in and begins like a list is the list that they meant. */
  override code(source: string): Tokens.Code | undefined {
    const token = super.code(source);
    const [, indent] = /^( +)(?:[-*+]|\d{1,9}[.)]) /.exec(token?.raw ?? '') ?? [];
    if (token === undefined || indent === undefined) return token;
    const text = token.raw.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    const list = this.list(text);
    return list?.raw.trimEnd() === text.trimEnd() ? Object.assign(token, list, { raw: token.raw }) : token;
  }

  override fences(source: string): Tokens.Code | undefined {
    const token = super.fences(source);
    if (!token || !/^(?:markdown|md)\b/i.test(token.lang ?? '')) return token;
    const open: string[] = [];
    let longest = '';
    let body: string | undefined;
    for (const { 0: line, 1: marks = '', 2: info = '', index } of source.matchAll(
      /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))([^\n`]*)$/gm,
    )) {
      if (marks.length > longest.length) longest = marks;
      if (info.trim() === '' && marks.startsWith(open.at(-1) ?? '')) open.pop();
      else if (info.trim() !== '' && marks.startsWith(open[0] ?? '')) open.push(marks);
      if (open.length > 0) continue;
      if (index + line.length === token.raw.length) return token;
      body = source.slice(0, index);
      source = source.slice(0, index + line.length);
      break;
    }
    // With a fence that is longer than all within, the library reads it as it is meant.
    const wall = longest + longest.charAt(0);
    const inside = (body ?? source).replace(/^ *[`~]+/, wall);
    const paired = super.fences(body === undefined ? inside : inside + wall);
    return paired && { ...paired, raw: source };
  }
}

/**
 * A formula is shown as it is written, because nothing here draws it: `\(…\)`, `\[ … \]`, `$…$` unless it is a price,
 * and lines between `\[` or `$$`, which an empty line ends.
 */
const formula =
  /\\\((?:(?!\\\))[^`]){1,2000}\\\)|\\\[\s(?:(?!\\\])[^`]){1,2000}(?<=\s)\\\]|\$\$[^$`]{1,2000}\$\$|\$(?!\s)[^$`]{1,2000}\$(?<![\s\\]\$)(?!\d)/;
const formulaOpening = /^ {0,3}(?:\\\[|\$\$)[ \t]*\n/;
const formulaBelow = /^(?:[ \t]*\S.*\n)+?(?= {0,3}(?:\\\[|\$\$)[ \t]*\n)/;
const formulaHere = new RegExp(`^(?:${formula.source})`);
const formulas = new RegExp(formula, 'g');

function written(raw: string | undefined): Tokens.Generic | undefined {
  return raw === undefined ? undefined : { type: 'html', raw, text: raw };
}

function formulaLines(source: string): string | undefined {
  const opening = formulaOpening.exec(source)?.[0].length;
  if (opening === undefined) return undefined;
  const ending = /((?:\\\]|\$\$).*\n?)|(?<=\n)[ \t]*(?:\n|$)/g;
  ending.lastIndex = opening;
  const end = ending.exec(source);
  return end ? source.slice(0, end.index + (end[1]?.length ?? 0)) : source;
}

/** Emphasis neither begins nor ends in a formula. */
function withoutFormulas(source: string, masked: string): string {
  const holes = source.replace(formulas, ({ length }) => '\0'.repeat(length));
  return holes === source ? masked : masked.replace(/./gs, (sign, at) => (holes.charAt(at) === '\0' ? 'a' : sign));
}

const extensions = {
  block: [(source: string) => written(formulaLines(source))],
  startBlock: [(source: string) => formulaBelow.exec(source)?.[0].length],
  inline: [(source: string) => written(formulaHere.exec(source)?.[0])],
  startInline: [(source: string) => source.indexOf('$')],
  renderers: {},
  childTokens: {},
};

export function lex(text: string, known: Links = {}): { tokens: Token[]; links: Links } {
  const lexer = new BoundedLexer({ gfm: true, tokenizer: new PairingTokenizer(), extensions, hooks: new Hooks() });
  Object.assign(lexer.tokens.links, known);
  try {
    return { tokens: lexer.lex(text), links: { ...lexer.tokens.links } };
  } catch {
    // Thousands of nested quotes exhaust the lexer's stack: the text is shown as it is.
    return { tokens: [{ type: 'text', raw: text, text }], links: known };
  }
}

/**
 * Returns how many tokens can never change: those before the last block, once its first line is complete (until then
 * `1.` might begin a list or continue a paragraph). Right below a paragraph the second line must be complete too,
 * because it may make a table or a heading.
 */
function settledCount(tokens: readonly Token[], tailLength: number): number {
  const length = tokens.reduce((sum, token) => sum + token.raw.length, 0);
  if (length !== tailLength) return 0;
  const last = tokens.findLastIndex((token) => token.type !== 'space');
  const raw = tokens[last]?.raw ?? '';
  const joined = tokens[last - 1]?.type === 'paragraph';
  const deciding = raw.indexOf('\n') + 1;
  const decided = deciding > 0 && (!joined || raw.includes('\n', deciding));
  return last > 0 && decided ? last : 0;
}

function openFence(token: Token | undefined, count: number, tailLength: number): OpenFence | undefined {
  if (token?.type !== 'code' || count !== 1 || token.raw.length !== tailLength) return undefined;
  // A longer fence is lexed anew each time: it would make an expression that is too large.
  const opening = /^(`{3,1000}(?!`)|~{3,1000}(?!~))[^\n]*\n/.exec(token.raw);
  const marks = opening?.[1];
  if (!opening || marks === undefined) return undefined;
  const closing = new RegExp(`^ {0,3}${marks}[~\`]* *$`, 'gm');
  closing.lastIndex = opening[0].length;
  if (closing.test(token.raw)) return undefined;
  const lang = (token as Tokens.Code).lang ?? '';
  return { codeStart: opening[0].length, closing, lang, checked: opening[0].length };
}

function isShown(token: Token): boolean {
  return token.type !== 'space' && token.type !== 'def';
}
