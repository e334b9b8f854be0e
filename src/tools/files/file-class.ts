import * as l10n from '@vscode/l10n';
import { fold, isGitPath, isSecretPath } from './protected-path.ts';

/** Why a file is special to writers. `secret`: may hold secrets. The others decide what runs or what a tool obeys. */
export type SensitiveKind = 'editor' | 'secret' | 'runs' | 'rules' | 'git' | 'user';

/** What writing to a file means. `sensitive` is asked about every time, whatever is set or was remembered. */
export type FileClass = { kind: 'denied' } | { kind: 'sensitive'; because: SensitiveKind } | { kind: 'ordinary' };

/** Folders, anywhere in a path. */
const sensitiveFolders: Readonly<Record<string, SensitiveKind>> = {
  '.vscode': 'editor',
  '.vs': 'editor',
  '.cursor': 'editor',
  '.idea': 'editor',
  '.fleet': 'editor',
  '.zed': 'editor',
  '.devcontainer': 'editor',
  '.vscode-test': 'editor',
  '.vscode-server': 'editor',
  '.nvim': 'editor',
  '.theia': 'editor',
  '.settings': 'editor',
  '.husky': 'git',
  '.githooks': 'git',
  '.hg': 'git',
  '.svn': 'git',
  '.jj': 'git',
  '.pre-commit': 'git',
  '.lefthook': 'git',
  '.github': 'runs',
  '.forgejo': 'runs',
  '.gitea': 'runs',
  '.woodpecker': 'runs',
  '.tekton': 'runs',
  '.direnv': 'runs',
  '.pnp': 'runs',
  '.gitlab': 'runs',
  '.circleci': 'runs',
  '.buildkite': 'runs',
  '.cargo': 'runs',
  '.mvn': 'runs',
  '.yarn': 'runs',
  '.bundle': 'runs',
  '.storybook': 'runs',
  node_modules: 'runs',
  '.venv': 'runs',
  'site-packages': 'runs',
  '.claude': 'rules',
  '.clinerules': 'rules',
  '.roo': 'rules',
  '.kilocode': 'rules',
  '.continue': 'rules',
  '.windsurf': 'rules',
  '.agents': 'rules',
  '.agent': 'rules',
  '.codex': 'rules',
  '.gemini': 'rules',
  '.copilot': 'rules',
  '.amazonq': 'rules',
  '.junie': 'rules',
  '.trae': 'rules',
  '.augment': 'rules',
  '.qwen': 'rules',
  '.opencode': 'rules',
  '.goose': 'rules',
  '.kiro': 'rules',
  '.openhands': 'rules',
  '.factory': 'rules',
};

