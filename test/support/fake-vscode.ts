/**
 * The part of the editor that adapters need to be tested without one: values as VS Code has them, settings, and a person who answers. What is
 * missing here is undefined in the adapter. The real editor is in the tests of `test/host`.
 */
import { URI, Utils } from 'vscode-uri';

export * as l10n from '@vscode/l10n';

export class Disposable {
  readonly #end: () => void;
  constructor(end: () => void) {
    this.#end = end;
  }
  dispose() {
    this.#end();
  }
  static from(...parts: { dispose(): unknown }[]) {
    return new Disposable(() => {
      for (const part of parts) part.dispose();
    });
  }
}

export class EventEmitter<T> {
  #listeners = new Set<(value: T) => unknown>();
  event = (listener: (value: T) => unknown) => {
    this.#listeners.add(listener);
    return new Disposable(() => void this.#listeners.delete(listener));
  };
  fire(value: T) {
    for (const listener of [...this.#listeners]) listener(value);
  }
  dispose() {
    this.#listeners.clear();
  }
}

export class Position {
  readonly line: number;
  readonly character: number;
  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(...at: [Position, Position] | [number, number, number, number]) {
    const [start, end] = at.length === 2 ? at : [new Position(at[0], at[1]), new Position(at[2], at[3])];
    this.start = start;
    this.end = end;
  }
  get isEmpty() {
    return this.start.line === this.end.line && this.start.character === this.end.character;
  }
  intersection(other: Range) {
    const isBefore = (a: Position, b: Position) => a.line < b.line || (a.line === b.line && a.character < b.character);
    const start = isBefore(this.start, other.start) ? other.start : this.start;
    const end = isBefore(this.end, other.end) ? this.end : other.end;
    return isBefore(end, start) ? undefined : new Range(start, end);
  }
}

export class Selection extends Range {}

export class Location {
  readonly uri: Uri;
  readonly range: Range;
  constructor(uri: Uri, range: Range) {
    this.uri = uri;
    this.range = range;
  }
}

/** Addresses are VS Code's own: the package is the part of the editor that reads and writes them. */
export type Uri = URI;
export const Uri = Object.assign(URI, { joinPath: Utils.joinPath });

/** Collects what `applyEdit` is asked for. */
export class WorkspaceEdit {
  readonly replaced: { uri: Uri; range: Range; text: string }[] = [];
  readonly files: { uri: Uri; contents: Uint8Array | undefined }[] = [];
  get size() {
    return this.replaced.length;
  }
  replace(uri: Uri, range: Range, text: string) {
    this.replaced.push({ uri, range, text });
  }
  createFile(uri: Uri, { contents = new Uint8Array() }: { contents?: Uint8Array }) {
    this.files.push({ uri, contents });
  }
  deleteFile(uri: Uri) {
    this.files.push({ uri, contents: undefined });
  }
}

export class FileSystemError extends Error {
  readonly code = 'FileNotFound';
}
export class RelativePattern {
  readonly base: Uri;
  readonly pattern: string;
  constructor(base: Uri, pattern: string) {
    this.base = base;
    this.pattern = pattern;
  }
}
export class ThemeIcon {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}
export class ThemeColor {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}
export class MarkdownString {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}
export class TreeItem {
  readonly label: string;
  readonly collapsibleState: number;
  constructor(label: string, collapsibleState = 0) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}
export class TabInputText {
  readonly uri: Uri;
  constructor(uri: Uri) {
    this.uri = uri;
  }
}
export class TabInputWebview {
  readonly viewType: string;
  constructor(viewType: string) {
    this.viewType = viewType;
  }
}
export class CodeActionKind {
  static readonly Empty = new CodeActionKind('');
  static readonly QuickFix = new CodeActionKind('quickfix');
  static readonly RefactorRewrite = new CodeActionKind('refactor.rewrite');
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
  append(part: string) {
    return new CodeActionKind(this.value === '' ? part : `${this.value}.${part}`);
  }
  contains(other: CodeActionKind) {
    return this.value === '' || other.value === this.value || other.value.startsWith(`${this.value}.`);
  }
}
export class CodeAction {
  command?: { command: string };
  readonly title: string;
  readonly kind: CodeActionKind;
  constructor(title: string, kind: CodeActionKind) {
    this.title = title;
    this.kind = kind;
  }
}

export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 };
export const ViewColumn = { Active: -1, Beside: -2, One: 1 };
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const StatusBarAlignment = { Left: 1, Right: 2 };
export const InputBoxValidationSeverity = { Info: 1, Warning: 2, Error: 3 };
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 };
export const ColorThemeKind = { Light: 1, Dark: 2, HighContrast: 3, HighContrastLight: 4 };
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 };
export const TextDocumentChangeReason = { Undo: 1, Redo: 2 };
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };

