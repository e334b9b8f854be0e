/** Where the source of a package can be read. */
export interface SourcePlace {
  /** `https://github.com/owner/name`, without a slash at the end. */
  repository: string;
  /** The tag or branch that the package was built from. */
  ref: string;
}

/** Of no use, or not so, in an extension that is installed. */
const onlyForDevelopers = ['private', 'scripts', 'devDependencies', 'allowScripts'];

/** The manifest as it is packaged: without what only the repository needs, and with the repository's address if it is known. */
export function packagedManifest(manifest: Record<string, unknown>, source?: SourcePlace): Record<string, unknown> {
  const { vscode } = Object(manifest.engines);
  const kept = Object.entries(manifest).filter(([name]) => !onlyForDevelopers.includes(name));
  const packaged = { ...Object.fromEntries(kept), engines: { vscode } };
  if (source === undefined) return packaged;
  const { repository } = source;
  return {
    ...packaged,
    repository: { type: 'git', url: `${repository}.git` },
    bugs: { url: `${repository}/issues` },
    homepage: `${repository}#readme`,
  };
}

const image = /!\[([^\]]*)\]\(([^)\s]+)\)/g;
const link = /\[([^\]]+)\]\(([^)\s]+)\)/g;
const beforeInstall = /<!-- before install -->[\s\S]*?<!-- \/before install -->\n*/g;
const repositoryOnly = /<!-- repository only -->[\s\S]*?<!-- \/repository only -->\n*/g;

/**
 * Markdown as it is packaged. On an extension's page VS Code draws pictures from https only, takes the address from
 * `data:`, and opens links to https, http, and mail only, so relative ones become addresses in the repository. Without a repository, pictures and the parts between
 * `repository only` marks are left out, and a relative link becomes its text. What is told before an install is told to nobody who
 * reads that page, and what is unreleased is released with this version.
 */
export function packagedMarkdown(sourceText: string, version: string, source?: SourcePlace): string {
  const text = sourceText.replace(beforeInstall, '').replace('## [Unreleased]', `## ${version}`);
  const address = (kind: 'raw' | 'blob', target: string) => `${source?.repository}/${kind}/${source?.ref}/${target}`;
  const shown = (source === undefined ? text.replace(repositoryOnly, '') : text).replace(/<!--[\s\S]*?-->\n*/g, '');
  return shown
    .replace(image, (whole, title: string, target: string) => {
      if (!isRelative(target)) return whole;
      return source === undefined ? '' : `![${title}](${address('raw', target)})`;
    })
    .replace(link, (whole, title: string, target: string) => {
      if (!isRelative(target)) return whole;
      return source === undefined ? title : `[${title}](${address('blob', target)})`;
    })
    .replace(/\n{3,}/g, '\n\n');
}

/** A page of the help as it is packaged: without what only holds it true. Its links stay, because they lead to other pages of the help. */
export function packagedHelp(text: string): string {
  return text.replace(/<!--[\s\S]*?-->/g, '').replace(/\n{3,}/g, '\n\n');
}

/** Neither an address of its own nor a place in the same page. */
function isRelative(target: string): boolean {
  return !/^(?:[a-z][\w+.-]*:|#)/i.test(target);
}

/** VS Code's marketplace knows no suffixes of versions: releases have an even minor number and pre-releases an odd one. */
export function isPreRelease(version: string): boolean {
  const minor = /^\d+\.(\d+)\.\d+$/.exec(version)?.[1];
  if (minor === undefined) throw new Error(`The version is three numbers, not ${version}`);
  return Number(minor) % 2 === 1;
}