/** Names of files, after `fold`. The first that fits says why. */
const sensitiveNames: readonly (readonly [because: SensitiveKind, pattern: RegExp])[] = [
  ['editor', /\.code-(?:workspace|profile)$/],
  ['editor', /^\.?mcp(?:[-_.][\w-]+)?\.json$/],
  ['editor', /^\.?devcontainer\.json$/],
  // Read when an editor or a debugger starts in the folder.
  [
    'editor',
    /^\.(?:g?vimrc|n?vim\.lua|nvimrc|exrc|dir-locals(?:-2)?\.el|gdbinit|lldbinit|cgdb|sublime-project|pythonstartup|pdbrc)$|^\.radare2rc$|\.(?:sublime-project|xcscheme)$|^(?:_vimrc|_exrc)$/,
  ],
  ['git', /^\.git(?:attributes|modules|config)$/],
  [
    'git',
    /^\.?(?:pre-commit-config\.ya?ml|pre-commit-hooks\.ya?ml|lefthook(?:-local)?\.(?:ya?ml|toml|json)|huskyrc.*|overcommit\.yml|simple-git-hooks\..*|lintstagedrc.*|commitlintrc.*)$/,
  ],
  // With a few empty folders these make any folder a repository, and git obeys its `config`.
  ['git', /^(?:head|config)$/],
  ['secret', /^\.env/],
  ['secret', /^\.(?:npmrc|yarnrc(?:\.yml)?|pnpmrc)$/],
  ['rules', /^(?:agents?|claude|gemini|qwen|codex|crush|warp|opencode|conventions)(?:\.(?:local|override))?\.md$/],
  ['rules', /^(?:copilot-instructions|skill)\.md$/],
  ['rules', /\.(?:prompt|instructions|chatmode|agent)\.md$/],
  [
    'rules',
    /^\.(?:cursorrules|windsurfrules|clinerules.*|roorules.*|roomodes|kilocodemodes|aider.*|mentatconfig.*|goosehints|rules|replit(?:\.nix)?)$|^opencode\.jsonc?$|^replit\.md$|^\.?greptile\.json$/,
  ],
  // Compilers and language servers load the plugins that these name.
  [
    'runs',
    /^(?:ts|js)config(?:\..*)?\.json$|^(?:angular|nest-cli|babel|project|workspace|app|jest|nodemon|tslint|biome)\.jsonc?$|^\.(?:solargraph|rubocop|clangd|ocamlformat|rspec|irbrc|pryrc|rprofile|renviron|julia.*)(?:\.ya?ml)?$/,
  ],
  [
    'runs',
    /^(?:flake|shell|default|devenv)\.nix$|^(?:devbox|devenv|nodemon|mprocs|process-compose)\.(?:json|ya?ml)$|^\.procfile$|^\.?(?:just|task)file$|^\.?(?:sitecustomize|startup)\.py$/,
  ],
  ['runs', /^(?:package|package-lock|npm-shrinkwrap|composer|deno|bower|lerna|nx|turbo|project)\.jsonc?$/],
  ['runs', /\.lockb?$|[-.]lock\.\w+$/],
  ['runs', /^(?:go\.(?:mod|sum|work)|go\.work\.sum|bunfig\.toml|pnpm-workspace\.yaml|\.pnpmfile\.c?js)$/],
  ['runs', /^(?:gnu)?makefile(?:\..*)?$|\.(?:mk|mak|cmake)$|^cmakelists\.txt$|^cmake.*presets\.json$/],
  [
    'runs',
    /^(?:justfile|taskfile|rakefile|gemfile|procfile|vagrantfile|brewfile|fastfile|podfile|jenkinsfile|tiltfile|earthfile)(?:\..*)?$/,
  ],
  ['runs', /^(?:docker|container)file(?:\..*)?$|\.dockerfile$|^(?:docker-)?compose[\w.-]*\.ya?ml$/],
  ['runs', /^(?:build|workspace|module)(?:\.bazel)?$|^\.bazelrc$|\.bzl$|^meson\.build$|^s(?:construct|conscript)$/],
  [
    'runs',
    /\.gradle(?:\.kts)?$|^gradle(?:w(?:\.bat)?|[.-].*properties)$|^(?:pom\.xml|mvnw(?:\.cmd)?|build\.xml|build\.sbt)$/,
  ],
  ['runs', /^(?:cargo\.toml|build\.rs|rust-toolchain(?:\.toml)?)$/],
  [
    'runs',
    /^(?:setup\.(?:py|cfg)|pyproject\.toml|conftest\.py|tox\.ini|noxfile\.py|pytest\.ini|pipfile|(?:site|user)customize\.py|manage\.py)$/,
  ],
  ['runs', /^(?:requirements|constraints)[\w.-]*\.(?:txt|in)$|\.pth$|^environment\.ya?ml$/],
  [
    'runs',
    /\.(?:cs|vb|fs|vcx|es|sql|wap|dc)proj$|\.(?:sln|slnx|props|targets|gemspec|podspec|cabal|nimble)$|^global\.json$|^nuget\.config$/,
  ],
  [
    'runs',
    /^\.(?:gitlab-ci|travis|appveyor|drone|cirrus|woodpecker)\.ya?ml$|^(?:appveyor|azure-pipelines|bitbucket-pipelines|cloudbuild|buildspec|action)[\w.-]*\.ya?ml$/,
  ],
  [
    'runs',
    /^(?:gulpfile|gruntfile|jakefile)\.|(?:^|\.)conf(?:ig)?\.[cm]?[jt]s$|^\.\w+rc(?:\.(?:[cm]?[jt]s|json|ya?ml|toml))?$/,
  ],
  [
    'runs',
    /^\.(?:bash|zsh)(?:rc|env|_profile|_login|_logout)$|^\.z?(?:profile|login|logout)$|^\.envrc$|^\.?mise\.toml$|^\.tool-versions$/,
  ],
];

/**
 * Reads a path relative to its workspace folder as a careless file system would. Ask for the path that was typed and for where
 * it really leads; the stricter answer counts. `isProtected` adds the user's own list.
 */
export function classifyFile(path: string, isProtected: (path: string) => boolean = () => false): FileClass {
  if (isGitPath(path)) return { kind: 'denied' };
  const parts = fold(path).split('/');
  const name = parts.at(-1) ?? '';
  const folder = parts.find((part) => Object.hasOwn(sensitiveFolders, part));
  const byName = sensitiveNames.find(([, pattern]) => pattern.test(name));
  const because =
    byName?.[0] ??
    (folder === undefined ? undefined : sensitiveFolders[folder]) ??
    (isSecretPath(path) ? 'secret' : undefined) ??
    (isProtected(path) ? 'user' : undefined);
  return because === undefined ? { kind: 'ordinary' } : { kind: 'sensitive', because };
}

const warnings: Readonly<Record<SensitiveKind, () => string>> = {
  editor: () => l10n.t('This file configures the editor or its tools and can make them run programs.'),
  secret: () => l10n.t("This file might contain secrets or control where they're sent."),
  runs: () => l10n.t('This file controls what runs when the project is built, tested, or installed.'),
  rules: () => l10n.t('This file contains instructions that AI assistants follow.'),
  git: () => l10n.t('This file controls what Git runs or reads.'),
  user: () => l10n.t('This file is on your list of protected files.'),
};

/** The sentence on the card, for people. */
export function warningOf(because: SensitiveKind): string {
  return warnings[because]();
}
