import { parseSync } from 'oxc-parser';
import { isReferenceIdentifier, ScopeTracker, walk } from 'oxc-walker';

type Node = Parameters<typeof walk>[0];

interface Late {
  names: Set<string>;
  /** From the end of the first closure to the last declaration it names. */
  from: number;
  to: number;
}

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/**
 * The functions of a source file that hold a closure over a name which they declare further down, each as
 * `function: names`, with a mark where an `await` stands between. Whoever calls such a closure too early gets an exception
 * instead of a value, and neither the compiler nor a test that builds everything sees it. Hoisted functions may be named
 * before they stand, and what a module declares exists before anything of it is called.
 */
export function laterNames(file: string, text: string): string[] {
  const { program } = parseSync(file, text);
  const scopeTracker = new ScopeTracker({ preserveExitedScopes: true });
  walk(program, { scopeTracker });
  scopeTracker.freeze();
  /** Around the node at hand, the innermost last, each with the name it was given. */
  const around: { node: Node; name: string }[] = [];
  const waits: { of: Node | undefined; at: number }[] = [];
  const found = new Map<Node, Late & { name: string }>();
  const note = (name: string, at: number) => {
    const declared = scopeTracker.getDeclaration(name);
    if (declared?.type !== 'Variable' || declared.node.start <= at) return;
    const within = ({ node }: { node: Node }) => node.start < declared.node.start && declared.node.end <= node.end;
    const index = around.findLastIndex(within);
    const [outer, closure] = [around[index], around[index + 1]];
    // Without a function between, the compiler itself refuses it.
    if (outer === undefined || closure === undefined) return;
    const late = found.get(outer.node) ?? { name: outer.name, names: new Set(), from: closure.node.end, to: 0 };
    late.names.add(name);
    late.to = Math.max(late.to, declared.node.start);
    found.set(outer.node, late);
  };
  walk(program, {
    scopeTracker,
    enter(node, parent) {
      if (functionTypes.has(node.type)) around.push({ node, name: nameOf(node, parent) });
      if (node.type === 'AwaitExpression') waits.push({ of: around.at(-1)?.node, at: node.start });
      const isValue =
        node.type === 'Identifier' && isReferenceIdentifier(node, parent) && parent?.type !== 'TSTypeQuery';
      if (isValue) note(node.name, node.start);
    },
    leave(node) {
      if (functionTypes.has(node.type)) around.pop();
    },
  });
  return [...found].map(([holder, { name, names, from, to }]) => {
    const waited = waits.some(({ of, at }) => of === holder && at > from && at < to);
    return `${name}: ${[...names].join(', ')}${waited ? ' (waits between)' : ''}`;
  });
}

function nameOf(node: Node, parent: Node | null): string {
  if ('id' in node && node.id && 'name' in node.id) return String(node.id.name);
  if (parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier') return parent.id.name;
  if (parent?.type === 'Property' && parent.key.type === 'Identifier') return parent.key.name;
  return 'a function';
}
