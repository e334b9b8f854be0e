import * as l10n from '@vscode/l10n';
import { ToolError } from '../../../agent/tool.ts';
import type { GitProgram } from '../../../tools/git/git-program.ts';
import { diffOptions, parseChanges, shownText } from './file-changes.ts';
import type { PullRequestMaterial } from './pull-request.ts';
import { onlyToolError } from './trees.ts';

export interface PullRequestRepository {
  /** `likely` holds branches that the work may go into, the remote's default first. `all` holds every branch. */
  branches(): Promise<{ likely: string[]; all: string[] }>;
  /**
   * Describes everything since the work left `base`. `hides` returns whether a displayed path may not be sent. Throws
   * `ToolError` where git cannot answer.
   */
  material(base: string, hides: (path: string) => Promise<boolean>): Promise<PullRequestMaterial>;
}

const maxBranches = 200;
const maxMessages = 31;
const maxTemplateLength = 64 * 1024;

export function createPullRequestRepository({ run }: GitProgram): PullRequestRepository {
  const git = (args: readonly string[]) => run(args);
  const orEmpty = (args: readonly string[]) => git(args).catch(onlyToolError);

  async function template(): Promise<string> {
    const list = ['ls-tree', '--full-tree', '--name-only', '-z', 'HEAD'];
    const listed = [await orEmpty(list), await orEmpty([...list, '-r', '--', '.github', 'docs'])];
    const found = listed.flatMap((names) => names.split('\0')).filter((name) => templatePath.test(name));
    const [first] = found.toSorted((a, b) => rank(a) - rank(b));
    if (first === undefined) return '';
    return (await orEmpty(['cat-file', 'blob', `HEAD:${first}`])).slice(0, maxTemplateLength);
  }

  /** Chooses among the defaults of several remotes, as a fork has them, the one that the fewest commits lead away from. */
  async function closest(refs: readonly string[]): Promise<string[]> {
    if (new Set(refs.map(remoteOf)).size < 2) return [...refs];
    const counts = await Promise.all(refs.map((ref) => orEmpty(['rev-list', '--count', `${ref}..HEAD`])));
    const least = Math.min(...counts.map(Number));
    return refs.filter((_ref, at) => Number(counts[at]) === least).slice(0, 1);
  }

  return {
    async branches() {
      const format = ['for-each-ref', '--format=%(refname)', `--count=${maxBranches}`, 'refs/heads', 'refs/remotes'];
      const refs = (await git(format)).split('\n').filter((name) => name !== '' && !name.endsWith('/HEAD'));
      const current = (await orEmpty(['symbolic-ref', '--quiet', 'HEAD'])).trim();
      const others = refs.filter((name) => name !== current);
      const followed = (await orEmpty(['rev-parse', '--symbolic-full-name', '@{upstream}'])).trim();
      const heads = (await orEmpty(['for-each-ref', '--format=%(symref)', 'refs/remotes'])).split('\n');
      const likely = others.includes(followed) && inRemote(followed) !== inRemote(current) ? [followed] : [];
      if (likely.length === 0) likely.push(...(await closest(defaultsAmong(others, heads))));
      return { likely: likely.map(shortName), all: others.map(shortName) };
    },
    async material(base, hides) {
      const commit = (
        await orEmpty(['rev-parse', '--verify', '--quiet', '--end-of-options', `${base}^{commit}`])
      ).trim();
      const left = commit === '' ? '' : (await orEmpty(['merge-base', 'HEAD', commit])).trim();
      if (left === '') throw new ToolError(l10n.t('{0} and the current branch have no commit in common.', base));
      const commitCount = Number(await git(['rev-list', '--count', `${left}..HEAD`]));
      const format = [
        '--no-show-signature',
        '--no-notes',
        '--no-merges',
        '--format=%B%x00',
        `--max-count=${maxMessages}`,
      ];
      const messages = (await git(['log', ...format, `${left}..HEAD`])).split('\0').map((text) => text.trim());
      const diff = (...form: string[]) =>
        run(['diff-tree', ...diffOptions, ...form, left, 'HEAD'], { encoding: 'latin1' });
      const changes = parseChanges(await diff('--raw', '-z'), await diff('--patch'));
      const names = new Set(changes.flatMap(({ path, oldPath = path }) => [shownText(path), shownText(oldPath)]));
      const hidden = new Set<string>();
      for (const name of names) if (await hides(name)) hidden.add(name);
      const branch = (await orEmpty(['symbolic-ref', '--quiet', '--short', 'HEAD'])).trim();
      const commits = messages.filter((text) => text !== '');
      return { base, branch, commits, commitCount, changes, hidden, template: await template() };
    },
  };
}

const remoteOf = (ref: string) => /^refs\/remotes\/([^/]+)\//.exec(ref)?.[1] ?? '';
const inRemote = (ref: string) => ref.replace(/^refs\/(?:heads|remotes\/[^/]+)\//, '');

/** Takes the default that a remote names, else its main and master; the user's own where no remote has any. */
function defaultsAmong(refs: readonly string[], heads: readonly string[]): string[] {
  const named = refs.filter((ref) => heads.includes(ref));
  const usual = ['main', 'master'].flatMap((name) => refs.filter((ref) => inRemote(ref) === name));
  const unnamed = usual.filter((ref) => !named.some((head) => remoteOf(head) === remoteOf(ref)));
  const found = [...named, ...unnamed.filter((ref) => remoteOf(ref) !== '')];
  if (named.length > 0) return found;
  return [...found, ...usual.filter((ref) => remoteOf(ref) === '')];
}

const shortName = (ref: string) => ref.replace(/^refs\/(?:heads|remotes)\//, '');

const templatePath = /^(?:\.github\/|docs\/)?pull_request_template(?:\/[^/]+)?\.(?:md|txt)$/i;

function rank(path: string): number {
  const places = ['.github/', '', 'docs/'];
  const folder = places.find((place) => place !== '' && path.startsWith(place)) ?? '';
  return places.indexOf(folder) + (/template\//i.test(path) ? places.length : 0);
}
