/** Lines count from 1. */
export interface TestFailure {
  label: string;
  path?: string;
  line?: number;
  message: string;
  expected?: string;
  actual?: string;
  stack: readonly string[];
}

export function describeTestFailure({ label, path, line, message, expected, actual, stack }: TestFailure): string {
  const place = path === undefined ? '' : `${path}${line === undefined ? '' : `:${line}`}`;
  return [
    `Test: ${label}`,
    ...(place === '' ? [] : [`Reported at: ${place}`]),
    '',
    message.trim() || 'What it reported is not known here: run it first.',
    ...(expected === undefined ? [] : ['', 'Expected:', expected]),
    ...(actual === undefined ? [] : ['', 'Actual:', actual]),
    ...(stack.length === 0 ? [] : ['', 'Stack:', ...stack]),
  ].join('\n');
}