/** A text that is open, with what adapters ask of it. */
export function createDocument(path: string, text: string, languageId = 'typescript') {
  const lines = text.split('\n');
  return {
    ...{ uri: Uri.file(path), languageId, lineCount: lines.length, isUntitled: false, isClosed: false },
    lineAt: (line: number) => ({
      text: lines[line] ?? '',
      range: new Range(line, 0, line, lines[line]?.length ?? 0),
    }),
    getText(range?: Range) {
      if (range === undefined) return text;
      const { start, end } = range;
      const within = lines.slice(start.line, end.line + 1);
      const last = within.length - 1;
      return within
        .map((one, at) => one.slice(at === 0 ? start.character : 0, at === last ? end.character : undefined))
        .join('\n');
    },
  };
}

interface Message {
  kind: 'information' | 'warning' | 'error';
  text: string;
  detail?: string;
  buttons: string[];
}

type Row = { label: string } & Record<string, unknown>;

/** An input box or a list, with what the person does to it. */
function createBox() {
  const [changed, accepted, hidden, triggered, selected, pressed] = Array.from(
    { length: 6 },
    () => new EventEmitter<never>(),
  );
  const box = {
    value: '',
    enabled: true,
    busy: false,
    items: [] as Row[],
    activeItems: [] as Row[],
    selectedItems: [] as Row[],
    isShown: false,
    isDisposed: false,
    onDidChangeValue: changed?.event,
    onDidAccept: accepted?.event,
    onDidHide: hidden?.event,
    onDidTriggerItemButton: triggered?.event,
    onDidChangeSelection: selected?.event,
    onDidTriggerButton: pressed?.event,
    buttons: [] as { tooltip?: string }[],
    show() {
      box.isShown = true;
    },
    hide() {
      if (!box.isShown) return;
      box.isShown = false;
      hidden?.fire(undefined as never);
    },
    dispose() {
      box.isDisposed = true;
    },
    /** The person types, or picks, and presses Enter. */
    type(text: string) {
      box.value = text;
      changed?.fire(text as never);
    },
    pick(row: Row | undefined) {
      box.activeItems = box.selectedItems = row ? [row] : [];
      accepted?.fire(undefined as never);
    },
    enter: () => accepted?.fire(undefined as never),
    /** A button of the list itself. */
    pressOwn: (tooltip: RegExp) =>
      pressed?.fire(box.buttons.find((button) => tooltip.test(button.tooltip ?? '')) as never),
    press: (item: Row, button: unknown) => triggered?.fire({ item, button } as never),
  };
  return box as typeof box & Record<string, unknown>;
}

/** A webview in a tab or in the side bar, with what its page and the person do. */
export function createWebview(at: { viewType?: string; title?: string; viewColumn?: number; options?: object } = {}) {
  const messages = new EventEmitter<unknown>();
  const states = new EventEmitter<unknown>();
  const ends = new EventEmitter<void>();
  const posted: { type: string }[] = [];
  const panel = {
    ...at,
    title: at.title ?? '',
    description: undefined as string | undefined,
    badge: undefined as { value: number; tooltip: string } | undefined,
    visible: true,
    reveals: 0,
    isDisposed: false,
    posted,
    webview: {
      options: at.options ?? {},
      html: '',
      cspSource: 'self:',
      asWebviewUri: (uri: Uri) => uri,
      onDidReceiveMessage: messages.event,
      postMessage: async (message: { type: string }) => posted.push(message) > 0,
    },
    onDidChangeViewState: states.event,
    onDidChangeVisibility: states.event,
    onDidDispose: ends.event,
    reveal() {
      panel.reveals++;
    },
    dispose() {
      if (panel.isDisposed) return;
      panel.isDisposed = true;
      panel.visible = false;
      ends.fire();
    },
    /** The page says something. */
    say: (message: unknown) => messages.fire(message),
    setVisible(visible: boolean) {
      panel.visible = visible;
      states.fire(undefined);
    },
  };
  return panel;
}

