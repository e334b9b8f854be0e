/**
 * Turns Ctrl+C, a closed terminal and a polite kill into an exit. Node's default ends the process without its `exit`
 * handlers, which are what ends the servers and browsers it started.
 */
export function exitOnSignal(): void {
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  process.once('SIGHUP', () => process.exit(129));
}
