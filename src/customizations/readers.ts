import type { AgentSpec } from './agent-spec.ts';
import type { Entry, FoundFile } from './customization.ts';
import { splitFrontMatter } from './front-matter.ts';
import { bareName, cleanText, commandNameOf, flag, type Header, ignoredIn, textOf, wordsOf } from './header.ts';
import type { Found } from './kinds.ts';
import { createPathRule, globList } from './path-rule.ts';

interface Form {
  entry(header: Header, name: string): Entry;
  nameOf?(header: Header, path: string): string;
  needsName?: true;
  maxBytes?: number;
  maxDescription?: number;
}

type Reader = (file: FoundFile) => readonly Found[];

function reader({ entry, nameOf = nameOfFile, needsName, maxBytes, maxDescription }: Form): Reader {
  return ({ path, text }) => {
    const { values, body } = splitFrontMatter(text);
    const name = nameOf(values, path);
    const clean = cleanText(body, maxBytes);
    const description = textOf(values, 'description').slice(0, maxDescription).toWellFormed();
    const shared = { name, description, text: clean, ignored: ignoredIn(values, body) };
    if (needsName && name === '') return [{ ...shared, entry: { when: 'never', fault: 'name' } }];
    return [{ ...shared, entry: clean === '' ? { when: 'never', fault: 'empty' } : entry(values, name) }];
  };
}

function nameOfFile(_: Header, path: string): string {
  return commandNameOf(bareName(path));
}

/** Rules are cut only where they are sent, so that the user learns how much of them was cut. */
const maxRuleBytes = 256 * 1024;

export const alwaysRule = reader({ maxBytes: maxRuleBytes, entry: () => ({ when: 'always' }) });

interface PathRuleKind {
  key: 'applyTo' | 'paths' | 'globs';
  anywhere: boolean;
  without: 'always' | 'asked';
}

export function ruleByPath(kind: PathRuleKind): Reader {
  return reader({ maxBytes: maxRuleBytes, entry: (header) => ruleEntry(header, kind) });
}

function ruleEntry(header: Header, { key, anywhere, without }: PathRuleKind): Entry {
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

export const readPrompt = reader({ needsName: true, maxDescription: 200, entry: () => ({ when: 'typed' }) });

export function readContinuePrompt(file: FoundFile): readonly Found[] {
  const bare = /^\w+:[^\n]*\r?\n/.test(file.text) && file.text.slice(0, 8192).includes('\n---');
  const text = bare ? `---\n${file.text}` : file.text;
  const named = commandNameOf(textOf(splitFrontMatter(text).values, 'name'));
  return readPrompt({ ...file, text }).map((one) => (named === '' ? one : { ...one, name: named }));
}

export const maxSkillBytes = 24 * 1024;

const readPlainSkill = reader({
  nameOf: (_, path) => path.split('/').at(-2) ?? '',
  maxBytes: maxSkillBytes,
  entry: skillEntry,
});

export function readSkill(file: FoundFile): readonly Found[] {
  const forks = textOf(splitFrontMatter(file.text).values, 'context') === 'fork';
  return readPlainSkill(file).map((one) =>
    // Typed behind a slash, it is a part of the message as any other.
    forks && one.entry.when === 'typed' ? { ...one, ignored: [...one.ignored, 'context: fork'] } : one,
  );
}

function skillEntry(header: Header, folder: string): Entry {
  const named = textOf(header, 'name') || folder;
  if (named !== folder || !/^[a-z0-9-]{1,64}$/.test(folder)) return { when: 'never', fault: 'name' };
  const typed = flag(header, 'user-invocable', true) !== false;
  const mayLoad = flag(header, 'disable-model-invocation', true) !== true && textOf(header, 'description') !== '';
  if (mayLoad) return { when: 'loaded', typed, ...(textOf(header, 'context') === 'fork' && { forks: true }) };
  return typed ? { when: 'typed' } : { when: 'never', fault: 'not-for-models' };
}

export const readAgent = reader({
  nameOf: (header, path) => commandNameOf(textOf(header, 'name') || bareName(path)),
  needsName: true,
  maxDescription: 300,
  entry: agentEntry,
});

/** Names of tools have no blanks, so these may stand between them. */
const betweenTools = /[,\s]/;

function agentEntry(header: Header): Entry {
  const offered = flag(header, 'user-invocable', true) ?? flag(header, 'user-invokable', true) ?? true;
  if (!offered) return { when: 'never', fault: 'not-for-models' };
  const tools = wordsOf(header, 'tools', betweenTools);
  const agents = wordsOf(header, 'agents');
  const isForUsers = flag(header, 'disable-model-invocation', true) === true || flag(header, 'infer', false) === false;
  const agent: AgentSpec = {
    tools,
    without: wordsOf(header, 'disallowedTools', betweenTools) ?? [],
    agents,
    ...(isForUsers && { notForModels: true }),
    models: (wordsOf(header, 'model') ?? []).filter((model) => model !== 'inherit'),
  };
  return { when: 'picked', agent };
}
