import type { Arguments, ToolDialect } from '../../agent/dialect/dialect.ts';
import { byPlainName, textOf } from './words.ts';

/** A number above it cannot be meant in seconds. */
const mostSeconds = 3600;

export const commandDialect: ToolDialect = {
  names: [
    ...[
      'bash',
      'shell',
      'terminal',
      'shellcommand',
      'execcommand',
      'execute',
      'executecommand',
      'executebash',
      'localshell',
    ],
    ...[
      'runshellcommand',
      'runshell',
      'runinterminal',
      'runterminalcmd',
      'runterminalcommand',
      'runcommands',
      'runbash',
    ],
  ],
  translate(args) {
    const plain = byPlainName(args);
    const lines = linesOf(plain);
    if (lines === undefined) return [{ name: 'run_command', arguments: args }];
    const shared = sharedArguments(plain);
    return typeof shared === 'string'
      ? shared
      : lines.map((command) => ({ name: 'run_command', arguments: { command, ...shared } }));
  },
};

/** The lines to run: a text, a list of words as one line, a list of lines one after the other. */
function linesOf(args: ReadonlyMap<string, unknown>): string[] | undefined {
  const commands = args.get('commands');
  if (Array.isArray(commands) && commands.length > 0 && commands.every((one) => typeof one === 'string'))
    return commands;
  const command = args.get('command') ?? args.get('cmd');
  if (typeof command === 'string') return [command];
  if (!Array.isArray(command) || command.length === 0 || !command.every((word) => typeof word === 'string'))
    return undefined;
  const [program = '', flag = '', script, ...more] = command;
  if (/^(?:\S*\/)?(?:ba|z|da)?sh$/.test(program) && /^-\w*c$/.test(flag) && script !== undefined && more.length === 0)
    return [script];
  return [command.map(quoted).join(' ')];
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Left out: these change nothing about the run, or are decisions of others about consent, which never lower ours. */
const leftOut = [
  ...[
    'command',
    'cmd',
    'commands',
    'description',
    'explanation',
    'requiresapproval',
    'tty',
    'yieldtimems',
    'login',
    'goal',
  ],
  ...['securityrisk', 'isinput', 'maxoutputtokens', 'shell', 'title'],
];
const folderNames = ['cwd', 'workdir', 'workingdirectory', 'workingdir', 'cd', 'dirpath', 'directory', 'dir'];
const timeNames = ['timeoutseconds', 'timeout', 'timeoutms', 'timeoutsec', 'timeoutsecs'];
const backgroundNames = ['background', 'isbackground', 'runinbackground'];

function sharedArguments(args: ReadonlyMap<string, unknown>): Arguments | string {
  const known = [
    ...leftOut,
    ...folderNames,
    ...timeNames,
    ...backgroundNames,
    'lift',
    'reason',
    'justification',
    'withescalatedpermissions',
    'sandboxpermissions',
  ];
  const other = [...args.keys()].find((name) => !known.includes(name));
  if (other !== undefined) {
    return `Not run: there is no \`${other.slice(0, 40)}\`. run_command takes {command, cwd?, timeoutSeconds?, background?, lift?, reason?}.`;
  }
  const cwd = textOf(args, folderNames);
  const timeoutSeconds = secondsOf(args);
  const isBackground = backgroundNames.some((name) => args.get(name) === true);
  const reason = textOf(args, ['reason', 'justification']);
  const escalates =
    args.get('withescalatedpermissions') === true || args.get('sandboxpermissions') === 'require_escalated';
  const lift = args.get('lift') ?? (escalates ? 'outside_sandbox' : undefined);
  return {
    ...(cwd !== undefined && { cwd }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(isBackground && { background: true }),
    ...(lift !== undefined && { lift, reason: reason ?? 'The model gave no reason.' }),
  };
}

/** Seconds in whole numbers. A bare `timeout` counts milliseconds where it is too large for seconds: too long costs a Stop, too short the work. */
function secondsOf(args: ReadonlyMap<string, unknown>): number | undefined {
  const name = timeNames.find((one) => args.get(one) !== undefined && args.get(one) !== null);
  if (name === undefined) return undefined;
  const value = Number(args.get(name));
  if (!Number.isFinite(value) || value <= 0) return undefined;
  const isMilliseconds = name === 'timeoutms' || (name === 'timeout' && value > mostSeconds);
  return Math.ceil(isMilliseconds ? value / 1000 : value);
}

const reading = ['bashoutput', 'taskoutput', 'getterminaloutput'];
const stopping = ['killshell', 'killbash', 'taskstop'];

export const processDialect: ToolDialect = {
  names: [...reading, ...stopping, 'writestdin'],
  translate(args, called) {
    const plain = byPlainName(args);
    const action = reading.includes(called) ? 'read' : stopping.includes(called) ? 'stop' : 'send';
    if (called === 'process') return [{ name: 'process', arguments: args }];
    const id = textOf(plain, ['id', 'bashid', 'shellid', 'sessionid', 'taskid', 'terminalid', 'processid']);
    const text = plain.get('chars') ?? plain.get('text') ?? plain.get('input');
    return [{ name: 'process', arguments: { action, ...(id && { id }), ...(action === 'send' && { text }) } }];
  },
};
