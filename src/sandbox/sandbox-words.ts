import * as l10n from '@vscode/l10n';
import { type Blocked, blockedText } from './blocked.ts';
import type { GrantQuestion } from './egress-policy.ts';
import type { NoSandbox } from './launch.ts';

const noSandbox: Readonly<Record<NoSandbox, () => string>> = {
  system: () => l10n.t('None for this system'),
  missing: () => l10n.t('None: bubblewrap is not installed'),
  apparmor: () => l10n.t('None: AppArmor does not let bubblewrap make one (its profile bwrap-userns-restrict would)'),
  namespaces: () => l10n.t("Unavailable: this system doesn't allow namespaces"),
  broken: () => l10n.t('None: the sandbox test failed. See the log.'),
  home: () => l10n.t("None: the workspace is or contains your home folder or VS Code's data"),
  owner: () => l10n.t('None: a folder of the workspace belongs to another user'),
  link: () => l10n.t("None: the workspace's Git data or editor settings are behind a link"),
  name: () => l10n.t('None: the name of a file or folder in the workspace is not UTF-8'),
  large: () => l10n.t('None: the workspace is too large to be looked through before each command'),
};

export function noSandboxText(why: NoSandbox): string {
  return noSandbox[why]();
}

export interface Refusal {
  forModel: string;
  forUser: string;
}

export interface GrantWords {
  text: string;
  allow: string;
  refuse: string;
  grant?: string;
}

export function grantWords(question: GrantQuestion): GrantWords {
  const { kind } = question;
  const again = kind === 'upload' ? l10n.t('Let It Send More') : l10n.t('Allow and Run Again');
  return {
    text: questionText(question),
    allow: kind === 'hosts' || kind === 'local' ? l10n.t('Allow for This Conversation') : again,
    refuse: l10n.t("Don't Allow"),
    ...(kind === 'hosts' && { grant: l10n.t('Network for This Command…') }),
  };
}

function questionText(question: GrantQuestion): string {
  switch (question.kind) {
    case 'hosts':
      return l10n.t(
        'Let commands of this conversation reach {0}? The command is paused. What commands can read may be sent there.',
        question.hosts.map(shownHost).join(', '),
      );
    case 'local':
      return l10n.t(
        "Let commands of this conversation reach {0} in your network? It's not an address of the internet.",
        shownHost(question.host),
      );
    case 'upload':
      return l10n.t(
        'This command has sent {0} MB to {1}. Let it send more?',
        question.bytes / 1_000_000,
        shownHost(question.host),
      );
    case 'git':
      return l10n.t(
        "Blocked: {0}. Let commands of this conversation write the repository's Git data in {1}? History can be changed and lost. Hooks and settings stay read-only. The command is run again.",
        code(question.blocked),
        code(question.what),
      );
    case 'port':
      return l10n.t(
        'Blocked: {0}. Let commands of this conversation reach this port of your machine? Programs on that port run with your rights. The command is run again.',
        code(question.blocked),
      );
    case 'folder':
      return l10n.t(
        'Perhaps blocked: {0}. Let commands of this conversation read {1}, outside of the workspace? Files that might hold secrets stay hidden. The command is run again.',
        code(question.blocked),
        code(question.what),
      );
    case 'file':
      return l10n.t(
        'Blocked: {0}. Let this command read and change {1}? What it reads may be sent to hosts that you allowed. The command is run again.',
        code(question.blocked),
        code(question.what),
      );
  }
}

/** Returns the subject of the question, short enough for the call's row. */
export function subjectOfGrant(question: GrantQuestion): string {
  if (question.kind === 'git') return l10n.t('Git data');
  if (question.kind === 'hosts') return question.hosts.map(withoutUsualPort).join(', ');
  return 'host' in question ? withoutUsualPort(question.host) : question.what;
}

export function subjectOfBlocked(blocked: Blocked): string {
  if ('path' in blocked) return 'grant' in blocked && blocked.grant?.kind === 'git' ? l10n.t('Git data') : blocked.path;
  return blocked.kind === 'registry' ? l10n.t('package registry') : withoutUsualPort(blockedText(blocked));
}

function withoutUsualPort(place: string): string {
  return place.replace(/:443$/, '');
}

function shownHost(place: string): string {
  return code(withoutUsualPort(place));
}

function code(text: string): string {
  return `\`${text.replaceAll(/[`\s]+/g, ' ')}\``;
}

export function sentReport(sent: ReadonlyMap<string, number> = new Map()): string[] {
  const named = [...sent].map(([host, bytes]) => `${host} ${Math.max(1, Math.round(bytes / 1000))} kB`);
  return named.length === 0 ? [] : [l10n.t('Sent: {0}', named.join(', '))];
}

export function lostReport(lost: readonly string[] = []): string[] {
  return lost.length === 0 ? [] : [l10n.t('Led elsewhere before: {0}', lost.join(', '))];
}

export function blockedReport(blocked: readonly Blocked[]): Refusal | undefined {
  if (blocked.length === 0) return undefined;
  const named = blocked.map(blockedText).join(', ');
  const isNetwork = blocked.every(({ kind }) => kind === 'network' || kind === 'port');
  const isRefused = blocked.every((each) => each.kind === 'network' && each.refused);
  const hint = blocked.some(({ kind }) => kind === 'registry')
    ? 'The registry settings of this project or user could not be shown without secrets, so no registry is used. Only lift "outside_sandbox" helps.'
    : isRefused
      ? 'The user refused; do without.'
      : `If the command needs it, call again with lift "${isNetwork ? 'network' : 'outside_sandbox'}" and a reason.`;
  return { forModel: `Blocked by the sandbox: ${named}. ${hint}`, forUser: l10n.t('Blocked: {0}', named) };
}

export function blockedInBackground(blocked: Blocked): string {
  return `Blocked by the sandbox: ${blockedText(blocked)}. Nobody is asked for a command in the background. Reach the host once with a command in the foreground, which asks the user; then it is open for this one too.`;
}

const networkSigns =
  /ENOTFOUND|EAI_AGAIN|ENETUNREACH|ECONNREFUSED|Could not resolve host|Temporary failure in name resolution|Name or service not known|[Nn]etwork is (?:unreachable|down)|Connection refused|Failed to connect to/;
const fileSigns =
  /EROFS|Read-only file system|EACCES|EPERM|Permission denied|Operation not permitted|EBUSY|EXDEV|Device or resource busy|cross-device link/;

/** Guesses from the end of what a failed command printed; programs print such text for other reasons too. */
export function refusalIn(output: string, hasNetwork: boolean): Refusal | undefined {
  if (!hasNetwork && networkSigns.test(output)) {
    return {
      forModel:
        'Perhaps the sandbox: it has no network. If the command needs it, call again with lift "network" and a reason.',
      forUser: l10n.t('Perhaps because of the sandbox: it has no network.'),
    };
  }
  if (!fileSigns.test(output)) return undefined;
  return {
    forModel:
      'Perhaps the sandbox: only the workspace can be written, without .git, editor settings and rules; secrets and the home folder are hidden; folders that hold any of these cannot be moved or linked out of. If needed, call again with lift "outside_sandbox" and a reason.',
    forUser: l10n.t(
      "Perhaps because of the sandbox: only the workspace can be written, without Git's data, editor settings, and instruction files; secrets are hidden.",
    ),
  };
}
