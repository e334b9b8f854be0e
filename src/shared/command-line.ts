const shells = new Set(
  'bash bat batch cmd console csh fish ksh nu nushell powershell ps1 pwsh sh shell shell-session shellscript terminal zsh'.split(
    ' ',
  ),
);

export function isForTerminal(language: string): boolean {
  return shells.has(language.toLowerCase());
}

/**
 * Returns the single command line of a code block without prompt sign and comments, or undefined when there is more
 * than one. A line with characters that a terminal acts upon, or that nobody sees, is refused, because the user could
 * not review it.
 */
export function commandForTerminal(code: string): string | undefined {
  const lines = code.split(/\r\n|[\r\n\u2028\u2029]/).filter((line) => line.trim() !== '' && !/^\s*#/.test(line));
  const [line] = lines;
  if (line === undefined || lines.length > 1) return undefined;
  const command = line.trim().replace(/^(?:\$|PS>|>) +/, '');
  return /[\p{Cc}\p{Cf}]/u.test(command) || command.endsWith('\\') ? undefined : command;
}
