import type { Place, WorkspaceRoot } from './workspace.ts';

/**
 * The editor's encodings; UTF-8 and UTF-16 the core reads and writes itself. Encodings have the names that VS Code
 * gives them: `utf8`, `windows1251`. `vscode/workspace/codec-adapter.ts` and plain Node in tests implement it.
 */
export interface Codec {
  /** How the editor reads this file. `open`: a document has it so, whatever its bytes and the settings say. */
  encodingOf(place: Place): Promise<{ encoding: string; open: boolean }>;
  /** The encoding that the settings give all files of this folder; undefined: it depends on each file. */
  settledEncoding(root: WorkspaceRoot): string | undefined;
  /** How the editor would write a new file of this text there. */
  encodingForNew(place: Place, text: string): Promise<string>;
  /** Bytes that mean nothing in the encoding become U+FFFD. Rejects with `ToolError` for what is no text. */
  decode(bytes: Uint8Array, encoding: string): Promise<string>;
  /**
   * As `decode`, in the encoding with which the editor would read a file there. Opens no document, and so does not tell
   * which encoding it was.
   */
  decodeAt(bytes: Uint8Array, place: Place): Promise<string>;
  /** Characters that the encoding does not have become others. */
  encode(text: string, encoding: string): Promise<Uint8Array>;
}
