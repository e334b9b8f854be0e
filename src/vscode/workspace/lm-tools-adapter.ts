import * as vscode from 'vscode';
import { ToolError } from '../../agent/tool.ts';
import type { ForeignPart } from '../../tools/foreign-result.ts';
import type { ForeignTools } from '../../tools/foreign-tools.ts';

const maxReasonLength = 300;

/**
 * Calls tools of other extensions and MCP servers through the editor. The editor asks for its own confirmation in
 * addition to ours, because a call from outside of its chat carries no token.
 */
export function createLmTools(): ForeignTools {
  return {
    list: () =>
      vscode.lm.tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        ...(inputSchema === undefined ? {} : { inputSchema }),
      })),
    async invoke(name, input, signal) {
      const source = new vscode.CancellationTokenSource();
      const cancel = () => source.cancel();
      signal.addEventListener('abort', cancel, { once: true });
      if (signal.aborted) cancel();
      try {
        const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, source.token);
        return result.content.map(toPart);
      } catch (error) {
        throw signal.aborted ? error : new ToolError(sentenceOf(name, error));
      } finally {
        signal.removeEventListener('abort', cancel);
        source.dispose();
      }
    },
  };
}

function toPart(part: unknown): ForeignPart {
  if (part instanceof vscode.LanguageModelTextPart) return { kind: 'text', text: part.value };
  if (part instanceof vscode.LanguageModelPromptTsxPart)
    return { kind: 'text', text: JSON.stringify(part.value) ?? '' };
  if (!(part instanceof vscode.LanguageModelDataPart)) return { kind: 'data', mediaType: '', bytes: new Uint8Array() };
  const { mimeType: mediaType, data: bytes } = part;
  if (/^text\/|json/.test(mediaType)) return { kind: 'text', text: new TextDecoder().decode(bytes) };
  return { kind: 'data', mediaType, bytes };
}

function sentenceOf(name: string, error: unknown): string {
  if (isCancellation(error)) return `The user declined ${name} when the editor asked.`;
  const reason = error instanceof Error ? error.message : String(error);
  return `${name} failed: ${reason.slice(0, maxReasonLength).toWellFormed()}`;
}

/** The name is checked too, because an error from the window keeps its name and loses its class. */
function isCancellation(error: unknown): boolean {
  return error instanceof vscode.CancellationError || (error instanceof Error && error.name === 'Canceled');
}
