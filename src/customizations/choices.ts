import type { Customization } from './customization.ts';

/** Lists what a user may choose for a file, which wins over the file's header. */
export const choices = ['model', 'slash', 'off'] as const;
export type Choice = (typeof choices)[number];

export function keyOf({ path, name, kind }: Pick<Customization, 'path' | 'name' | 'kind'>): string {
  return kind === 'rooModes' ? `${path}#${name}` : path;
}

export function choicesFor({ entry, name }: Pick<Customization, 'entry' | 'name'>): readonly Choice[] {
  if (entry.when === 'never') return entry.fault === 'off' ? ['model', 'off'] : [];
  return entry.when === 'typed' || entry.when === 'picked' || entry.when === 'with' || name === ''
    ? ['model', 'off']
    : choices;
}

/** A file that is off is not used, and one for the slash alone is sent only when it is typed. */
export function withChoices(
  all: readonly Customization[],
  choiceOf: (key: string) => Choice | undefined,
): readonly Customization[] {
  return all.map((one): Customization => {
    const choice = choiceOf(keyOf(one));
    if (choice === undefined || choice === 'model' || one.entry.when === 'never') return one;
    if (choice === 'off') return { ...one, entry: { when: 'never', fault: 'off' } };
    return one.entry.when === 'picked' || one.entry.when === 'with' ? one : { ...one, entry: { when: 'typed' } };
  });
}
