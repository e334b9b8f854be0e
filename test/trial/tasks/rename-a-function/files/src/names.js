/** Collects names. */
export function collect(groups) {
  const names = [];
  for (const group of groups) names.push(...group);
  return names;
}
