import type { Place, WorkspaceRoot } from './workspace.ts';

/**
 * Reads and writes the editor's encodings, which have VS Code's names: `utf8`, `windows1251`. The core handles UTF-8
 * and UTF-16 itself.
 */
export interface Codec {
  /**
   * Resolves with how the editor reads this file. `open` means that an open document has this encoding, whatever its
   * bytes and the settings say.
   */
  encodingOf(place: Place): Promise<{ encoding: string; open: boolean }>;
  settledEncoding(root: WorkspaceRoot): string | undefined;
  encodingForNew(place: Place, text: string): Promise<string>;
  /** Replaces bytes that are invalid in the encoding by U+FFFD. Rejects with `ToolError` for what is no text. */
  decode(bytes: Uint8Array, encoding: string): Promise<string>;
  /**
   * Decodes in the encoding with which the editor would read a file there. It opens no document, so it cannot report
   * which encoding that was.
   */
  decodeAt(bytes: Uint8Array, place: Place): Promise<string>;
  /** Silently replaces characters that the encoding does not have. */
  encode(text: string, encoding: string): Promise<Uint8Array>;
}
