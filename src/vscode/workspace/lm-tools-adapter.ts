import * as vscode from 'vscode';
import { ToolError } from '../../agent/tool.ts';
import { messageOf } from '../../base/message-of.ts';
import { parseJson } from '../../base/parse-json.ts';
import type { ExternalResultPart } from '../../tools/external-result.ts';
import type { ExternalTools } from '../../tools/external-tools.ts';

const maxReasonLength = 300;

/**
 * Calls tools of other extensions and MCP servers through the editor. The editor asks for its own confirmation in
 * addition to ours, because a call from outside of its chat carries no token.
 */
export function createLmTools(): ExternalTools {
  return {
    list: () =>
      vscode.lm.tools
        .filter(isForOthers)
        .map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    async invoke(name, input, signal) {
      const source = new vscode.CancellationTokenSource();
      const cancel = () => source.cancel();
      signal.addEventListener('abort', cancel, { once: true });
      if (signal.aborted) cancel();
      try {
        const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, source.token);
        return await Promise.all(result.content.map(toPart));
      } catch (error) {
        throw signal.aborted ? error : new ToolError(sentenceOf(name, error));
      } finally {
        signal.removeEventListener('abort', cancel);
        source.dispose();
      }
    },
  };
}

/** VS Code's own name for a link to a resource of an MCP server (its `McpToolResourceLinkMimeType`). */
const resourceLink = 'application/vnd.code.resource-link';

async function toPart(part: unknown): Promise<ExternalResultPart> {
  if (part instanceof vscode.LanguageModelTextPart) return { kind: 'text', text: part.value };
  if (part instanceof vscode.LanguageModelPromptTsxPart)
    return { kind: 'text', text: JSON.stringify(part.value) ?? '' };
  if (!(part instanceof vscode.LanguageModelDataPart)) return { kind: 'data', mediaType: '', bytes: new Uint8Array() };
  const { mimeType: mediaType, data: bytes } = part;
  if (mediaType === resourceLink) return readLink(bytes);
  const text = textIn(bytes);
  return text === undefined ? { kind: 'data', mediaType, bytes } : { kind: 'text', text };
}

/** Only resources of the server itself are read: a link may name any file of the user. */
async function readLink(bytes: Uint8Array): Promise<ExternalResultPart> {
  const link = parseJson(textIn(bytes) ?? '') as { uri?: vscode.Uri } | undefined;
  if (link?.uri === undefined) return { kind: 'text', text: '[a link that cannot be read]' };
  const uri = vscode.Uri.from(link.uri);
  const read = uri.scheme === 'mcp-resource' ? await readResource(uri) : undefined;
  return { kind: 'text', text: `[resource ${uri.toString(true)}]${read === undefined ? '' : `\n${read}`}` };
}

async function readResource(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return textIn(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}

/** Returns the bytes as text when they are that, whatever their type is called. */
function textIn(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The editor marks tools that are for its own chat alone in their names. */
function isForOthers({ name }: vscode.LanguageModelToolInformation): boolean {
  return !name.startsWith('vscode_');
}

function sentenceOf(name: string, error: unknown): string {
  if (isCancellation(error)) return `${name} was cancelled: the user declined it in the editor, or its server ended.`;
  const reason = messageOf(error);
  return `${name} failed: ${reason.slice(0, maxReasonLength).toWellFormed()}`;
}

/** The name is checked too, because an error from the window keeps its name and loses its class. */
function isCancellation(error: unknown): boolean {
  return error instanceof vscode.CancellationError || (error instanceof Error && error.name === 'Canceled');
}
