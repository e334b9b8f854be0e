export interface ColorCatalog {
  languages: Readonly<Record<string, string>>;
  grammars: readonly { scope: string; file: string; injectTo?: readonly string[] }[];
}

export interface ThemeRule {
  scope?: string | string[];
  settings: { foreground?: string; fontStyle?: string };
}

export interface ColorSetup {
  catalog: ColorCatalog;
  themes: Readonly<Record<string, string>>;
  customizations: unknown;
  brackets: boolean;
}

export interface ColorRequest {
  /** The id stays the same while the block grows. */
  block: string;
  language: string;
  theme: string;
  from: number;
  text: string;
}
