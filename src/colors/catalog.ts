/** Contributions of the installed extensions for languages and themes: names and absolute paths, no content. */
export interface ColorCatalog {
  /** From the names that a fence may give a language, in lower case, to the scope of its grammar. */
  languages: Readonly<Record<string, string>>;
  grammars: readonly { scope: string; file: string; injectTo?: readonly string[] }[];
}

/** A rule of a colour theme, as its file spells it. */
export interface ThemeRule {
  scope?: string | string[];
  settings: { foreground?: string; fontStyle?: string };
}

/** Everything that the colours depend on besides the code. */
export interface ColorSetup {
  catalog: ColorCatalog;
  /** Id of a theme as the settings name it → its file. */
  themes: Readonly<Record<string, string>>;
  /** The user's `editor.tokenColorCustomizations`, unchecked. */
  customizations: unknown;
  /** Whether brackets have the colour of their depth, as `editor.bracketPairColorization.enabled` says. */
  brackets: boolean;
}

/** The next complete lines of a block of code. */
export interface ColorRequest {
  /** Stable while the block grows. */
  block: string;
  /** As the fence names it. */
  language: string;
  theme: string;
  /** Index of the first line in `text`. */
  from: number;
  text: string;
}
