import type { FileForm, Secrets } from './facts.ts';
import type { Fact } from './session.ts';

/** A line in which nothing stands out, and what a developer types who asks for it many steps later. */
export interface PlainFact {
  kind: Fact['kind'];
  form: FileForm;
  /** With `{answer}` once. */
  line: string;
  answer: keyof Secrets;
  /** With `{path}`, `{base}` or `{stem}` of the file; two in the words of the line, one in others, one inside a task. */
  asks: readonly [string, string, string, string];
}

/** Made without a look at what the economy looks for, the questions by somebody who did not know it. */
export const plainFacts: readonly PlainFact[] = [
  {
    kind: 'code',
    form: 'code',
    line: '// {answer} is the only caller of this.',
    answer: 'name',
    asks: [
      'who was the only caller in {path} again?',
      '{base} has a comment that something is "the only caller of this". what was the name',
      'If I change the signature in {path}, whose code breaks? I think just one place uses it, it said so there.',
      'Please make the function in {path} async. It has a single caller according to the comment, so go and add the await there as well. Keep the tests green.',
    ],
  },
  {
    kind: 'code',
    form: 'code',
    line: "    cache.set('{answer}', value);",
    answer: 'name',
    asks: [
      'what key does {path} use in cache.set?',
      "in {path}, cache.set('???', value) - what was the first arg",
      'Under which name does {stem} remember the value for later?',
      'Add an invalidate() helper to {path}. It should delete exactly the entry that file puts in the cache, nothing else. A short test would be nice too.',
    ],
  },
  {
    kind: 'code',
    form: 'code',
    line: '  throw new Error("{answer} is gone");',
    answer: 'name',
    asks: [
      'which thing "is gone" in the error {path} throws?',
      '{base} throws something like "... is gone", what is gone?',
      'What does {path} complain about having disappeared?',
      'Write a test for the failing branch in {path}, the one that throws because something is gone. Assert on the complete message, not only on the last words.',
    ],
  },
  {
    kind: 'code',
    form: 'code',
    line: '   * See {answer} for the other half.',
    answer: 'name',
    asks: [
      '{path} says see ... for the other half. see what?',
      "where's the other half of {path}, the doc comment named it",
      'The docblock in {stem} only tells part of the story, right? Where does it send you for the rest?',
      'I want the doc comment in {path} to be complete. Find the thing it refers to for the other half and pull its explanation in here. Leave the code alone.',
    ],
  },
  {
    kind: 'code',
    form: 'code',
    line: "      region: options.region ?? '{answer}',",
    answer: 'name',
    asks: [
      'whats the default region in {path}?',
      'options.region ?? what, in {path}',
      "Where does {path} end up if the caller doesn't say which region they want?",
      'Now add a retry to {base}. On the second attempt use the same region it falls back to, and keep the tests green.',
    ],
  },
  {
    kind: 'code',
    form: 'code',
    line: "export type Stage = 'ready' | '{answer}';",
    answer: 'name',
    asks: [
      "what's the other Stage in {path} besides 'ready'?",
      "type Stage in {path} is 'ready' or... ?",
      "{base}: which state can it be in when it isn't ready yet? The union type had two members.",
      "Add a function isReady(stage) to {path} with an exhaustive switch over Stage. Write out both cases by name and don't use default.",
    ],
  },
  {
    kind: 'code',
    form: 'code',
    line: '        return size > {answer} ? undefined : size;',
    answer: 'number',
    asks: [
      'size > what returns undefined in {path}?',
      'in {stem} there is a check on size, above which number does it return undefined',
      'How big can it get in {path} before we get nothing back?',
      'Pull the size limit in {path} out into a constant called MAX_SIZE. Then write two tests, one exactly at the limit and one right above it. No other changes please.',
    ],
  },
  {
    kind: 'code',
    form: 'code',
    line: "  if (stage === stages['{answer}'].id) return;",
    answer: 'name',
    asks: [
      "stages['what'].id in {path}?",
      'which stage makes {path} return early, the stages[...] check',
      "There's one step of the pipeline for which {base} simply does nothing. Which one?",
      "Change {path} so it logs a debug line before the early return on that stage. Put the stage's name in the message as plain text. Then run the linter.",
    ],
  },
  {
    kind: 'config',
    form: 'json',
    line: '    "hosts": ["{answer}", "localhost"],',
    answer: 'name',
    asks: [
      'which host is in {path} apart from localhost?',
      '"hosts" in {path}, what was the first entry',
      'What machine, other than my own, does {path} point to?',
      'Create a second config next to {path} for CI. It should have the same hosts, but without localhost. Point the test script to the new one.',
    ],
  },
  {
    kind: 'config',
    form: 'json',
    line: '      "{answer}",',
    answer: 'name',
    asks: [
      'there was a lone string in {path} between all the option lines, what did it say?',
      "{path} has one entry that isn't an optionNN, what is it",
      'Something in {base} looked out of place, a bare name with no true or false to it. What was the name?',
      '{path} doesn\'t parse because one line there has no key. Turn it into "name": with that string as its value, and list what you changed in the commit message.',
    ],
  },
  {
    kind: 'config',
    form: 'env',
    line: 'export RELAY={answer}',
    answer: 'name',
    asks: [
      'what is RELAY set to in {path}?',
      'export RELAY=? (config/relay.env)',
      'Which relay do we go through according to {base}?',
      "Add a docker compose service for the tests. Give it the same RELAY as in {path}, written out, not through env_file. Don't touch the other services.",
    ],
  },
  {
    kind: 'rule',
    form: 'prose',
    line: 'The staging host is {answer}.',
    answer: 'name',
    asks: [
      "what's the staging host? it's in {path}",
      '{path} says the staging host is...?',
      'Where do we deploy before production, going by {stem}?',
      'Write me a small smoke test script under scripts/. It should hit the staging host we have in {path} and exit 1 on anything but a 200.',
    ],
  },
  {
    kind: 'rule',
    form: 'prose',
    line: '| staging | {answer} | eu |',
    answer: 'name',
    asks: [
      'whats in the staging row of the table in {path}',
      '{base} table: | staging | ??? | eu |',
      'Going by the table in {path}, what do we run on for the pre-production environment in Europe?',
      'Add a row for "preview" to the table in {path}. Same second column as staging, but us instead of eu. Keep the columns aligned.',
    ],
  },
  {
    kind: 'rule',
    form: 'prose',
    line: '1. Start {answer}, then the workers.',
    answer: 'name',
    asks: [
      '{path}, step 1: start what?',
      'what do I start first, then the workers? was in {path}',
      'Which thing has to be up already before the workers can run, according to {stem}?',
      'Turn the start order in {path} into a shell script, scripts/up.sh. First the thing from step 1, then the workers, and stop if the first one fails.',
    ],
  },
  {
    kind: 'rule',
    form: 'prose',
    line: 'We moved it to {answer} in the spring.',
    answer: 'name',
    asks: [
      'where did we move it to in the spring? {path}',
      '{path} says "we moved it to ... in the spring", to where?',
      '{base} mentions a migration earlier this year. Where does the thing live now?',
      'Add a changelog entry about the move that {path} talks about. Name the new place, one line is enough. Then go on with the types.',
    ],
  },
];
