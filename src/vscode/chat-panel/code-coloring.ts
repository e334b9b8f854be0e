import * as vscode from 'vscode';
import type { Event } from '../../base/emitter.ts';
import type { ColorCatalog, ColorRequest } from '../../colors/catalog.ts';
import { type ColorWorker, createColorWorker } from '../../colors/color-worker.ts';
import type { Log } from '../host/log.ts';

/**
 * Colors code as the editor would, with the user's theme and grammars. Nothing is read or started before the first
 * code.
 */
export interface CodeColoring extends vscode.Disposable, Pick<ColorWorker, 'color'> {
  /** Fires when the theme's rules or the grammars changed. The panel itself notices another theme. */
  onDidChange: Event;
}

const customizationsName = 'editor.tokenColorCustomizations';
const bracketsName = 'editor.bracketPairColorization.enabled';

export function createCodeColoring(extensionUri: vscode.Uri, log: Pick<Log, 'error'>): CodeColoring {
  const changed = new vscode.EventEmitter<void>();
  const inDist = (file: string) => vscode.Uri.joinPath(extensionUri, 'dist', file).fsPath;
  const worker = createColorWorker({
    thread: inDist('color-thread.js'),
    wasm: inDist('onig.wasm.br'),
    setup: () => ({
      catalog: readCatalog(),
      themes: readThemes(),
      customizations: plainSetting(customizationsName),
      brackets: vscode.workspace.getConfiguration().get(bracketsName, true),
    }),
    log,
  });
  const change = () => {
    worker.restart();
    changed.fire();
  };
  const listening = [
    vscode.extensions.onDidChange(change),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(customizationsName) || event.affectsConfiguration(bracketsName)) change();
    }),
  ];
  return {
    // Only its own fields go to the thread.
    color: ({ block, language, theme, from, text }: ColorRequest) =>
      worker.color({ block, language, theme: knownTheme(theme), from, text }),
    onDidChange: changed.event,
    dispose() {
      worker.dispose();
      vscode.Disposable.from(changed, ...listening).dispose();
    },
  };
}

interface Contributions {
  languages?: { id?: string; aliases?: string[]; extensions?: string[] }[];
  grammars?: { language?: string; scopeName?: string; path?: string; injectTo?: string[] }[];
  themes?: { id?: string; label?: string; uiTheme?: string; path?: string }[];
}

function contributions(): { extension: vscode.Extension<unknown>; contributes: Contributions }[] {
  return vscode.extensions.all.map((extension) => ({
    extension,
    contributes: (extension.packageJSON as { contributes?: Contributions }).contributes ?? {},
  }));
}

function fileOf(extension: vscode.Extension<unknown>, path: string): string {
  return vscode.Uri.joinPath(extension.extensionUri, path).fsPath;
}

/** A later extension overrides an earlier one, as in VS Code. */
function readCatalog(): ColorCatalog {
  const scopes = new Map<string, string>();
  const names = languageNames();
  const grammars = new Map<string, ColorCatalog['grammars'][number]>();
  for (const { extension, contributes } of contributions()) {
    for (const { language, scopeName: scope, path, injectTo } of listOf(contributes.grammars)) {
      if (scope === undefined || path === undefined) continue;
      grammars.set(scope, { scope, file: fileOf(extension, path), injectTo });
      if (language !== undefined) scopes.set(language, scope);
    }
  }
  const languages: Record<string, string> = {};
  for (const [name, id] of [...names, ...[...scopes.keys()].map((id) => [id.toLowerCase(), id] as const)]) {
    const scope = scopes.get(id);
    if (scope !== undefined) languages[name] = scope;
  }
  return { languages, grammars: [...grammars.values()] };
}

export function languageIdOf(name: string): string | undefined {
  const wanted = name.toLowerCase();
  const names = languageNames();
  return [...names.values()].includes(wanted) ? wanted : names.get(wanted);
}

function languageNames(): Map<string, string> {
  const names = new Map<string, string>();
  for (const { contributes } of contributions()) {
    for (const { id, aliases, extensions } of listOf(contributes.languages)) {
      if (id === undefined) continue;
      const endings = listOf(extensions).map((ending) => ending.replace(/^\./, ''));
      // A language's own name wins over another's alias, an alias over a file's ending.
      for (const ending of endings) if (!names.has(ending.toLowerCase())) names.set(ending.toLowerCase(), id);
      for (const alias of listOf(aliases)) names.set(alias.toLowerCase(), id);
    }
  }
  return names;
}

function readThemes(): Record<string, string> {
  const themes: Record<string, string> = {};
  for (const { extension, contributes } of contributions()) {
    for (const { id, label, path } of listOf(contributes.themes)) {
      const name = id ?? label;
      if (name !== undefined && path !== undefined) themes[name] = fileOf(extension, path);
    }
  }
  return themes;
}

/**
 * A theme that is installed only where the window runs cannot be read here, so VS Code's own theme of the same kind
 * is used.
 */
function knownTheme(theme: string): string {
  const all = contributions().flatMap(({ contributes }) => listOf(contributes.themes));
  if (all.some(({ id, label }) => (id ?? label) === theme)) return theme;
  const kind = vscode.window.activeColorTheme.kind;
  const standIn = all.find(({ uiTheme }) => uiTheme === uiThemes[kind]);
  return standIn?.id ?? standIn?.label ?? theme;
}

const uiThemes: Record<vscode.ColorThemeKind, string> = {
  [vscode.ColorThemeKind.Light]: 'vs',
  [vscode.ColorThemeKind.Dark]: 'vs-dark',
  [vscode.ColorThemeKind.HighContrast]: 'hc-black',
  [vscode.ColorThemeKind.HighContrastLight]: 'hc-light',
};

/** Settings are proxies, which cannot be posted to a worker thread. */
function plainSetting(name: string): unknown {
  return JSON.parse(JSON.stringify(vscode.workspace.getConfiguration().get(name) ?? {}));
}

/** Nobody checks the manifests of other extensions, so any value may be there. */
function listOf<T>(value: readonly T[] | undefined): readonly T[] {
  return Array.isArray(value) ? value : [];
}
