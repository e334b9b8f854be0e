import oniguruma from 'vscode-oniguruma';
import textmate, { type IGrammar, type StateStack } from 'vscode-textmate';
import { dropOldest } from '../base/drop-oldest.ts';
import type { CodeColors } from '../shared/panel/protocol.ts';
import type { ColorRequest, ColorSetup } from './catalog.ts';
import { customRules, readThemeRules } from './theme-rules.ts';

const maxLineChars = 4000;
const maxLineMs = 500;
const maxBlocks = 100;
/** This color stands for the editor's own foreground, which only the page knows. */
const defaultColor = '#010203';

export interface TokenizerDeps {
  setup: ColorSetup;
  read(file: string): Promise<string>;
  wasm(): Promise<Uint8Array>;
}

export interface Tokenizer {
  /** Calls must not overlap. Resolves to undefined when the language has no grammar. */
  color(request: ColorRequest): Promise<CodeColors | undefined>;
}

interface BlockState {
  count: number;
  stack: StateStack | null;
  open: string[];
}

export function createTokenizer({ setup, read, wasm }: TokenizerDeps): Tokenizer {
  const blocks = new Map<string, BlockState>();
  let loaded: Promise<textmate.Registry> | undefined;
  let theme: string | undefined;
  let colors: readonly string[] = [];
  let bracketColor: number | undefined;

  const useTheme = async (registry: textmate.Registry, id: string) => {
    if (theme === id) return;
    const file = Object.hasOwn(setup.themes, id) ? setup.themes[id] : undefined;
    const rules = file === undefined ? [] : await readThemeRules(file, { read, parsePropertyList });
    const base = { settings: { foreground: defaultColor, background: defaultColor } };
    registry.setTheme({ settings: [base, ...rules, ...customRules(setup.customizations, id)] });
    // The map has a hole at 0.
    const own = Array.from(registry.getColorMap(), (color) => (isPlainColor(color) ? color : ''));
    bracketColor = setup.brackets ? own.length : undefined;
    colors = setup.brackets ? [...own, ...bracketColors] : own;
    theme = id;
    blocks.clear();
  };
  const stateOf = ({ block, from }: ColorRequest): BlockState | undefined => {
    if (from === 0) return { count: 0, stack: null, open: [] };
    const known = blocks.get(block);
    return known?.count === from ? known : undefined;
  };
  return {
    async color(request) {
      const { languages } = setup.catalog;
      const name = request.language.toLowerCase();
      const scope = Object.hasOwn(languages, name) ? languages[name] : undefined;
      if (scope === undefined) return undefined;
      loaded ??= createRegistry(setup, read, wasm);
      const registry = await loaded;
      await useTheme(registry, request.theme);
      const grammar = await registry.loadGrammar(scope);
      if (!grammar) return undefined;
      const state = stateOf(request);
      blocks.delete(request.block);
      if (!state) return { from: 0, lines: [], colors };
      const lines = request.text.split('\n').map((line) => colorLine(grammar, line, state, bracketColor));
      blocks.set(request.block, state);
      dropOldest(blocks, maxBlocks);
      return { from: request.from, lines, colors };
    },
  };
}

function colorLine(grammar: IGrammar, line: string, state: BlockState, bracketColor: number | undefined): number[] {
  state.count++;
  if (line.length > maxLineChars) return [];
  const tokenize = () => grammar.tokenizeLine2(line, state.stack, maxLineMs);
  let result = tokenize();
  // The first lines also pay for the patterns, which are compiled when they are needed.
  if (result.stoppedEarly) result = tokenize();
  if (result.stoppedEarly) return [];
  const { tokens, ruleStack } = result;
  state.stack = ruleStack;
  const runs: number[] = [];
  const add = (length: number, style: number) => {
    const last = runs.length - 1;
    if (last > 0 && runs[last] === style) runs[last - 1] = (runs[last - 1] ?? 0) + length;
    else runs.push(length, style);
  };
  for (let index = 0; index < tokens.length; index += 2) {
    const start = tokens[index] ?? 0;
    const end = Math.min(tokens[index + 2] ?? line.length, line.length);
    const metadata = tokens[index + 1] ?? 0;
    const style = styleOf(metadata);
    if (end <= start) continue;
    if (bracketColor === undefined || !isCode(metadata)) {
      add(end - start, style);
      continue;
    }
    for (const piece of line.slice(start, end).split(/([()[\]{}])/)) {
      if (piece === '') continue;
      const depth = piece.length === 1 ? depthOf(piece, state.open) : undefined;
      add(
        piece.length,
        depth === undefined ? style : (bracketColor + (depth % bracketColors.length)) * 16 + (style % 16),
      );
    }
  }
  return runs.length === 2 && runs[1] === 0 ? [] : runs;
}

const bracketColors = [1, 2, 3].map((nth) => `var(--vscode-editorBracketHighlight-foreground${nth})`);
const closing: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

function depthOf(sign: string, open: string[]): number | undefined {
  const opening = closing[sign];
  if (opening === undefined) return '([{'.includes(sign) ? open.push(sign) - 1 : undefined;
  if (open.at(-1) !== opening) return undefined;
  open.pop();
  return open.length;
}

function isCode(metadata: number): boolean {
  return (metadata & 0x300) === 0;
}

/** A token's metadata holds its foreground in 9 bits from bit 15 and its font style in 4 bits from bit 11. */
function styleOf(metadata: number): number {
  const foreground = (metadata >>> 15) & 0x1ff;
  const fontStyle = (metadata >>> 11) & 0xf;
  return (foreground <= 1 ? 0 : foreground * 16) + fontStyle;
}

async function createRegistry(
  { catalog }: ColorSetup,
  read: TokenizerDeps['read'],
  wasm: TokenizerDeps['wasm'],
): Promise<textmate.Registry> {
  await oniguruma.loadWASM(await wasm());
  const files = new Map(catalog.grammars.map(({ scope, file }) => [scope, file]));
  return new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => oniguruma.createOnigScanner(patterns),
      createOnigString: (text) => oniguruma.createOnigString(text),
    }),
    async loadGrammar(scope) {
      const file = files.get(scope);
      return file === undefined ? undefined : textmate.parseRawGrammar(await read(file), file);
    },
    getInjections: (scope) =>
      catalog.grammars
        .filter(({ injectTo = [] }) => injectTo.some((target) => isUnder(scope, target)))
        .map((each) => each.scope),
  });
}

function isUnder(scope: string, target: string): boolean {
  return scope === target || scope.startsWith(`${target}.`);
}

function parsePropertyList(text: string): unknown {
  return textmate.parseRawGrammar(text, 'theme.plist');
}

/** A theme is another extension's file, so only a color in numbers may enter our style sheet. */
function isPlainColor(color: string | undefined): boolean {
  return color !== undefined && /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(color);
}
