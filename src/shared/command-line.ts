const shells = new Set(
  'bash bat batch cmd console csh fish ksh nu nushell powershell ps1 pwsh sh shell shell-session shellscript terminal zsh'.split(
    ' ',
  ),
);

/** Whether code in this language, as the model wrote its name, is for a terminal. */
export function isForTerminal(language: string): boolean {
  return shells.has(language.toLowerCase());
}

/**
 * The one command line that a block of code is; undefined when it is more than one. Sign of a prompt and comments are left out.
 * What a terminal would act upon itself, and what nobody sees, is nothing to write into one unread.
 */
export function commandForTerminal(code: string): string | undefined {
  const lines = code.split(/\r\n|[\r\n\u2028\u2029]/).filter((line) => line.trim() !== '' && !/^\s*#/.test(line));
  const [line] = lines;
  if (line === undefined || lines.length > 1) return undefined;
  const command = line.trim().replace(/^(?:\$|PS>|>) +/, '');
  return /[\p{Cc}\p{Cf}]/u.test(command) || command.endsWith('\\') ? undefined : command;
}
