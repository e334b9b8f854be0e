import type { Entry, FoundFile } from './customization.ts';
import { splitFrontMatter } from './front-matter.ts';
import { bareName, cleanText, flag, type Header, ignoredIn, textOf, typedName } from './header.ts';
import type { Found } from './kinds.ts';
import { createPathRule, globList } from './path-rule.ts';

/** Rules are cut only where they are sent, so that the user learns how much of them was cut. */
const maxBytes = 256 * 1024;

export function alwaysRule(file: FoundFile): readonly Found[] {
  return [ruleOf(file, () => ({ when: 'always' }))];
}

export interface PathRuleKind {
  key: 'applyTo' | 'paths' | 'globs';
  anywhere: boolean;
  without: 'always' | 'asked';
}

export function ruleByPath(kind: PathRuleKind): (file: FoundFile) => readonly Found[] {
  return (file) => [ruleOf(file, (header) => entryOf(header, kind))];
}

function entryOf(header: Header, { key, anywhere, without }: PathRuleKind): Entry {
  const always = flag(header, 'alwaysApply', false);
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
