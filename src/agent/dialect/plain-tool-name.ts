const namespaces = /^(?:functions|default_api|tools|svc|mcp__ide_|mcp__vscode_)[._]/i;

/**
 * A tool's name without what agents and templates put around it: a namespace, an index, special tokens, capitals, `_`, `-`, `.`,
 * and `tool` at the end. `functions.Read_File:0` is `readfile`.
 */
export function plainToolName(name: string): string {
  const [bare = ''] = name.trim().split('<|');
  const plain = bare
    .replace(namespaces, '')
    .replace(/:\d+$/, '')
    .replaceAll(/[\s_.-]/g, '')
    .toLowerCase();
  return plain.length > 'tool'.length && plain.endsWith('tool') ? plain.slice(0, -'tool'.length) : plain;
}
