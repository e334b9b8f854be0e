import * as l10n from '@vscode/l10n';
import { stripInvisible } from '../../agent/invisible.ts';

export interface CommandJudgement {
  /** Why it cannot be shown as what it is; such a line is not run at all. A sentence for the model. */
  refusal?: string;
  /** For the person who is asked. */
  warnings: readonly string[];
  /** Asked about even where it could do little harm otherwise. */
  deletes: boolean;
  /** False: asked about every time. Never a reason to run anything unasked. */
  mayBeRemembered: boolean;
}

const maxCommandLength = 10_000;

/**
 * Looks at a command line only to hold back: it finds reasons to refuse, to warn and to ask every time. There is no reading
 * of command lines that lets one run: shells have more ways to say a thing than any reader knows.
 */
export function judgeCommand(command: string): CommandJudgement {
  const refusal = refusalOf(command);
  if (refusal !== undefined) return { refusal, warnings: [], deletes: false, mayBeRemembered: false };
  // Quotes and escapes inside a word do not change it: `r''m` is rm.
  const plain = command.replace(/['"\\^]|\$@|\$\*/g, '');
  const fits = ({ pattern }: Pick<(typeof cautions)[number], 'pattern'>) =>
    pattern.test(plain) || pattern.test(command);
  const warnings = cautions.filter(fits).map(({ say }) => say());
  return { warnings, deletes: fits(deletion), mayBeRemembered: warnings.length === 0 };
}

/** A word where a command may stand, with or without the folder it is in. */
function word(names: string): RegExp {
  return new RegExp(`(^|[\\s;&|({/=])(${names})(?![\\w-])`, 'i');
}

/** The first word of a command. */
function commandWord(names: string): RegExp {
  return new RegExp(`(?:^|[;&|({\\n])[^\\S\\n]*(?:${names})(?=\\s)`, 'i');
}

const interpreter = /^(?:(?:ba|z|da|fi|k|c|tc)?sh|python[\d.]*|node|perl|ruby|php|pwsh|powershell)(?![\w-])/i;

/** Whether what stands behind a pipe, at the first place or behind `env`, reads programs. */
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

const deletion = {
  pattern: word('rm|rmdir|unlink|shred|del|erase|rd|remove-item|ri|mkfs\\S*|dd|truncate|-delete|clean'),
  say: () => l10n.t('Deletes or overwrites.'),
};

const cautions: readonly { pattern: Pick<RegExp, 'test'>; say: () => string }[] = [
  { pattern: /\n/, say: () => l10n.t('Spans several lines.') },
  { pattern: word('sudo|doas|su|pkexec|runas|gsudo'), say: () => l10n.t('Runs with the rights of another user.') },
  deletion,
  { pattern: { test: publishes }, say: () => l10n.t('Publishes commits.') },
  { pattern: /`|[<>]\(|\$[\w{(]|%\w+%/, say: () => l10n.t('Parts of it are filled in only when it runs.') },
  { pattern: commandWord('eval|iex|invoke-expression|source|\\.'), say: () => l10n.t('Runs text as a command.') },
  {
    pattern: { test: pipesToInterpreter },
    say: () => l10n.t("Runs another command's output."),
  },
  {
    pattern: word('curl|wget|nc|ncat|telnet|ssh|scp|rsync|invoke-webrequest|iwr'),
    say: () => l10n.t('Connects to another machine.'),
  },
];

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

/** Parts of words, and texts in quotes that no shell looks into; blanks; what stands between commands; where output goes. */
const piece = /(?:[\w.,:=@%+/*?~-]|\$\w)+|'[^'\n\t!]*'|"[^"\n\t!`$\\]*"/y;
const blanks = / +/y;
const separator = /&&|\|\||[;|]/y;
const redirection = /\d?>{1,2}(?:&\d(?!\w))?|<(?![<(&])/y;
/**
 * First words that go on in a later line, look into the history or at jobs, change what later words mean or what a prompt
 * runs, or put a program in the place of the shell, whose word that it has ended would be the program's own.
 */
const shellWords = new Set(
  'if then elif else fi for foreach while until do done case esac in select repeat function time coproc begin end switch and or not builtin command noglob nocorrect fc history r bg fg jobs disown wait suspend alias unalias bind complete trap read source . eval try catch param process filter exec set export declare typeset readonly local integer float unset enable shopt setopt unsetopt emulate autoload zmodload zle bindkey sched abbr getopts mapfile readarray let'.split(
    ' ',
  ),
);

/**
 * Whether the line goes to a plain shell that is given it as an argument. Only one complete line of simple commands, told by
 * what it may hold and not by what it must not, means the same where somebody could type: an interactive shell goes on
 * reading after `<<`, `if` or an open quote, replaces `!` and `^a^b` from its history, and keeps what ends in `&`.
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

/** Whether the line may end the shell that it is typed into, by a word of it: `exit 3`, `exec make`, `set -e; make`. */
export function mayEndShell(command: string): boolean {
  return /(^|[\s;&|({])(exit|exec|logout|return|kill|set\s+-\w*e)\b/.test(command);
}
