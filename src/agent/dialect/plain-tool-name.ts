const namespaces = /^(?:functions|default_api|tools|svc|mcp__ide_|mcp__vscode_)[._]/i;

/**
 * Strips what agents and templates put around a tool's name: a namespace, an index, special tokens, capitals, `_`,
 * `-`, `.`, and `tool` at the end. `functions.Read_File:0` becomes `readfile`.
 */
export function plainToolName(name: string): string {
  const [bare = ''] = name.trim().split('<');
  const plain = bare
    .replace(namespaces, '')
    .replace(/:\d+$/, '')
    .replaceAll(/[\s_.-]/g, '')
    .toLowerCase();
  return plain.length > 'tool'.length && plain.endsWith('tool') ? plain.slice(0, -'tool'.length) : plain;
}
