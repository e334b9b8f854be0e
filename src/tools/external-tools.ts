import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { stripInvisible } from '../agent/invisible.ts';
import { defineTool, type Tool, ToolError } from '../agent/tool.ts';
import { definitionTokens } from '../agent/tool-definitions.ts';
import type { Workspace } from '../files/workspace.ts';
import type { Outputs } from './command/outputs.ts';
import { type ExternalResultPart, readParts } from './external-result.ts';
import { shownSchema } from './external-schema.ts';
import { loadedOnDemand } from './load-tools.ts';

/**
 * Gives access to tools of other extensions and MCP servers as the editor lists them.
 * `vscode/workspace/lm-tools-adapter.ts` implements it.
 */
export interface ExternalTools {
  list(): readonly ExternalTool[];
  /**
   * Runs a tool after the editor's own confirmation. Rejects with `ToolError` for everything that the model should
   * learn.
   */
  invoke(name: string, input: object, signal: AbortSignal): Promise<readonly ExternalResultPart[]>;
}

export interface ExternalTool {
  name: string;
  description: string;
  inputSchema?: object;
}

export interface ExternalToolsDeps {
  workspace: Workspace;
  external: ExternalTools;
  /**
   * Returns the names that the user picked for a conversation. No other tool is sent, because every definition is
   * paid for.
   */
  picked(conversationId: string): readonly string[];
  /** With more tokens of definitions than this (`svc.tools.loadAbove`), a request carries the names alone. */
  loadAbove(): number;
  keepImage(url: string): Promise<string>;
  outputs?: Outputs;
}

export interface ExternalToolsOffer {
  own: readonly Tool[];
  conversationId: string;
  keep(tools: readonly Tool[]): readonly Tool[];
}

/** Services of this kind accept at most this many tools, ours included. */
export const maxTools = 128;
/** The editor's list contains our own tools too; calling them there would go around our own consent. */
const ownPrefix = 'svc_';
const maxNameLength = 64;
const maxDescriptionLength = 1000;

/**
 * Makes tools of ours from the picked tools of others. Where their definitions are too long, they come with
 * `load_tools`, and each is sent once it was loaded. Names are made to fit `^[A-Za-z_][A-Za-z0-9_-]{0,63}$` and stay the same
 * while the list does. The list is read anew for every turn, because servers come and go.
 */
export function createExternalTools(deps: ExternalToolsDeps): (beside: ExternalToolsOffer) => readonly Tool[] {
  // The editor has a question of its own for each call from outside of its chat.
  const notified = { editorAsks: false };
  return ({ own, conversationId, keep }) => {
    const picked = new Set(deps.picked(conversationId));
    const taken = new Set(own.map(({ name }) => name));
    const adapted = externalToolChoices(deps.external)
      .filter(({ name }) => picked.has(name))
      .map((tool) => {
        const name = freeName(tool.name, taken);
        taken.add(name);
        return { tool: adapt(deps, { name, tool, notified }), isThere: () => isSame(deps.external, tool) };
      });
    const kept = new Set(keep(adapted.map(({ tool }) => tool)).map(({ name }) => name));
    const tools = adapted.filter(({ tool }) => kept.has(tool.name));
    const room = Math.max(0, maxTools - own.length);
    const all = tools.map(({ tool }) => tool);
    if (tools.length <= room && definitionTokens(all) <= deps.loadAbove()) return all;
    return loadedOnDemand(tools, room - 1);
  };
}

function isSame(external: ExternalTools, tool: ExternalTool): boolean {
  const now = external.list().find(({ name }) => name === tool.name);
  return now !== undefined && digest(now) === digest(tool);
}

export function externalToolChoices(external: ExternalTools): readonly ExternalTool[] {
  return external
    .list()
    .filter(({ name }) => !name.startsWith(ownPrefix))
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Returns `name` in a form that services of this kind accept and that is not `taken`. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const fitting = name.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^(?=[^A-Za-z_]|$)/, 'tool_');
  const base = fitting.slice(0, maxNameLength);
  if (!taken.has(base)) return base;
  for (let number = 2; ; number++) {
    const suffix = `_${number}`;
    const candidate = `${base.slice(0, maxNameLength - suffix.length)}${suffix}`;
    if (!taken.has(candidate)) return candidate;
  }
}

interface Adapted {
  name: string;
  tool: ExternalTool;
  notified: { editorAsks: boolean };
}

function adapt({ workspace, external, ...keeps }: ExternalToolsDeps, { name, tool, notified }: Adapted): Tool {
  const definition = digest(tool);
  return defineTool<Record<string, unknown>>({
    name,
    description: stripInvisible(tool.description).text.slice(0, maxDescriptionLength).toWellFormed(),
    parameters: schemaOf(tool.inputSchema),
    kind: 'other',
    access: 'execute',
    title: () => l10n.t('Use {0}', tool.name),
    async plan(args, { signal, turnId, callId }) {
      if (!workspace.isTrusted()) throw new ToolError('The workspace is in Restricted Mode: no tool runs.');
      return {
        approval: {
          subject: { kind: 'external', tool: tool.name, arguments: JSON.stringify(args, null, 2), definition },
          warnings: notified.editorAsks ? [] : [editorAsks()],
          scopes: ['once', 'conversation'],
        },
        async run() {
          if (!workspace.isTrusted()) throw new ToolError('The workspace is in Restricted Mode: no tool runs.');
          notified.editorAsks = true;
          const now = external.list().find((candidate) => candidate.name === tool.name);
          if (now === undefined) throw new ToolError(`${tool.name} is no longer there.`);
          if (digest(now) !== definition) {
            throw new ToolError(
              `${tool.name} changed what it says of itself while the user was asked. Nothing was run.`,
            );
          }
          const parts = await external.invoke(tool.name, args, signal);
          return readParts(parts, { ...keeps, name, run: { turnId, callId } });
        },
      };
    },
  });
}

const editorAsks = () =>
  l10n.t('VS Code might ask as well. What you allow there for good is listed under "Manage Tool Approval".');

function digest({ name, description, inputSchema }: ExternalTool): string {
  return createHash('sha256')
    .update(JSON.stringify([name, description, inputSchema]))
    .digest('hex');
}

/**
 * Accepts any object, because the editor checks it against the tool's own schema when it runs. The model is shown
 * that schema with its references put in place, because only `properties` and `required` are sent.
 */
function schemaOf(inputSchema: object | undefined): z.ZodMiniType<Record<string, unknown>> {
  const schema = z.record(z.string(), z.unknown());
  const shown = shownSchema(inputSchema ?? {});
  // A copy: who asks takes it apart.
  schema._zod.toJSONSchema = () => structuredClone(shown);
  return schema;
}
