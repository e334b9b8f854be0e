import { plainToolName } from '../agent/dialect/plain-tool-name.ts';
import type { Tool } from '../agent/tool.ts';
import { ToolError } from '../agent/tool.ts';

/** How an agent of the user's differs from none: it only ever takes away. */
export interface AgentSpec {
  /** Words for the tools that it keeps; absent: all that the mode has. */
  tools?: readonly string[];
  without: readonly string[];
  /** In the order of preference, as they are written there. */
  models: readonly string[];
  /** Whether it may edit a file; absent: any. */
  edits?: (path: string) => boolean;
  /** Names of agents that it may have asked, `*` for any; absent: any. */
  agents?: readonly string[];
  /** Asked by a model only where another agent names it. */
  notForModels?: true;
}

type Keeps = (tool: Pick<Tool, 'name' | 'access' | 'kind'>) => boolean;

/** Words for several tools at once, in plain form, as VS Code, Claude Code, Roo Code and others have them. */
const groups: readonly [words: string, keeps: Keeps][] = [
  [
    'read search codebase usages problems changes searchresults view grep glob ls list find textsearch filesearch listdirectory readfile notebookread githubrepo testfailure selection',
    ({ access, kind }) => access === 'read' && kind !== 'other' && kind !== 'subagent',
  ],
  [
    'edit editfiles editor write create multiedit createfile createdirectory createandrunworkspacetask new notebookedit insertedit replacestring applypatch',
    ({ access }) => access === 'write',
  ],
  [
    'execute runcommands runcommand runinterminal terminal terminallastcommand getterminaloutput command bash shell runtasks runtests powershell',
    ({ kind }) => kind === 'command',
  ],
  ['web fetch webfetch browser opensimplebrowser', ({ access }) => access === 'fetch'],
  ['todo todos todowrite todoread', ({ kind }) => kind === 'plan'],
  ['agent task subagent runsubagent', ({ kind }) => kind === 'subagent'],
  ['mcp extensions', ({ kind, access }) => kind === 'other' && access === 'execute'],
  ['all', () => true],
];

const byWord = new Map(groups.flatMap(([words, keeps]) => words.split(' ').map((word) => [word, keeps] as const)));

/** `Bash(git log:*)` names a tool and what it may be used for; the latter is for the user to say here. */
function keeperOf(written: string): Keeps {
  const word = (written.split('(', 1)[0] ?? '').trim();
  if (word === '*') return () => true;
  const plain = plainToolName(word);
  const group = byWord.get(plain);
  const server = group === undefined ? toolOfServer(word) : undefined;
  if (server !== undefined) return server;
  return (one) => group?.(one) === true || plainToolName(one.name) === plain;
}

/** `server/tool`, `mcp__server__tool`, and `*` for all of a server; VS Code also writes a tool in its set, as `edit/createFile`. */
function toolOfServer(word: string): Keeps | undefined {
  const bare = word.replace(/^mcp__/, '');
  const slash = bare.indexOf('/');
  const at = slash >= 0 ? slash : bare.indexOf('__');
  if (at <= 0) return undefined;
  const server = bare.slice(0, at);
  const tool = bare.slice(at + (slash >= 0 ? 1 : 2));
  const group = byWord.get(plainToolName(server));
  if (group !== undefined) return group;
  const isAll = tool === '*' || tool === '';
  const plain = plainToolName(isAll ? server : `${server}${tool}`);
  return (one) => {
    const own = plainToolName(one.name.replace(/^mcp_/, ''));
    return isForeign(one) && (isAll ? own.startsWith(plain) : own === plain);
  };
}

const isForeign: Keeps = ({ kind, access }) => kind === 'other' && access === 'execute';

/** Talking to the user takes no right; what an agent may do without them is what it narrows. */
const isTalk: Keeps = ({ access }) => access === 'ask';

/** The tools of the mode that the agent keeps. It never adds one, and takes no part in any consent. */
export function narrowTools(agent: AgentSpec, tools: readonly Tool[]): readonly Tool[] {
  const keeps = agent.tools?.map(keeperOf);
  const drops = agent.without.map(keeperOf);
  const isKept = (tool: Tool) => {
    // Whom it names, it may have asked; naming none is a word as well.
    if (tool.kind === 'subagent' && agent.agents !== undefined) return agent.agents.length > 0;
    return (isTalk(tool) && tool.kind !== 'plan') || keeps === undefined || keeps.some((keep) => keep(tool));
  };
  return tools
    .filter(isKept)
    .filter((tool) => !drops.some((drop) => drop(tool)))
    .map((tool) => (agent.edits !== undefined && tool.access === 'write' ? onlyFor(agent.edits, tool) : tool));
}

function onlyFor(allowed: (path: string) => boolean, tool: Tool): Tool {
  return {
    ...tool,
    plan(args, context) {
      for (const path of pathsIn(args)) {
        if (!isPlainPath(path) || !allowed(path)) {
          throw new ToolError(`The agent that the user picked does not edit ${path}. Tell the user instead.`);
        }
      }
      return tool.plan(args, context);
    },
  };
}

function pathsIn(args: unknown): string[] {
  if (typeof args !== 'object' || args === null) return [];
  return ['path', 'newPath'].flatMap((key) => {
    const value = Object.getOwnPropertyDescriptor(args, key)?.value;
    return typeof value === 'string' ? [value.replace(/^(?:\.\/)+/, '')] : [];
  });
}

/** One that can be read in one way only. */
function isPlainPath(path: string): boolean {
  return path.length <= 300 && !/["'`\\:#]|(?:^|\/)\.\.(?:\/|$)/.test(path);
}

/** The signs of an expression that repeat, group, and divide; all else is an `x`. */
function structureOf(source: string): string {
  let structure = '';
  for (let at = 0; at < source.length; at++) {
    const sign = source[at] ?? '';
    if (sign === '\\') at += 1;
    if (sign === '[') {
      // A bracket right behind the beginning is one of the characters.
      const first = source[at + 1] === '^' ? at + 2 : at + 1;
      const end = source.indexOf(']', source[first] === ']' ? first + 1 : first);
      if (end < 0) return source;
      at = end;
    }
    structure += '()|*+{?:'.includes(sign) ? sign : 'x';
  }
  return structure;
}

/** Characters and classes that repeat on one way through the alternatives of an expression. */
function mostRepeats(structure: string, place: { at: number }): number {
  let max = 0;
  let here = 0;
  while (place.at < structure.length) {
    const sign = structure[place.at++];
    if (sign === '(') here += mostRepeats(structure, place);
    else if (sign === ')') break;
    else if (sign === '|') {
      max = Math.max(max, here);
      here = 0;
    } else if (sign === '*' || sign === '+' || sign === '{') here += 1;
  }
  return Math.max(max, here);
}

/**
 * An expression of somebody else's as a test of paths; undefined for one that may take more than a few million steps for a
 * path: with groups that repeat, that look around or refer back, or with many wildcards.
 */
export function linearTest(source: string): ((path: string) => boolean) | undefined {
  if (source.length > 300 || /\\[1-9k]/.test(source)) return undefined;
  const structure = structureOf(source);
  if (/\)[*+{]|\(\?[^:]/.test(structure) || mostRepeats(structure, { at: 0 }) > 2) return undefined;
  try {
    const expression = new RegExp(source);
    return (path) => expression.test(path);
  } catch {
    return undefined;
  }
}