/** Whoever sits at the editor: what they were shown, and how they answer. To be set anew for each test. */
export const person = {
  messages: [] as Message[],
  ran: [] as unknown[][],
  boxes: [] as ReturnType<typeof createBox>[],
  panels: [] as ReturnType<typeof createWebview>[],
  documents: [] as unknown[],
  clipboard: '',
  opened: [] as string[],
  written: new Map<string, string>(),
  statuses: [] as string[],
  /** The button of a message; a row or rows of a list; a text. Escape unless said otherwise. */
  answer: (_message: Message): string | undefined => undefined,
  pick: (_rows: readonly Row[], _options: Record<string, unknown>): unknown => undefined,
  write: (_options: Record<string, unknown>): string | undefined => undefined,
  choose: (_options: Record<string, unknown>): unknown => undefined,
  run: (..._command: unknown[]): unknown => undefined,
};

interface Setting {
  defaultValue?: unknown;
  globalValue?: unknown;
  workspaceValue?: unknown;
  /** No extension contributes it: VS Code reads it and does not write it. */
  isUnknown?: true;
}

const openTextDocument = async (what: unknown) => what;

/** By full name. */
export const settings = new Map<string, Setting>();
const configurationChanged = new EventEmitter<{ affectsConfiguration(name: string): boolean }>();
const windowStateChanged = new EventEmitter<{ focused: boolean }>();
const tabsChanged = new EventEmitter<void>();
const untouched = { ...person };

/** As if nobody had touched anything. */
export function reset(): void {
  Object.assign(person, untouched, {
    ...{ messages: [], ran: [], boxes: [], panels: [], documents: [], opened: [], statuses: [] },
    written: new Map(),
  });
  settings.clear();
  Object.assign(window, {
    state: { focused: true },
    activeTextEditor: undefined,
    activeTerminal: undefined,
    visibleTextEditors: [],
    tabGroups: { all: [], onDidChangeTabs: tabsChanged.event },
  });
  Object.assign(workspace, { workspaceFolders: undefined, isTrusted: true, fs: fileSystem, openTextDocument });
  Object.assign(languages, { getDiagnostics: () => [] });
  Object.assign(extensions, { all: [] });
}

/** A setting as the person, or the folder, wrote it. */
export function set(name: string, setting: Setting): void {
  settings.set(name, { ...settings.get(name), ...setting });
  configurationChanged.fire({ affectsConfiguration: (asked) => name === asked || name.startsWith(`${asked}.`) });
}

export function focusWindow(focused: boolean): void {
  window.state.focused = focused;
  windowStateChanged.fire({ focused });
}

export function changeTabs(): void {
  tabsChanged.fire();
}

const effective = ({ defaultValue, globalValue, workspaceValue }: Setting = {}) =>
  workspaceValue ?? globalValue ?? defaultValue;

function getConfiguration(section?: string) {
  const nameOf = (key: string) => (section === undefined ? key : `${section}.${key}`);
  const values: Record<string, unknown> = {};
  for (const [name, setting] of settings) {
    if (section === undefined || !name.startsWith(`${section}.`)) continue;
    const path = name.slice(section.length + 1).split('.');
    let at = values;
    for (const part of path.slice(0, -1)) {
      at[part] ??= {};
      at = at[part] as Record<string, unknown>;
    }
    at[path.at(-1) ?? ''] = effective(setting);
  }
  return {
    ...values,
    get: (key: string, other?: unknown) => {
      const found = settings.get(nameOf(key));
      return found?.globalValue === null ? null : (effective(found) ?? other);
    },
    inspect(key: string) {
      const { globalValue, ...found } = settings.get(nameOf(key)) ?? {};
      // As VS Code does: a `null` is left out.
      return { ...found, ...(globalValue !== null && { globalValue }) };
    },
    async update(key: string, value: unknown, target: number) {
      if (settings.get(nameOf(key))?.isUnknown) throw new Error(`${key} is not a registered configuration`);
      set(nameOf(key), target === ConfigurationTarget.Workspace ? { workspaceValue: value } : { globalValue: value });
    },
  };
}

