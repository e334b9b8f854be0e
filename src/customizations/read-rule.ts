import type { Entry, FoundFile } from './customization.ts';
import { splitFrontMatter } from './front-matter.ts';
import { bareName, cleanText, flag, type Header, ignoredIn, textOf, typedName } from './header.ts';
import type { Found } from './kinds.ts';
import { createPathRule, globList } from './path-rule.ts';

/** Rules are cut only where they are sent, so that the user is told how much of them. */
const maxBytes = 256 * 1024;

/** A file whose text is in force whatever is worked on; a header is no part of it. */
export function alwaysRule(file: FoundFile): readonly Found[] {
  return [ruleOf(file, () => ({ when: 'always' }))];
}

export interface PathRuleKind {
  /** The key of the patterns in the header. */
  key: 'applyTo' | 'paths' | 'globs';
  /** A pattern without a slash holds in every folder. */
  anywhere: boolean;
  /** How a file is taken that says nothing of when it holds. */
  without: 'always' | 'asked';
}

/** A file that says in its header for which files it holds, or that it is to be asked for. */
export function ruleByPath(kind: PathRuleKind): (file: FoundFile) => readonly Found[] {
  return (file) => [ruleOf(file, (header) => entryOf(header, kind))];
}

function entryOf(header: Header, { key, anywhere, without }: PathRuleKind): Entry {
  const always = flag(header, 'alwaysApply');
  if (always === true) return { when: 'always' };
  const globs = globList(header.get(key));
  if (globs !== '') {
    const matches = createPathRule(globs, { anywhere, starIsAll: key === 'applyTo' });
    if (matches === undefined) return { when: 'never', fault: 'globs' };
    return matches === 'all' ? { when: 'always' } : { when: 'touched', globs, matches };
  }
  if (always === undefined && without === 'always') return { when: 'always' };
  return textOf(header, 'description') === '' ? { when: 'typed' } : { when: 'loaded', typed: true };
}

function ruleOf({ path, text }: FoundFile, entryFor: (header: Header) => Entry): Found {
  const { values, body } = splitFrontMatter(text);
  const clean = cleanText(body, maxBytes);
  return {
    name: typedName(bareName(path)),
    description: textOf(values, 'description'),
    text: clean,
    entry: clean === '' ? { when: 'never', fault: 'empty' } : entryFor(values),
    ignored: ignoredIn(values, body),
  };
}
