import type { Customization } from './customization.ts';

/** The user's word on one file, which stands above its header. */
export const choices = ['model', 'slash', 'off'] as const;
export type Choice = (typeof choices)[number];

/** Tells files apart, and the parts of one that holds several. */
export function keyOf({ path, name, kind }: Pick<Customization, 'path' | 'name' | 'kind'>): string {
  return kind === 'rooModes' ? `${path}#${name}` : path;
}

/** The choices that make a difference for a file; none for one that cannot be used at all. */
export function choicesFor({ entry, name }: Pick<Customization, 'entry' | 'name'>): readonly Choice[] {
  if (entry.when === 'never') return entry.fault === 'off' ? ['model', 'off'] : [];
  return entry.when === 'typed' || entry.when === 'picked' || entry.when === 'with' || name === ''
    ? ['model', 'off']
    : choices;
}

/** All files as the user wants them: one that is off is not used, one for the slash alone is sent when it is typed. */
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