const ask =
  (kind: Message['kind']) =>
  async (text: string, ...rest: unknown[]): Promise<string | undefined> => {
    const [options] = rest.filter((one) => typeof one === 'object') as { detail?: string }[];
    const buttons = rest.filter((one) => typeof one === 'string');
    const message = { kind, text, buttons, ...(options?.detail !== undefined && { detail: options.detail }) };
    person.messages.push(message);
    const answer = person.answer(message);
    if (answer !== undefined && !buttons.includes(answer)) throw new Error(`there is no button ${answer}`);
    return answer;
  };

const open = <T>(made: T, list: T[]): T => {
  list.push(made);
  return made;
};

export const window = {
  activeTextEditor: undefined as unknown,
  activeTerminal: undefined as unknown,
  visibleTextEditors: [] as unknown[],
  activeColorTheme: { kind: ColorThemeKind.Dark },
  tabGroups: { all: [] as unknown[], onDidChangeTabs: tabsChanged.event },
  state: { focused: true },
  onDidChangeWindowState: windowStateChanged.event,
  showInformationMessage: ask('information'),
  showWarningMessage: ask('warning'),
  showErrorMessage: ask('error'),
  showQuickPick: async (rows: Row[] | Promise<Row[]>, options = {}) => person.pick(await rows, options),
  showInputBox: async (options: Record<string, unknown>) => person.write(options),
  showSaveDialog: async (options: Record<string, unknown>) => person.choose(options),
  showOpenDialog: async (options: Record<string, unknown>) => person.choose(options),
  showTextDocument: async (document: unknown) => void person.documents.push(document),
  setStatusBarMessage: (text: string) => void person.statuses.push(text),
  withProgress: async (_options: unknown, work: (progress: object, token: object) => unknown) =>
    work({ report: () => undefined }, { onCancellationRequested: () => ({ dispose: () => undefined }) }),
  createInputBox: () => open(createBox(), person.boxes),
  createQuickPick: () => open(createBox(), person.boxes),
  createWebviewPanel: (viewType: string, title: string, column: number | { viewColumn: number }, options: object) =>
    open(
      createWebview({ viewType, title, viewColumn: typeof column === 'number' ? column : column.viewColumn, options }),
      person.panels,
    ),
  createStatusBarItem() {
    const item = {
      isShown: false,
      show: () => void Object.assign(item, { isShown: true }),
      hide: () => void Object.assign(item, { isShown: false }),
      dispose: () => undefined,
    };
    return open(item, bars);
  },
};
/** Items of the status bar. */
export const bars: Record<string, unknown>[] = [];

export const commands = {
  async executeCommand(...command: unknown[]) {
    person.ran.push(command);
    return person.run(...command);
  },
};

/** Files in memory: `person.written`. */
const fileSystem = {
  async readFile({ path }: Uri) {
    const text = person.written.get(path);
    if (text === undefined) throw new FileSystemError(path);
    return Buffer.from(text);
  },
  writeFile: async ({ path }: Uri, bytes: Uint8Array) =>
    void person.written.set(path, Buffer.from(bytes).toString('utf8')),
  stat: async ({ path }: Uri) => {
    const text = person.written.get(path);
    const isFolder = [...person.written.keys()].some((file) => file.startsWith(`${path}/`));
    if (text === undefined && !isFolder) throw new FileSystemError(path);
    return { type: isFolder ? FileType.Directory : FileType.File, size: text?.length ?? 0 };
  },
  delete: async ({ path }: Uri) => void person.written.delete(path),
  isWritableFileSystem: () => true,
};

export const workspace = {
  workspaceFolders: undefined as unknown,
  isTrusted: true,
  fs: fileSystem,
  getConfiguration,
  onDidChangeConfiguration: configurationChanged.event,
  getWorkspaceFolder: (uri: Uri) =>
    ((workspace.workspaceFolders ?? []) as { uri: Uri }[]).find((folder) => uri.path.startsWith(`${folder.uri.path}/`)),
  asRelativePath: (uri: Uri) => {
    const folder = workspace.getWorkspaceFolder(uri);
    return folder ? uri.path.slice(folder.uri.path.length + 1) : uri.path;
  },
  openTextDocument,
};

export const env = {
  language: 'en',
  clipboard: {
    writeText: async (text: string) => {
      person.clipboard = text;
    },
    readText: async () => person.clipboard,
  },
  openExternal: async (uri: Uri) => person.opened.push(uri.toString()) > 0,
};

export const languages = { getDiagnostics: (_uri?: Uri): unknown[] => [] };
export const extensions = { all: [] as unknown[] };
