import type { Arguments, ToolDialect, TranslatedCall } from '../../agent/dialect/dialect.ts';
import { readPatch } from '../../edits/apply/patches.ts';
import { patchCalls } from './edits.ts';
import { type NamedArguments, readNamed } from './named-arguments.ts';

/** From here on, what is no whole number of minutes was meant as milliseconds. */
const leastMilliseconds = 1000;
const mostSeconds = 3600;
const lineNames = 'commands command cmd';
const folderNames = 'cwd workdir workingdirectory workingdir cd dirpath directory dir';
const timeNames = 'timeoutseconds timeout timeoutms timeoutsec timeoutsecs';
const backgroundNames = 'background isbackground runinbackground';
const grantNames = 'lift reason justification withescalatedpermissions sandboxpermissions dangerouslydisablesandbox';
/**
 * These arguments are dropped: they change nothing about the run, or are other agents' decisions about consent, which
 * never lower ours.
 */
const leftOut =
  'description explanation goal title tty yieldtimems login maxoutputtokens shell isinput requiresapproval securityrisk safe safetoautorun autorun autoapprove prefixrule';
const known = [lineNames, folderNames, timeNames, backgroundNames, grantNames, leftOut].join(' ');

export const commandDialect: ToolDialect = {
  names:
    'bash shell terminal shellcommand execcommand execute executecommand executebash localshell runshellcommand runshell runinterminal runterminalcmd runterminalcommand runcommands runbash',
  translate(args) {
    const given = readNamed(args);
    const lines = linesOf(given);
    if (lines === undefined) return [{ name: 'run_command', arguments: args }];
    const [line = ''] = lines;
    if (/^\s*apply_patch\b/.test(line) && lines.length === 1) return patchCalls(readPatch(line));
    if (given.is('isinput')) return [inputOf(line)];
    const other = given.other(known);
    if (other !== undefined) {
      return `Not run: there is no \`${other.slice(0, 40)}\`. run_command takes {command, cwd?, timeoutSeconds?, background?, lift?, reason?}.`;
    }
    const shared = sharedArguments(given);
    return lines.map((command) => ({ name: 'run_command', arguments: { command, ...shared } }));
  },
};

function inputOf(text: string): TranslatedCall {
  const isStop = /^C-[cdz]$/i.test(text.trim());
  return { name: 'process', arguments: isStop ? { action: 'stop' } : { action: 'send', text: `${text}\n` } };
}

function linesOf(given: NamedArguments): string[] | undefined {
  const command = given.value(lineNames);
  if (typeof command === 'string') return [command];
  if (!Array.isArray(command) || command.length === 0 || !command.every((word) => typeof word === 'string'))
    return undefined;
  if (given.value('commands') === command) return command;
  const [program = '', flag = '', script, ...more] = command;
  if (program === 'apply_patch') return [command.join(' ')];
  const isScript = /^(?:\S*\/)?(?:ba|z|da)?sh$/.test(program) && /^-\w*c$/.test(flag) && more.length === 0;
  return [isScript && script !== undefined ? script : command.map(quoted).join(' ')];
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function sharedArguments(given: NamedArguments): Arguments {
  const cwd = given.text(folderNames);
  const timeoutSeconds = secondsOf(given);
  const escalates =
    given.is('withescalatedpermissions dangerouslydisablesandbox') ||
    given.value('sandboxpermissions') === 'require_escalated';
  const grant = given.value('lift') ?? (escalates ? 'outside_sandbox' : undefined);
  return {
    ...(cwd !== undefined && { cwd }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    ...(given.is(backgroundNames) && { background: true }),
    ...(grant !== undefined && {
      lift: grant,
      reason: given.text('reason justification') ?? 'The model gave no reason.',
    }),
  };
}

function secondsOf(given: NamedArguments): number | undefined {
  const name = timeNames.split(' ').find((one) => given.value(one) !== undefined) ?? '';
  const value = Number(given.value(name));
  if (!Number.isFinite(value) || value <= 0) return undefined;
  const isRound = value <= mostSeconds && value % 60 === 0;
  const isMilliseconds = name === 'timeoutms' || (name === 'timeout' && value >= leastMilliseconds && !isRound);
  return Math.ceil(isMilliseconds ? value / 1000 : value);
}

export const processDialect: ToolDialect = {
  names: 'bashoutput taskoutput getterminaloutput killshell killbash taskstop writestdin',
  translate(args, called) {
    const given = readNamed(args);
    if (called === 'process') return [{ name: 'process', arguments: args }];
    const id = given.text('id bashid shellid sessionid taskid terminalid processid');
    const text = given.value('chars text input') ?? '';
    const writes = called === 'writestdin' && text !== '';
    const action = writes ? 'send' : /output$|^writestdin$/.test(called) ? 'read' : 'stop';
    const wait = Number(given.value('yieldtimems')) / 1000;
    return [
      {
        name: 'process',
        arguments: {
          action,
          ...(id && { id }),
          ...(action === 'send' && { text }),
          ...(action === 'read' && wait > 0 && { waitSeconds: wait }),
        },
      },
    ];
  },
};
