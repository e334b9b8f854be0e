import type { Entry, FoundFile } from './customization.ts';
import { splitFrontMatter } from './front-matter.ts';
import { bareName, cleanText, flag, type Header, ignoredIn, textOf, typedName } from './header.ts';
import type { Found } from './kinds.ts';

export function readPrompt({ path, text }: FoundFile): readonly Found[] {
  const { values, body } = splitFrontMatter(text);
  const name = typedName(bareName(path));
  const clean = cleanText(body);
  const entry: Entry =
    name === ''
      ? { when: 'never', fault: 'name' }
      : clean === ''
        ? { when: 'never', fault: 'empty' }
        : { when: 'typed' };
  const description = textOf(values, 'description').slice(0, 200).toWellFormed();
  return [{ name, description, text: clean, entry, ignored: ignoredIn(values, body) }];
}

export function readContinuePrompt(file: FoundFile): readonly Found[] {
  const bare = /^\w+:[^\n]*\r?\n/.test(file.text) && file.text.slice(0, 8192).includes('\n---');
  const text = bare ? `---\n${file.text}` : file.text;
  const named = typedName(textOf(splitFrontMatter(text).values, 'name'));
  return readPrompt({ ...file, text }).map((one) => (named === '' ? one : { ...one, name: named }));
}

export const maxSkillBytes = 24 * 1024;

export function readSkill({ path, text }: FoundFile): readonly Found[] {
  const { values, body } = splitFrontMatter(text);
  const folder = path.split('/').at(-2) ?? '';
  const clean = cleanText(body, maxSkillBytes);
  const entry: Entry = clean === '' ? { when: 'never', fault: 'empty' } : skillEntry(values, folder);
  // Typed behind a slash, it is a part of the message as any other.
  const forks = textOf(values, 'context') === 'fork' && entry.when === 'typed' ? ['context: fork'] : [];
  const ignored = [...ignoredIn(values, body), ...forks];
  return [{ name: folder, description: textOf(values, 'description'), text: clean, entry, ignored }];
}

function skillEntry(header: Header, folder: string): Entry {
  const named = textOf(header, 'name') || folder;
  if (named !== folder || !/^[a-z0-9-]{1,64}$/.test(folder)) return { when: 'never', fault: 'name' };
  const typed = flag(header, 'user-invocable', true) !== false;
  const mayLoad = flag(header, 'disable-model-invocation', true) !== true && textOf(header, 'description') !== '';
  if (mayLoad) return { when: 'loaded', typed, ...(textOf(header, 'context') === 'fork' && { forks: true }) };
  return typed ? { when: 'typed' } : { when: 'never', fault: 'not-for-models' };
}
