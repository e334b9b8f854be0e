import * as l10n from '@vscode/l10n';
import { stripInvisible } from '../../agent/invisible.ts';

export interface CommandJudgement {
  /** Explains to the model why the line cannot be shown as what it is. Such a line is never run. */
  refusal?: string;
  warnings: readonly string[];
  /** True where the line deletes or overwrites; then the user is asked even where it could do little harm otherwise. */
  deletes: boolean;
  /** When it is false, the user is asked every time. True is never a reason to run anything unasked. */
  mayBeRemembered: boolean;
}

const maxCommandLength = 10_000;

/**
 * Judges a command line only to hold it back: it finds reasons to refuse, to warn and to ask every time. No reading
 * of a command line may let it run, because shells have more ways to say a thing than any parser knows.
 */
export function judgeCommand(command: string): CommandJudgement {
  const refusal = refusalOf(command);
  if (refusal !== undefined) return { refusal, warnings: [], deletes: false, mayBeRemembered: false };
  const forms = readingsOf(command);
  const fits = ({ pattern }: Pick<(typeof cautions)[number], 'pattern'>) => forms.some((form) => pattern.test(form));
  const warnings = cautions.filter(fits).map(({ say }) => say());
  return { warnings, deletes: fits(deletion), mayBeRemembered: warnings.length === 0 };
}

/**
 * Shells of different systems read a line differently, so these forms are checked: the line as it stands, without
 * quotes and escapes inside words, which do not change them (`r''m` and ``r`m`` are rm), and with the backslashes of
 * Windows folders.
 */
