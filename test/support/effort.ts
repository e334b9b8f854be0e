/** `few` in `npm test`, `many` in `npm run test:all`: for tests that find more the longer they run. */
export function times(few: number, many: number): number {
  return process.env.SVC_TEST_ALL === '1' ? many : few;
}
