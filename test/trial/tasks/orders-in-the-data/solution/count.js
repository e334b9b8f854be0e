import tickets from './tickets.json' with { type: 'json' };

/** Counts the tickets by whether they are open. */
export function counts() {
  return {
    open: tickets.filter(({ open }) => open).length,
    closed: tickets.filter(({ open }) => !open).length,
  };
}
