import path from 'node:path';
import type { ThemeRule } from './catalog.ts';

export interface ThemeFiles {
  read(file: string): Promise<string>;
  parsePropertyList(text: string): unknown;
}

const maxIncludes = 10;

/** Includes the rules of included files, in the order in which they apply. Rejects when a file cannot be read. */
export async function readThemeRules(file: string, files: ThemeFiles, depth = 0): Promise<ThemeRule[]> {
  const text = await files.read(file);
  if (!file.endsWith('.json') && !file.endsWith('.jsonc'))
    return rulesIn(fieldOf(files.parsePropertyList(text), 'settings'));
  const theme = parseJsonc(text);
  const include = fieldOf(theme, 'include');
  const beside = (name: string) => path.join(path.dirname(file), name);
  const included =
    typeof include === 'string' && depth < maxIncludes ? await readThemeRules(beside(include), files, depth + 1) : [];
  const own = fieldOf(theme, 'tokenColors');
  if (typeof own === 'string' && depth < maxIncludes) {
    return [...included, ...(await readThemeRules(beside(own), files, depth + 1))];
  }
  return [...included, ...rulesIn(own)];
}

const groups: Record<string, string[]> = {
  comments: ['comment', 'punctuation.definition.comment'],
  strings: ['string', 'meta.embedded.assembly'],
  keywords: ['keyword - keyword.operator', 'keyword.control', 'storage', 'storage.type'],
  numbers: ['constant.numeric'],
  types: ['entity.name.type', 'entity.name.class', 'support.type', 'support.class'],
  functions: ['entity.name.function', 'support.function'],
  variables: ['variable', 'entity.name.variable'],
};

export function customRules(customizations: unknown, theme: string): ThemeRule[] {
  if (typeof customizations !== 'object' || customizations === null) return [];
  const sections = Object.entries(customizations).filter(([name]) => namesTheme(name, theme));
  return [customizations, ...sections.map(([, section]: [string, unknown]) => section)].flatMap(rulesOfSection);
}

function rulesOfSection(section: unknown): ThemeRule[] {
  const simple = Object.entries(groups).flatMap(([name, scope]): ThemeRule[] => {
    const value = fieldOf(section, name);
    if (typeof value === 'string') return [{ scope, settings: { foreground: value } }];
    return rulesIn([{ scope, settings: value }]);
  });
  return [...simple, ...rulesIn(fieldOf(section, 'textMateRules'))];
}

function namesTheme(section: string, theme: string): boolean {
  return [...section.matchAll(/\[([^\]]+)\]/g)].some(([, pattern = '']) => {
    const expression = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
    return new RegExp(`^${expression.join('.*')}$`).test(theme);
  });
}

function rulesIn(value: unknown): ThemeRule[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((rule: unknown): ThemeRule[] => {
    const settings = fieldOf(rule, 'settings');
    const scope = fieldOf(rule, 'scope');
    const foreground = fieldOf(settings, 'foreground');
    const fontStyle = fieldOf(settings, 'fontStyle');
    // A rule without a scope sets the default, which is the editor's own foreground here.
    if (!(typeof scope === 'string' || isStrings(scope))) return [];
    return [
      {
        scope,
        settings: {
          ...(typeof foreground === 'string' && { foreground }),
          ...(typeof fontStyle === 'string' && { fontStyle }),
        },
      },
    ];
  });
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
}

/** Accepts comments and trailing commas, as theme files have them. Throws `SyntaxError`. */
export function parseJsonc(text: string): unknown {
  const plain = text
    .replace(/^\ufeff/, '')
    // Strings are matched first, so that anything in them that resembles a comment stays.
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string: string | undefined) => string ?? ' ')
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[\]}])/g, (_, string: string | undefined) => string ?? '');
  return JSON.parse(plain) as unknown;
}
