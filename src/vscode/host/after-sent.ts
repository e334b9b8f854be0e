/** In this time VS Code has sent on what was posted, which takes it several turns of the loop where it packs it for a server's window. */
const sentMs = 50;

/** Runs what takes its time after what was posted before has left: neither a conversation nor its buttons wait for it. */
export function afterSent(run: () => void): { dispose(): void } {
  const timer = setTimeout(run, sentMs);
  return { dispose: () => clearTimeout(timer) };
}
