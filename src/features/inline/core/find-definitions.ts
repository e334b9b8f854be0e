import { ignoreToolError } from '../../../agent/tool.ts';
import type { Clock } from '../../../base/clock.ts';
import { resolveReadPlace } from '../../../files/read-place.ts';
import { readText } from '../../../files/read-text.ts';
import { displayPath, type Files, type Place, type Workspace } from '../../../files/workspace.ts';
import type { Language, Location } from '../../../tools/language/language.ts';
import type { NamedText } from './edit-request.ts';

export interface DefinitionDeps {
  workspace: Workspace;
  files: Files;
  language: Pick<Language, 'definitions' | 'symbols'>;
  clock: Pick<Clock, 'after'>;
}

export interface DefinitionAsk {
  place: Place;
  lines: readonly string[];
  /** `part` is rewritten and `sent` goes to the model; lines count from 0, and both ends are included. */
  part: { first: number; last: number };
  sent: { first: number; last: number };
  names: readonly string[];
}

/** A longer wait would be felt before every edit. */
const maxMs = 300;
const maxFound = 5;
const maxAsked = 12;
const maxLines = 30;
const maxCharacters = 6000;
const maxFileBytes = 2 * 1024 * 1024;

/**
 * Finds the first lines of definitions that the part uses and that are not sent with it. It asks the editor's
 * language features, which costs nothing, and skips files that would need an approval. What does not come in time is
 * left out. Never rejects.
 */
export async function findDefinitions(deps: DefinitionDeps, ask: DefinitionAsk): Promise<readonly NamedText[]> {
  if (!deps.workspace.isTrusted()) return [];
  const found: NamedText[] = [];
  const inTime = Promise.withResolvers<void>();
  const cancel = deps.clock.after(maxMs, inTime.resolve);
  await Promise.race([collect(deps, ask, found).catch(inTime.resolve), inTime.promise]);
  cancel();
  return withinBudget([...found]);
}

async function collect(deps: DefinitionDeps, ask: DefinitionAsk, found: NamedText[]): Promise<void> {
  const seen = new Set<string>();
  const add = async (locations: readonly Location[]) => {
    const [location] = locations.filter((one) => one.place !== undefined && !isSent(one, ask));
    if (location?.place === undefined) return;
    const key = `${location.place.root.uri} ${location.place.path} ${location.line}`;
    if (seen.has(key)) return;
    seen.add(key);
    const shown = await declarationAt(deps, location.place, location.line).catch(ignoreToolError);
    if (shown !== undefined && found.length < maxFound) found.push(shown);
  };
  const named = ask.names.map(async (name) => {
    const all = await deps.language.symbols(name);
    await add(all.filter(({ symbol }) => symbol.split('(', 1)[0] === name));
  });
  const used = namesIn(ask).map(async ({ line, column }) =>
    add(await deps.language.definitions(ask.place, line, column)),
  );
  await Promise.allSettled([...named, ...used]);
}

function isSent({ place, line }: Location, { place: own, sent }: DefinitionAsk): boolean {
  const isHere = place?.root.uri === own.root.uri && place.path === own.path;
  return isHere && line - 1 >= sent.first && line - 1 <= sent.last;
}

export const reserved =
  /^(?:abstract|and|any|as|async|await|bool|boolean|break|case|catch|char|class|const|continue|def|default|delete|do|double|elif|else|end|enum|except|export|extends|false|final|finally|float|fn|for|from|func|function|if|impl|implements|import|in|instanceof|int|interface|is|lambda|let|long|match|mod|module|mut|namespace|never|new|nil|none|not|null|number|object|of|or|override|package|pass|private|protected|pub|public|raise|readonly|ref|return|self|static|string|struct|super|switch|this|throw|throws|trait|true|try|type|typeof|undefined|unknown|use|using|var|void|where|while|with|yield)$/i;

function namesIn({ lines, part }: DefinitionAsk): { line: number; column: number }[] {
  const places = new Map<string, { line: number; column: number }>();
  for (let at = part.first; at <= Math.min(part.last, lines.length - 1); at++) {
    const code = (lines[at] ?? '').replace(/(["'`])(?:\\.|(?!\1).)*\1/g, (text) => ' '.repeat(text.length));
    const [bare = ''] = code.split(/\/\/|^\s*[#*]/, 1);
    for (const match of bare.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
      const [name] = match;
      const isCall = bare[match.index + name.length] === '(';
      const isDistinctive = name.length > 2 && !reserved.test(name) && (isCall || /^\p{Lu}/u.test(name));
      if (isDistinctive && !places.has(name)) places.set(name, { line: at + 1, column: match.index + 1 });
    }
  }
  return [...places.values()].slice(0, maxAsked);
}

async function declarationAt(
  { workspace, files }: DefinitionDeps,
  place: Place,
  line: number,
): Promise<NamedText | undefined> {
  const target = await resolveReadPlace({ workspace, files }, displayPath(workspace, place), 'file');
  if (target.approval !== undefined) return undefined;
  const read = await readText({ workspace, files }, target.place, { max: maxFileBytes, checked: target.checked });
  if (read.text === undefined) return undefined;
  const lines = read.text.split(/\r?\n/).slice(line - 1, line - 1 + maxLines);
  return { name: `${target.shown}:${line}`, text: declaration(lines).join('\n') };
}

function declaration(lines: readonly string[]): readonly string[] {
  const depthOf = (line: string) => line.length - line.trimStart().length;
  const depth = depthOf(lines[0] ?? '');
  const end = lines.findIndex((line, at) => at > 0 && line.trim() !== '' && depthOf(line) <= depth);
  if (end < 0) return lines;
  return lines.slice(0, /^\s*(?:[)}\]]|end\b)/.test(lines[end] ?? '') ? end + 1 : Math.max(1, end));
}

function withinBudget(found: readonly NamedText[]): NamedText[] {
  let left = maxCharacters;
  return found.filter(({ text }) => {
    left -= text.length;
    return left >= 0;
  });
}
