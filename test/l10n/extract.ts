import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Argument, type CallExpression, parseSync, Visitor } from 'oxc-parser';

/** As VS Code's own bundles: the message by itself, or with what a translator should know. */
export type Bundle = Record<string, string | { message: string; comment: string[] }>;

const root = path.resolve(import.meta.dirname, '../..');
export const bundlePath = path.join(root, 'l10n/bundle.l10n.json');

/** Every message of `l10n.t(…)` in the host and in the pages, sorted by key. Throws where one is not a plain literal. */
export function extractBundle(): Bundle {
  const bundle: Bundle = {};
  const faults: string[] = [];
  for (const file of globSync(['src/**/*.ts', 'media/**/*.{ts,tsx}'], { cwd: root })) {
    const source = readFileSync(path.join(root, file), 'utf8');
    for (const { message, start } of messagesOf(file, source)) {
      if (message) bundle[message.key] = message.entry;
      else faults.push(`${file}:${source.slice(0, start).split('\n').length}`);
    }
  }
  if (faults.length > 0) throw new Error(`l10n.t() needs a whole sentence as a literal here:\n${faults.join('\n')}`);
  return Object.fromEntries(Object.entries(bundle).sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface Message {
  key: string;
  entry: Bundle[string];
}

/** The calls of one file; without `message` where the first argument cannot be read. */
export function messagesOf(file: string, source: string): { message: Message | undefined; start: number }[] {
  const found: { message: Message | undefined; start: number }[] = [];
  const visitor = new Visitor({
    CallExpression(call) {
      if (isTranslation(call)) found.push({ message: readMessage(call.arguments[0]), start: call.start });
    },
  });
  visitor.visit(parseSync(file, source).program);
  return found;
}

/** `l10n.t(…)` and `vscode.l10n.t(…)`. */
function isTranslation({ callee }: CallExpression): boolean {
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.name !== 't') return false;
  const { object } = callee;
  if (object.type === 'Identifier') return object.name === 'l10n';
  return object.type === 'MemberExpression' && !object.computed && object.property.name === 'l10n';
}

function readMessage(argument: Argument | undefined): Message | undefined {
  const text = literal(argument);
  if (text !== undefined) return { key: text, entry: text };
  if (argument?.type !== 'ObjectExpression') return undefined;
  const parts = new Map(
    argument.properties.map((property) =>
      property.type === 'Property' && property.key.type === 'Identifier'
        ? [property.key.name, property.value]
        : ['', undefined],
    ),
  );
  const message = literal(parts.get('message'));
  const comments = parts.get('comment');
  const list = comments?.type === 'ArrayExpression' ? comments.elements : [comments];
  const comment = list.flatMap((element) => literal(element) ?? []);
  if (message === undefined || comment.length === 0) return undefined;
  return { key: `${message}/${comment.join('')}`, entry: { message, comment } };
}

function literal(node: { type: string; value?: unknown } | null | undefined): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}
