import { ToolError } from '../../agent/tool.ts';

/** These settings are needed for reading and storing. None of them names a program or a folder. */
const needed = [
  /^core\.(?:repositoryformatversion|bare|filemode|ignorecase|precomposeunicode|symlinks|longpaths|trustctime|checkstat)$/,
  /^core\.(?:autocrlf|eol|safecrlf|checkroundtripencoding|sparsecheckout|sparsecheckoutcone|logallrefupdates)$/,
  /^(?:remote\..+\.(?:url|fetch)|branch\..+\.(?:remote|merge))$/s,
  /^extensions\.(?!worktreeconfig$)[^.]+$/,
];

export interface RepositorySettings {
  /** The text of a file with the needed settings alone. */
  text: string;
  /** These are the drivers of filters that are left out with all else. */
  filters: ReadonlySet<string>;
}

/** Takes what `git config --list -z` prints of the repository's own files. */
export function neededSettings(listed: string): RepositorySettings {
  const filters = new Set<string>();
  const lines: string[] = [];
  for (const entry of listed.split('\0')) {
    const [, name = '', value] = /^([^\n]+)(?:\n(.*))?$/s.exec(entry) ?? [];
    const [, driver] = /^filter\.(.+)\.[^.]+$/s.exec(name) ?? [];
    if (driver !== undefined) filters.add(driver);
    if (!needed.some((pattern) => pattern.test(name))) continue;
    if (name.startsWith('extensions.') && !/^\w*$/.test(value ?? '')) {
      throw new ToolError(`git was not asked, because the repository's setting ${name} names a place.`);
    }
    lines.push(settingLines(name, value));
  }
  return { text: lines.join(''), filters };
}

function settingLines(name: string, value: string | undefined): string {
  const [, section = '', , subsection, key = ''] = /^([^.]+)(\.(.*))?\.([^.]+)$/s.exec(name) ?? [];
  const header = subsection === undefined ? section : `${section} "${subsection.replace(/["\\]/g, '\\$&')}"`;
  const given = value === undefined ? '' : ` = "${value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
  return `[${header}]\n\t${key}${given}\n`;
}
