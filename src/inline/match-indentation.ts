/** `\t`, or that many spaces. */
type Unit = '\t' | number;

/**
 * The lines of a replacement, indented as the part that they replace. Models like to begin at the margin and to write spaces
 * for tabs: a whole answer without the indentation that all of the part has gets it back, and one in the other style is
 * turned into that of the part, else of the lines around it.
 */
export function matchIndentation(
  lines: readonly string[],
  scope: readonly string[],
  around: readonly string[],
): string[] {
  return withCommonIndent(inStyleOf(lines, scope, around), scope);
}

function inStyleOf(lines: readonly string[], scope: readonly string[], around: readonly string[]): string[] {
  const wanted = unitOf(scope) ?? unitOf(around);
  const written = unitOf(lines);
  if (wanted === undefined || written === undefined || (wanted === '\t') === (written === '\t')) return [...lines];
  const one = wanted === '\t' ? '\t' : ' '.repeat(wanted);
  return lines.map((line) => {
    const indent = indentOf(line);
    const levels = written === '\t' ? indent.length : Math.floor(indent.length / written);
    const rest = written === '\t' ? '' : indent.slice(levels * written);
    return one.repeat(levels) + rest + line.slice(indent.length);
  });
}

/** Undefined when no line is indented, and when both are in use. */
function unitOf(lines: readonly string[]): Unit | undefined {
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map(indentOf)
    .filter((indent) => indent !== '');
  if (indents.length === 0) return undefined;
  if (indents.every((indent) => /^\t+$/.test(indent))) return '\t';
  if (!indents.every((indent) => /^ +$/.test(indent))) return undefined;
  const depths = [0, ...indents.map(({ length }) => length)];
  // A step of one is the second line of a block comment.
  const steps = depths.slice(1).flatMap((depth, at) => {
    const step = Math.abs(depth - (depths[at] ?? 0));
    return step > 1 ? [step] : [];
  });
  return steps.length === 0 ? undefined : Math.min(...steps);
}

function withCommonIndent(lines: readonly string[], scope: readonly string[]): string[] {
  const missing = commonIndent(scope);
  if (missing === '' || commonIndent(lines) !== '') return [...lines];
  return lines.map((line) => (line.trim() === '' ? line : `${missing}${line}`));
}

function commonIndent(lines: readonly string[]): string {
  const [first = '', ...others] = lines.filter((line) => line.trim() !== '').map(indentOf);
  return others.reduce((common, indent) => {
    let length = 0;
    while (length < common.length && common[length] === indent[length]) length++;
    return common.slice(0, length);
  }, first);
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
