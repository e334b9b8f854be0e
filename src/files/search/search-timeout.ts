const maxMs = 2000;

// An empty result is a claim, so ignored files are looked at before it is made.
export const maxIgnored = 5;

export function withSearchTimeout(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(maxMs)]);
}
