/**
 * Maps an argument's name to names from the tools of other agents, which models write out of habit. An entry counts
 * only in a tool that has this argument and none of the other name. Capitals, `_` and `-` never count.
 */
export const otherNames: Readonly<Record<string, readonly string[]>> = {
  path: [
    ...['file', 'filePath', 'fileName', 'targetFile', 'absolutePath', 'relativePath'],
    ...['directory', 'dir', 'dirPath', 'folder', 'oldPath', 'source', 'relativeWorkspacePath', 'targetDirectory'],
  ],
  newPath: ['destination', 'dest', 'to', 'newName', 'target'],
  startLine: [
    ...['offset', 'start', 'from', 'fromLine', 'line', 'lineNumber', 'lineStart', 'lineOffset'],
    'startLineOneIndexed',
  ],
  endLine: ['end', 'to', 'toLine', 'lineEnd', 'endLineOneIndexed', 'endLineOneIndexedInclusive'],
  line: ['lineNumber', 'startLine', 'row'],
  symbol: ['name', 'symbolName', 'identifier'],
  query: ['pattern', 'q', 'search', 'searchTerm', 'searchQuery', 'text', 'name', 'symbol'],
  pattern: ['query', 'glob', 'globPattern', 'filePattern', 'name', 'search'],
  glob: ['include', 'includePattern', 'filePattern', 'globPattern', 'fileGlob'],
  regex: ['isRegex', 'isRegexp', 'useRegex', 'regexp'],
  caseSensitive: ['matchCase', 'isCaseSensitive'],
  context: ['contextLines', 'linesOfContext'],
  edits: ['changes', 'replacements', 'diffs', 'blocks'],
  search: ['oldString', 'oldStr', 'oldText', 'old', 'find', 'original', 'searchText'],
  replace: ['newString', 'newStr', 'newText', 'new', 'replacement', 'replaceWith', 'updated'],
  replaceAll: ['allOccurrences', 'all', 'allowMultiple'],
  content: ['contents', 'fileText', 'text', 'fileContent'],
  command: ['cmd', 'commandLine', 'shellCommand'],
  cwd: ['workdir', 'workingDirectory', 'workingDir', 'directory', 'dir'],
  against: ['base', 'ref', 'since', 'branch', 'commit'],
  staged: ['cached', 'stagedOnly'],
  question: ['prompt', 'message', 'text'],
  options: ['choices', 'suggestions', 'answers', 'followUp'],
  items: ['todos', 'plan', 'steps', 'tasks', 'todoList'],
  text: ['content', 'title', 'step', 'task', 'name', 'label'],
  state: ['status'],
};

export const otherValues: Readonly<Record<string, readonly string[]>> = {
  pending: ['todo', 'notStarted', 'open', 'planned'],
  active: ['inProgress', 'current', 'doing', 'started'],
  done: ['completed', 'complete', 'finished'],
};

/** Returns whether an argument changes nothing: by its name, or because it is a list of tasks to tick off. */
export function isCommentary(name: string, value: unknown): boolean {
  const isTask = (line: string) => /^\s*[-*] \[[ xX]\] /.test(line);
  return commentary.includes(plainName(name)) || (typeof value === 'string' && value.trim().split('\n').every(isTask));
}

const commentary: readonly string[] = [
  ...['description', 'explanation', 'reason', 'reasoning', 'rationale', 'thought', 'thoughts', 'comment', 'summary'],
  ...['activeForm', 'id', 'priority'],
].map(plainName);

export function plainName(name: string): string {
  return name.replaceAll(/[_\-\s]/g, '').toLowerCase();
}

export function meantName(
  written: string,
  known: readonly string[],
  others: Readonly<Record<string, readonly string[]>>,
): string | undefined {
  if (known.includes(written)) return written;
  const plain = plainName(written);
  const same = known.filter((name) => plainName(name) === plain);
  const [one, ...more] =
    same.length > 0
      ? same
      : known.filter(
          (name) => Object.hasOwn(others, name) && others[name]?.some((other) => plainName(other) === plain),
        );
  return more.length === 0 ? one : undefined;
}
