import { plainToolName } from '../agent/dialect/plain-tool-name.ts';
import type { Tool } from '../agent/tool.ts';
import { ToolError } from '../agent/tool.ts';

/** An agent of the user's never adds anything: it only takes tools and rights away. */
export interface AgentSpec {
  tools?: readonly string[];
  without: readonly string[];
  models: readonly string[];
  /** A regular expression; files whose path it does not match are not edited. */
  edits?: string;
  /** Names the agents that it may have asked; `*` and an absent list mean any. */
  agents?: readonly string[];
  /** A model may ask this agent only where another agent names it. */
  notForModels?: true;
}

/** Somebody else wrote the expression, so it is tried where it can be ended. */
export type MatchPath = (expression: string, path: string) => Promise<boolean>;

type Keeps = (tool: Pick<Tool, 'name' | 'access' | 'kind'>) => boolean;

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

/**
 * Reads one entry of an agent's list of tools. `Bash(git log:*)` names a tool and what it may be used for; only the
 * tool is read, because the user grants the use.
 */
function keeperOf(written: string): Keeps {
  const word = (written.split('(', 1)[0] ?? '').trim();
  if (word === '*') return () => true;
  const plain = plainToolName(word);
  const group = byWord.get(plain);
  const server = group === undefined ? toolOfServer(word) : undefined;
  if (server !== undefined) return server;
  return (one) => group?.(one) === true || plainToolName(one.name) === plain;
}

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
    return isExternal(one) && (isAll ? own.startsWith(plain) : own === plain);
  };
}

const isExternal: Keeps = ({ kind, access }) => kind === 'other' && access === 'execute';

/** Recognizes tools that ask the user, which an agent always keeps, because asking takes no right. */
const isTalk: Keeps = ({ access }) => access === 'ask';

/** Never adds a tool and takes no part in any consent. */
export function narrowTools(agent: AgentSpec, tools: readonly Tool[], matches: MatchPath): readonly Tool[] {
  const keeps = agent.tools?.map(keeperOf);
  const drops = agent.without.map(keeperOf);
  const { edits } = agent;
  const isKept = (tool: Tool) => {
    // Whom it names, it may have asked; naming none is a word as well.
    if (tool.kind === 'subagent' && agent.agents !== undefined) return agent.agents.length > 0;
    return (isTalk(tool) && tool.kind !== 'plan') || keeps === undefined || keeps.some((keep) => keep(tool));
  };
  return tools
    .filter(isKept)
    .filter((tool) => !drops.some((drop) => drop(tool)))
    .map((tool) =>
      edits !== undefined && tool.access === 'write' ? onlyFor((path) => matches(edits, path), tool) : tool,
    );
}

function onlyFor(allowed: (path: string) => Promise<boolean>, tool: Tool): Tool {
  return {
    ...tool,
    async plan(args, context) {
      const refuseOthers = async (path: string) => {
        if (isPlainPath(path) && (await allowed(path))) return;
        throw new ToolError(`The agent that the user picked does not edit ${path}. Tell the user instead.`);
      };
      for (const path of pathsIn(args)) await refuseOthers(path);
      const plan = await tool.plan(args, context);
      if (plan.meant !== undefined) await refuseOthers(plan.meant);
      return plan;
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

function isPlainPath(path: string): boolean {
  return path.length <= 300 && !/["'`\\:#]|(?:^|\/)\.\.(?:\/|$)/.test(path);
}
