/** What a test run prints, with names taken from the sources so that it reads like one of that package. */
export function failingRun(random: () => number, file: string, lines: readonly string[], told: string): string {
  const names = namesOf(lines);
  const passed = someOf(names, random, 8 + Math.floor(random() * 30));
  const failed = someOf(names, random, 1 + Math.floor(random() * 2));
  const parts = [
    'Exit code 1 after 3 s.',
    '',
    `> test ${file}`,
    '',
    ...passed.map((name) => `  ✓ ${name} works (${Math.floor(random() * 40)}ms)`),
  ];
  parts.splice(5 + Math.floor(random() * passed.length), 0, told);
  for (const name of failed) {
    parts.push(`  ✗ ${name} keeps its promise`, `    AssertionError: expected ${name}() to be called`);
    parts.push(...stack(random, file), '');
  }
  return [...parts, `${passed.length} passing`, `${failed.length} failing`].join('\n');
}

export function passingRun(random: () => number, file: string, lines: readonly string[]): string {
  const passed = someOf(namesOf(lines), random, 10 + Math.floor(random() * 40));
  const parts = passed.map((name) => `  ✓ ${name} works (${Math.floor(random() * 40)}ms)`);
  return ['Exit code 0 after 4 s.', '', `> test ${file}`, '', ...parts, `${passed.length} passing`].join('\n');
}

function stack(random: () => number, file: string): string[] {
  return Array.from({ length: 4 + Math.floor(random() * 8) }, (_, index) =>
    index < 2
      ? `      at Context.<anonymous> (${file}:${1 + Math.floor(random() * 90)}:${1 + Math.floor(random() * 40)})`
      : `      at Runnable.run (internal/runnable.js:${1 + Math.floor(random() * 90)}:${1 + Math.floor(random() * 40)})`,
  );
}

function namesOf(lines: readonly string[]): string[] {
  const names = lines.flatMap((line) => /\b([A-Za-z_$][\w$]{4,})\s*\(/.exec(line)?.[1] ?? []);
  return names.length === 0 ? ['module'] : names;
}

function someOf(names: readonly string[], random: () => number, count: number): string[] {
  return Array.from({ length: count }, () => names[Math.floor(random() * names.length)] ?? 'module');
}
