import type { AgentSpec } from './agent-spec.ts';
import type { FoundFile } from './customization.ts';
import { splitFrontMatter } from './front-matter.ts';
import { bareName, cleanText, flag, ignoredIn, textOf, typedName, wordsOf } from './header.ts';
import type { Found } from './kinds.ts';

export function readAgent({ path, text }: FoundFile): readonly Found[] {
  const { values, body } = splitFrontMatter(text);
  const name = typedName(textOf(values, 'name') || bareName(path));
  const clean = cleanText(body);
  const tools = wordsOf(values, 'tools');
  const agents = wordsOf(values, 'agents');
  const isForUsers = flag(values, 'disable-model-invocation', true) === true || flag(values, 'infer', false) === false;
  const agent: AgentSpec = {
    ...(tools !== undefined && { tools }),
    without: wordsOf(values, 'disallowedTools') ?? [],
    ...(agents !== undefined && { agents }),
    ...(isForUsers && { notForModels: true }),
    models: (wordsOf(values, 'model') ?? []).filter((model) => model !== 'inherit'),
  };
  const offered = flag(values, 'user-invocable', true) ?? flag(values, 'user-invokable', true) ?? true;
  return [
    {
      name,
      description: textOf(values, 'description').slice(0, 300).toWellFormed(),
      text: clean,
      entry:
        name === ''
          ? { when: 'never', fault: 'name' }
          : clean === ''
            ? { when: 'never', fault: 'empty' }
            : offered
              ? { when: 'picked', agent }
              : { when: 'never', fault: 'not-for-models' },
      ignored: ignoredIn(values, body),
    },
  ];
}
