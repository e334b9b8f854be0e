import path from 'node:path';
import type { Random } from './random.ts';

export type Language = 'typescript' | 'python' | 'go';

export interface SourceOptions {
  language: Language;
  /** Relative path of the file to write. */
  file: string;
  /** The noun it is about. */
  subject: string;
  /** Earlier files of the same folder and language; they are imported. */
  siblings: readonly string[];
  random: Random;
}

const verbs = [
  'add',
  'apply',
  'count',
  'join',
  'keep',
  'limit',
  'move',
  'read',
  'round',
  'send',
  'sort',
  'split',
  'sum',
];
const details = [
  'amount',
  'city',
  'code',
  'country',
  'currency',
  'label',
  'owner',
  'quantity',
  'rate',
  'status',
  'weight',
];

/** A file of ten to a few hundred lines that reads like someone wrote it. */
export function writeSource(options: SourceOptions): string {
  switch (options.language) {
    case 'typescript':
      return typescript(options);
    case 'python':
      return python(options);
    case 'go':
      return go(options);
  }
}

function typescript({ file, subject, siblings, random }: SourceOptions): string {
  const type = capital(subject);
  const imports = siblings.map(
    (sibling, index) => `import * as part${index} from './${path.posix.basename(sibling)}';`,
  );
  const fields = chooseDetails(random).map((detail) => `  ${detail}: string;`);
  const functions = chooseNames(file, random).map(
    (name) => `/** Gives each ${subject} that passes, in the order it came. */
export function ${name}(items: readonly ${type}[]): ${type}[] {
  const limit = ${random.between(2, 500)};
  return items.filter((item, index) => index < limit && item.id !== '${random.between(1000, 9999)}');
}`,
  );
  const uses = siblings.map((_, index) => `part${index}`);
  const parts = uses.length > 0 ? [`export const parts = [${uses.join(', ')}];`] : [];
  const model = `export interface ${type} {\n  id: string;\n${fields.join('\n')}\n}`;
  return `${[...(imports.length > 0 ? [imports.join('\n')] : []), model, ...functions, ...parts].join('\n\n')}\n`;
}

function python({ file, subject, siblings, random }: SourceOptions): string {
  const imports = siblings.map((sibling) => `from . import ${path.posix.basename(sibling, '.py')}`);
  const fields = chooseDetails(random).map((detail) => `    ${detail}: str`);
  const model = `@dataclass\nclass ${capital(subject)}:\n    id: str\n${fields.join('\n')}`;
  const functions = chooseNames(file, random).map(
    (name) => `def ${name}(items):
    """Gives each ${subject} that passes, in the order it came."""
    limit = ${random.between(2, 500)}
    return [item for item in items[:limit] if item.id != "${random.between(1000, 9999)}"]`,
  );
  return `${['from dataclasses import dataclass', ...imports].join('\n')}\n\n\n${[model, ...functions].join('\n\n\n')}\n`;
}

function go({ file, subject, random }: SourceOptions): string {
  const type = `${capital(subject)}${random.between(1, 99999)}`;
  const fields = chooseDetails(random).map((detail) => `\t${capital(detail)} string`);
  const functions = chooseNames(file, random).map(
    (name) => `// ${capital(name)} gives each ${subject} that passes, in the order it came.
func ${capital(name)}(items []${type}) []${type} {
	kept := make([]${type}, 0, len(items))
	for index, item := range items {
		if index < ${random.between(2, 500)} && item.ID != "${random.between(1000, 9999)}" {
			kept = append(kept, item)
		}
	}
	return kept
}`,
  );
  const model = `type ${type} struct {\n\tID string\n${fields.join('\n')}\n}`;
  return `package ${path.posix.basename(path.posix.dirname(file))}\n\n${[model, ...functions].join('\n\n')}\n`;
}

function chooseDetails(random: Random): string[] {
  const first = random.between(0, details.length - 4);
  return details.slice(first, first + random.between(1, 4));
}

/** Distinct names; most files are short, a few are long. */
function chooseNames(file: string, random: Random): string[] {
  const count = random.next() < 0.05 ? random.between(20, 40) : random.between(1, 8);
  const base = capital(
    path.posix
      .basename(file)
      .replace(/\..*$/, '')
      .replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase()),
  );
  return Array.from({ length: count }, (_, index) => `${random.pick(verbs)}${base}${index === 0 ? '' : index}`);
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
