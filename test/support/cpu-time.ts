/**
 * Milliseconds of processor time that this process spends on `run`: what other programs do on the machine does not count.
 * For bounds that tell a pattern that explodes from one that does not, a factor of ten and more above what it takes.
 */
export async function cpuMs(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
