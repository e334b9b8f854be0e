/**
 * VS Code has forwarded a posted message after this time; packing it for a remote window takes several turns of the
 * event loop.
 */
const sentMs = 50;

/** Runs slow work after earlier messages have left, so that neither a conversation nor its buttons wait for it. */
export function afterSent(run: () => void): { dispose(): void } {
  const timer = setTimeout(run, sentMs);
  return { dispose: () => clearTimeout(timer) };
}