function readingsOf(command: string): string[] {
  const withoutSigns = command.replace(/['"\\^`]|\$@|\$\*/g, '');
  const withFolders = command.replaceAll('\\', '/').replace(/['"^`]/g, '');
  return [...new Set([command, withoutSigns, withFolders])];
}

function word(names: string): RegExp {
  return new RegExp(`(^|[\\s;&|({/=!@])(${names})(?:\\.(?:exe|com|cmd|bat))?(?![\\w-])`, 'i');
}

function commandWord(names: string): RegExp {
  return new RegExp(`(?:^|[;&|({=\\n])[^\\S\\n]*(?:[\\w.:~-]*/)*(?:${names})(?:\\.exe)?(?=[\\s($'"&])`, 'i');
}

const interpreter =
  /^(?:(?:ba|z|da|fi|k|c|tc)?sh|python[\d.]*|node|perl|ruby|php|pwsh|powershell|cmd|iex|invoke-expression)(?![\w-])/i;

function pipesToInterpreter(command: string): boolean {
  return command.split('|').some((stage, index) => {
    if (index === 0) return false;
    const words = stage
      .replace(/^\s*&/, '')
      .trim()
      .split(/\s+/, 3)
      .map((text) => text.slice(text.lastIndexOf('/') + 1));
    return interpreter.test((words[0] === 'env' ? words[1] : words[0]) ?? '');
  });
}

function publishes(command: string): boolean {
  const git = command.search(/\bgit\b/i);
  return git >= 0 && /\bpush\b/i.test(command.slice(git));
}

function anyOf(...patterns: readonly Pick<RegExp, 'test'>[]): Pick<RegExp, 'test'> {
  return { test: (text: string) => patterns.some((pattern) => pattern.test(text)) };
}

const deletion = {
  pattern: anyOf(
    word('rm|rmdir|unlink|shred|srm|wipefs|mkfs\\S*|dd|truncate|-delete'),
    word(
      'del|erase|rd|remove-item\\w*|ri|clear-(?:content|item\\w*|recyclebin|disk|eventlog|history)|clc|set-content|out-file',
    ),
    word(
      'diskpart|format-volume|initialize-disk|sdelete\\d*|vssadmin|wbadmin|cipher|fsutil|takeown|diskshadow|esentutl',
    ),
    word('format\\s+[a-z]:'),
    /\b(?:git|docker|podman|system|volume|image|builder)\b.*\s(?:clean|prune)\b/i,
    /\brobocopy\b.*\s\/(?:mir|purge|move?)\b/i,
    /\b(?:reg|schtasks|sc|net\d?|wmic|wevtutil|fltmc|kubectl|helm|terraform|tofu|pulumi|az|gcloud|aws)(?:\.exe)?\b.*[\s/](?:delete|destroy|cl|clear-log|unload|uninstall|rm|rb|terminate-instances)\b/i,
    /\.(?:delete|clear)\(/i,
  ),
  say: () => l10n.t('Deletes or overwrites.'),
};

const writesElsewhere = />{1,2}\s*(?:~|\$home|[a-z]:[\\/]|\/(?!dev\/(?:null|stdout|stderr)\b|tmp\/))/i;

const systemSettings = anyOf(
  /\breg(?:\.exe)?\s+(?:add|import|restore|load|copy|save)\b/i,
  /\b(?:hklm|hkcu|hkey_\w+|registry::)/i,
  /(?<![\w-])(?:sc|schtasks|net\d?|netsh|bcdedit|wmic|icacls|cacls|auditpol|setx|powercfg|fsutil|wevtutil)(?:\.exe)?\s+(?:\S+\s+){0,3}\S*(?:create|change|config|add|set|stop|start|run|import|advfirewall|firewall|grant|call|user|localgroup|share|behavior|portproxy)\b/i,
  word(
    '(?:set|new|add|enable|disable|remove|register|unregister|stop|restart|start)-(?:service|scheduledtask\\w*|mppreference|localuser|localgroup\\w*|itemproperty|netfirewall\\w*|executionpolicy|smbshare|computer|vpn\\w*|psremoting|psdrive)',
  ),
  word(
    'shutdown|reboot|halt|poweroff|logoff|crontab|systemctl|launchctl|chattr|setenforce|iptables|ufw|useradd|usermod|userdel|chpasswd|visudo|insmod|modprobe|sysctl|auditctl|xattr|msiexec|pnputil|appcmd|mpcmdrun|sysmon\\d*|cmdkey|vaultcmd|subinacl|mount-diskimage|infdefaultinstall|register-cimprovider',
  ),
  commandWord('at|defaults|dism|assoc|ftype|passwd|nft'),
);

const hiddenPrograms = anyOf(
  commandWord('eval|iex|invoke-expression|source|\\.'),
  word('iex|invoke-expression|invoke-command|icm|invoke-wmimethod|invoke-cimmethod'),
  /\b(?:powershell|pwsh)(?:\.exe)?\b.*\s[-/](?:e|ec|en|enc\w*|command|c|w(?:in\w*)?\s+h\w*)\b/i,
  word(
    'mshta|rundll32|regsvr32|regsvcs|regasm|installutil|cscript|wscript|cmstp|forfiles|pcalua|scriptrunner|odbcconf|msxsl|conhost|mavinject|wuauclt|gpscript|microsoft\\.workflow\\.compiler|osascript|bash\\s+-c|cmd\\s+/[ckr]',
  ),
  commandWord('hh'),
  /frombase64string|reflection\.assembly|\[scriptblock\]::create|add-type\b|-encodedcommand|system\.diagnostics\.process/i,
  /\bstart-process\b|\bsystem\(|(?:^|[\s;&|])(?:ld_preload|ld_audit|dyld_\w+|bash_env|prompt_command)=/i,
);

const connections = anyOf(
  word(
    'curl|wget|nc|ncat|netcat|socat|telnet|ssh|scp|sftp|rsync|ftp|tftp|aria2c|axel|lynx|rclone|plink|pscp|nscurl|sqlcmd|send-mailmessage|cloudflared|ngrok|evil-winrm|code\\s+tunnel',
  ),
  word(
    'invoke-webrequest|iwr|invoke-restmethod|irm|start-bitstransfer|bitsadmin|test-netconnection|enter-pssession|new-pssession|desktopimgdownldr|mstsc|psexec\\d*|winrs',
  ),
  commandWord('kubectl|helm|aws|az|gcloud|gsutil|oci|doctl|finger'),
  /\bcertutil\b.*[-/](?:urlcache|verifyctl|ping|encode|decode)/i,
  /\b(?:webclient|httpclient|downloadstring|downloadfile|downloaddata|uploadstring|uploadfile|tcpclient|webrequest)\b/i,
  /(?:msiexec|rundll32|regsvr32|mshta|hh|wmic|expand|extrac32|copy|xcopy|robocopy|net\s+use|start|explorer)\b.*(?:https?:|ftp:|\/\/\w)/i,
  /\b(?:npm|pnpm|yarn|cargo|gem|poetry|twine|vsce)\s+(?:publish|upload|push)\b/i,
  /\/dev\/(?:tcp|udp)\//,
);

const machineRights = /^--(?:privileged|(?:pid|net|network|ipc|userns|uts)=host|cap-add|device|security-opt)\b/i;
const machineFolder =
  /^(?:type=bind,)?(?:(?:source|src)=)?(?:\/(?:[:,]|$|(?:etc|root|home|var|usr|boot|dev|proc|sys)\b)|[a-z]:[\\/]?(?::|$)|~|\$|\S*docker\.sock)/i;

function opensMachine(command: string): boolean {
  const words = command.split(/\s+/);
  if (!words.some((each) => /(?:^|[\\/])(?:docker|podman|nerdctl)(?:\.exe)?$/i.test(each))) return false;
  return words.some((each, at) => {
    const mount = /^(?:-v|--volume|--mount)(?:=(.*))?$/i.exec(each);
    const isHost = /^--(?:pid|net|network|ipc|userns|uts)$/i.test(each) && words[at + 1] === 'host';
    return (
      isHost || machineRights.test(each) || (mount !== null && machineFolder.test(mount[1] ?? words[at + 1] ?? ''))
    );
  });
}

const cautions: readonly { pattern: Pick<RegExp, 'test'>; say: () => string }[] = [
  { pattern: /\n/, say: () => l10n.t('Spans several lines.') },
  {
    pattern: anyOf(word('sudo|doas|su|pkexec|runas|gsudo'), /-verb\s+runas/i),
    say: () => l10n.t('Runs with the rights of another user.'),
  },
  deletion,
  { pattern: writesElsewhere, say: () => l10n.t('Writes to a file outside the workspace.') },
  { pattern: { test: publishes }, say: () => l10n.t('Publishes commits.') },
  {
    pattern: /`|[<>]\(|\$[\w{(]|%\w+(?::[^%\n]*)?%|![\w:~,]+!/,
    say: () => l10n.t('Parts of it are filled in only when it runs.'),
  },
  { pattern: hiddenPrograms, say: () => l10n.t('Runs text as a command.') },
  {
    pattern: { test: pipesToInterpreter },
    say: () => l10n.t("Runs another command's output."),
  },
  { pattern: connections, say: () => l10n.t('Connects to another machine.') },
  { pattern: systemSettings, say: () => l10n.t('Changes settings of the system.') },
  { pattern: { test: opensMachine }, say: () => l10n.t('Gives a container access to this machine.') },
  { pattern: { test: hasLookAlikes }, say: () => l10n.t('A name has letters that look like others.') },
];

const lookAlike = /[асеорхуѕіјԁһӏԛԝАВЕКМНОРСТХІЈЅοανυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]/u;

function hasLookAlikes(command: string): boolean {
  const isAll = (text: string) => [...text].every((letter) => lookAlike.test(letter));
  const mixed = (command.match(/\p{L}+/gu) ?? []).some((run) => lookAlike.test(run) && /[a-z]/i.test(run));
  return mixed || command.split(/[;&|(\n]/).some((part) => isAll(/^\s*(\p{L}+)\s/u.exec(`${part} `)?.[1] ?? 'x'));
}

function refusalOf(command: string): string | undefined {
  if (command.trim() === '') return 'The command is empty.';
  if (command.length > maxCommandLength)
    return `The command is longer than ${maxCommandLength} characters; put it into a script file.`;
  // Other than the plain ones, no blank and no control character can be seen, and a terminal takes some for keys.
  if (/[^\P{Cc}\n\t]|[^\S \n\t]/u.test(command) || stripInvisible(command).removed > 0 || !command.isWellFormed()) {
    return 'The command holds characters that cannot be seen. Write it with plain spaces and visible characters only.';
  }
  return undefined;
}

const piece = /(?:[\w.,:=@%+/*?~-]|\$\w)+|'[^'\n\t!]*'|"[^"\n\t!`$\\]*"/y;
const blanks = / +/y;
const separator = /&&|\|\||[;|]/y;
const redirection = /\d?>{1,2}(?:&\d(?!\w))?|<(?![<(&])/y;
/**
 * These first words continue in a later line, read the history or jobs, change what later words mean or what a prompt
 * runs, or replace the shell by a program, which would then report its end itself.
 */
const shellWords = new Set(
  'if then elif else fi for foreach while until do done case esac in select repeat function time coproc begin end switch and or not builtin command noglob nocorrect fc history r bg fg jobs disown wait suspend alias unalias bind complete trap read source . eval try catch param process filter exec set export declare typeset readonly local integer float unset enable shopt setopt unsetopt emulate autoload zmodload zle bindkey sched abbr getopts mapfile readarray let'.split(
    ' ',
  ),
);

/**
 * Returns whether the line must go to a plain shell as an argument. Only one complete line of simple commands,
 * recognized by what it may hold and not by what it must not, means the same where somebody could type: an
 * interactive shell goes on reading after `<<`, `if` or an open quote, replaces `!` and `^a^b` from its history, and
 * keeps what ends in `&`.
 */
export function needsPlainShell(command: string): boolean {
  let at = 0;
  let word = '';
  let isFirst = true;
  let wantsWord = true;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(command)?.[0] ?? '';
    at += found.length;
    return found;
  };
  const endWord = (): boolean => {
    const isName = isFirst && word !== '' && !/^\w+=/.test(word);
    // A name that is quoted, or that only the shell makes, may be any of those words.
    const isFit = !isName || (/^[\w./@+:,][\w./@+:,-]*$/.test(word) && !shellWords.has(word));
    if (isName) isFirst = false;
    word = '';
    return isFit;
  };
  while (at < command.length) {
    const text = take(piece);
    if (text !== '') {
      word += text;
      wantsWord = false;
    } else if (take(blanks) !== '') {
      if (!endWord()) return true;
    } else if (take(separator) !== '') {
      // Variables alone stay set: some name what the next prompt runs.
      if (wantsWord || !endWord() || isFirst) return true;
      isFirst = true;
      wantsWord = true;
    } else {
      // The number of a stream is no word.
      if (/^\d+$/.test(word)) word = '';
      const sign = take(redirection);
      if (sign === '' || !endWord()) return true;
      // Before any word it would begin a command of its own.
      if (isFirst) return true;
      wantsWord = !sign.includes('&');
    }
  }
  return wantsWord || !endWord() || isFirst || /\bprintf\s+-v/.test(command);
}

export function mayEndShell(command: string): boolean {
  return /(^|[\s;&|({])(exit|exec|logout|return|kill|set\s+-\w*e)\b/.test(command);
}
