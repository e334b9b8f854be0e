import { isObject, parseJson } from '../base/parse-json.ts';
import type { AgentSpec } from './agent-spec.ts';
import type { FoundFile } from './customization.ts';
import { readHeaderLines } from './front-matter.ts';
import { cleanText, commandNameOf, type Header, textOf } from './header.ts';
import type { Found } from './kinds.ts';

const maxLength = 64 * 1024;
const maxModes = 100;
const maxExpressionLength = 300;

interface Group {
  name: string;
  fileRegex?: string;
}

interface Mode {
  slug: string;
  description: string;
  text: string;
  groups: readonly Group[];
}

/**
 * Accepts JSON and the blocks of YAML that Roo Code writes; each mode is an agent. A file that is neither gives only
 * a fault.
 */
export function readRooModes({ text }: FoundFile): readonly Found[] {
  if (text.length > maxLength) return [fault('form')];
  const modes = text.trimStart().startsWith('{') ? modesOfJson(text) : modesOfBlocks(text);
  return modes === undefined ? [fault('form')] : modes.slice(0, maxModes).map(agentOf);
}

/** Reads a file in `.roo/rules-MODE/`, or one that is called `.roorules-MODE` or, as before, `.clinerules-MODE`. */
export function readModeRule({ path, text }: FoundFile): readonly Found[] {
  const mode = commandNameOf(
    /(?:^|\/)\.(?:roo\/rules-([^/]+)\/|(?:roo|cline)rules-([^/]+)$)/.exec(path)?.slice(1).find(Boolean) ?? '',
  );
  const clean = cleanText(text);
  if (mode === '') return [fault('name')];
  const entry: Found['entry'] = clean === '' ? { when: 'never', fault: 'empty' } : { when: 'with', mode };
  return [{ name: '', description: '', text: clean, entry, ignored: [] }];
}

function fault(kind: 'form' | 'name'): Found {
  return { name: '', description: '', text: '', entry: { when: 'never', fault: kind }, ignored: [] };
}

const roles: Readonly<Record<string, string>> = {
  read: 'read',
  edit: 'edit',
  command: 'execute',
  browser: 'web',
  mcp: 'mcp',
};

function agentOf({ slug, description, text, groups }: Mode): Found {
  const name = commandNameOf(slug);
  const clean = cleanText(text);
  if (name === '') return fault('name');
  const edit = groups.find((group) => group.name === 'edit');
  const edits = edit?.fileRegex;
  // What is no expression allows nothing.
  const cannotEdit = edits !== undefined && !isExpression(edits);
  const kept = groups.filter((group) => !(cannotEdit && group.name === 'edit'));
  const agent: AgentSpec = {
    tools: kept.flatMap((group) => roles[group.name] ?? []),
    without: [],
    models: [],
    ...(edits !== undefined && !cannotEdit && { edits }),
  };
  return {
    name,
    description: description.slice(0, 300).toWellFormed(),
    text: clean,
    entry: clean === '' ? { when: 'never', fault: 'empty' } : { when: 'picked', agent },
    ignored: cannotEdit ? ['fileRegex'] : [],
  };
}

function isExpression(source: string): boolean {
  try {
    new RegExp(source);
    return source.length <= maxExpressionLength;
  } catch {
    return false;
  }
}

function modesOfJson(text: string): Mode[] | undefined {
  const file = parseJson(text);
  if (!isObject(file) || !Array.isArray(file.customModes)) return undefined;
  return file.customModes.filter(isObject).map((mode) => {
    const texts = Object.entries(mode).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    const groups = Array.isArray(mode.groups) ? mode.groups : [];
    return modeOf(new Map(texts), groups.flatMap(groupOfJson));
  });
}

function groupOfJson(group: unknown): Group[] {
  const [name, limits] = Array.isArray(group) ? group : [group];
  if (typeof name !== 'string') return [];
  return [{ name, ...(isObject(limits) && 'fileRegex' in limits && { fileRegex: String(limits.fileRegex) }) }];
}

/** Modes are items of a list, each with its deeper lines. Every line is read a fixed number of times. */
function modesOfBlocks(text: string): Mode[] | undefined {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/);
  const start = lines.findIndex((line) => /^customModes:\s*$/.test(line));
  if (start < 0) return undefined;
  const items: string[][] = [];
  let indent: number | undefined;
  for (const line of lines.slice(start + 1)) {
    if (line.trim() === '') {
      items.at(-1)?.push('');
      continue;
    }
    const depth = line.length - line.trimStart().length;
    indent ??= depth;
    if (line.startsWith('- ', depth) && depth === indent) {
      items.push([line.slice(depth + 2)]);
    } else if (depth <= indent) {
      break;
    } else {
      items.at(-1)?.push(line.slice(Math.min(depth, indent + 2)));
    }
  }
  return items.map((item) => modeOf(readHeaderLines(item), groupsOfLines(item)));
}

function modeOf(header: Header, groups: Group[]): Mode {
  const part = (key: string) => {
    const value = header.get(key);
    return typeof value === 'string' ? value : '';
  };
  return {
    slug: part('slug'),
    description: textOf(header, 'description') || textOf(header, 'whenToUse') || textOf(header, 'name'),
    text: [part('roleDefinition'), part('customInstructions')].filter((text) => text !== '').join('\n\n'),
    groups,
  };
}

function groupsOfLines(lines: readonly string[]): Group[] {
  const start = lines.findIndex((line) => /^groups:\s*$/.test(line));
  if (start < 0) return [];
  const groups: Group[] = [];
  for (const line of lines.slice(start + 1)) {
    const bare = line.trim();
    if (bare !== '' && !/^[\s-]/.test(line)) break;
    const at = bare.indexOf('fileRegex: ');
    const regex = at < 0 ? undefined : bare.slice(at + 'fileRegex: '.length);
    const named = /^(?:- )+([a-z]+)$/.exec(bare)?.[1];
    const last = groups.at(-1);
    if (regex !== undefined && last !== undefined) last.fileRegex = unquotedRegex(regex);
    else if (named !== undefined) groups.push({ name: named });
  }
  return groups;
}

function unquotedRegex(written: string): string {
  const value = written.trim();
  if (value.startsWith('"') && value.endsWith('"') && value.length > 1)
    return value.slice(1, -1).replace(/\\\\/g, '\\');
  return value.startsWith("'") && value.endsWith("'") && value.length > 1 ? value.slice(1, -1) : value;
}
