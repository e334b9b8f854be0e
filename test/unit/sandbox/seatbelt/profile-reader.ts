/**
 * Reads profiles of Seatbelt as the kernel of macOS is documented to: rules in order, each with operations and filters, of which
 * any may fit; the last rule that fits decides, and what none fits is denied. Throws at everything else.
 */

export type Term = string | readonly Term[];

export interface Profile {
  /** `target`: a path, or what stands in a filter of another kind. */
  allows(operation: string, target: string): boolean;
}

const operations = new Set(
  'process-exec process-fork process-info* signal sysctl-read pseudo-tty file-read* file-read-metadata file-read-data file-write* file-write-data file-write-create file-write-unlink file-link file-ioctl ipc-posix-sem ipc-posix-shm-read-data mach-lookup network-bind network-inbound network-outbound system-socket'.split(
    ' ',
  ),
);

export function readProfile(text: string): Profile {
  const [version, ...rules] = parse(text);
  if (JSON.stringify(version) !== '["version","1"]') throw new Error('a profile begins with its version');
  if (JSON.stringify(rules[0]) !== '["deny","default"]') throw new Error('what no rule names is to be denied');
  const read = rules.slice(1).map(readRule);
  return {
    allows: (operation, target) =>
      read.findLast((rule) => rule.operations.some((one) => covers(one, operation)) && rule.fits(target))?.isAllowed ??
      false,
  };
}

function readRule(rule: Term) {
  const [decision, ...rest] = rule;
  if (typeof rule === 'string' || (decision !== 'allow' && decision !== 'deny')) throw new Error(`no rule: ${rule}`);
  const named = rest.filter((term): term is string => typeof term === 'string');
  const unknown = named.find((name) => !operations.has(name));
  if (unknown !== undefined || named.length === 0) throw new Error(`no operation: ${unknown}`);
  const filters = rest.filter((term) => typeof term !== 'string').map(readFilter);
  return {
    isAllowed: decision === 'allow',
    operations: named,
    fits: (target: string) => filters.length === 0 || filters.some((filter) => filter(target)),
  };
}

function readFilter(filter: Term): (target: string) => boolean {
  const [name, value, more] = filter as readonly Term[];
  if (typeof value !== 'string') throw new Error(`no filter: ${JSON.stringify(filter)}`);
  switch (name) {
    case 'literal':
    case 'global-name':
    case 'ipc-posix-name':
    case 'target':
      return (target) => target === value;
    case 'subpath':
      return (target) => target === value || target.startsWith(`${value}/`);
    case 'regex':
      return (target) => new RegExp(value).test(target);
    case 'remote':
    case 'local':
      return (target) => target === `${value} ${more}`;
    default:
      throw new Error(`no filter: ${JSON.stringify(filter)}`);
  }
}

function covers(rule: string, operation: string): boolean {
  return rule === operation || (rule.endsWith('*') && operation.startsWith(rule.slice(0, -1)));
}

/** Lists in lists, as the text has them; a quoted text is one without its quotes. */
export function parse(text: string): Term[] {
  const open: Term[][] = [[]];
  for (const [token] of text.matchAll(/\(|\)|#?"[^"]*"|[^\s()"]+|"/g)) {
    if (token === '(') open.push([]);
    else if (token === ')') {
      const closed = open.pop();
      if (closed === undefined || open.length === 0) throw new Error('a bracket too many');
      open.at(-1)?.push(closed);
    } else if (token === '"') throw new Error('a quote is not closed');
    else open.at(-1)?.push(token.replace(/^#?"|"$/g, ''));
  }
  if (open.length !== 1) throw new Error('a bracket is not closed');
  return open[0] ?? [];
}
