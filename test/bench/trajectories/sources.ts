export const agents = ['Claude Code', 'Codex', 'pi', 'OpenHands', 'mini-swe-agent'] as const;
export type Agent = (typeof agents)[number];

/** Of public repositories on GitHub. A path may stand in several commits; its largest version is the recording. */
export interface Source {
  /** `owner/name`. */
  repository: string;
  agent: Agent;
  /** Path in the repository: by the name that the session has here, or all that fit a pattern, named by the last folder of their path. */
  files: Readonly<Record<string, string>> | RegExp;
  /** Nothing was chosen with these in view. */
  fresh?: true;
}

export const sources: readonly Source[] = [
  {
    repository: 'SWE-agent/mini-swe-agent',
    agent: 'mini-swe-agent',
    files: /^output\/deepseek_chat_(?:dev|dev_rerun|test_1-100)\/.*\.traj\.json$/,
  },
  {
    repository: 'abmoh4219/pharma-platform-fullstack',
    agent: 'Codex',
    files: {
      'pharma-rollout': 'rollout-2026-03-24T19-25-50-019d20aa-af36-7500-879c-e2319e96a4ee.jsonl',
      'pharma-early': 'trajectory.json',
    },
  },
  {
    repository: 'Eyob-smax/MeridianOps-Retail-Performance-Platform',
    agent: 'Codex',
    files: { retail: 'sessions/session.jsonl', 'retail-2': 'sessions/session-2.jsonl' },
  },
  {
    repository: 'Strawhat404/Meridian-Academy',
    agent: 'Claude Code',
    files: {
      'meridian-develop': 'sessions/develop-1.json',
      'meridian-bugfix-1': 'sessions/bugfix-1.json',
      'meridian-bugfix-2': 'sessions/bugfix-2.json',
    },
  },
  {
    repository: 'kalom60/w2t86',
    agent: 'Claude Code',
    files: { 'kalom-bugfix-2': 'sessions/bugfix-2.json' },
  },
  {
    repository: 'whiteowly/TASK-82',
    agent: 'Claude Code',
    files: {
      'whiteowly-develop': 'sessions/develop-1.json',
      'whiteowly-bugfix-1': 'sessions/bugfix-1.json',
      'whiteowly-bugfix-2': 'sessions/bugfix-2.json',
    },
  },
  {
    repository: 'netnaho/TASK-5',
    agent: 'Claude Code',
    files: {
      'netnaho-develop': 'sessions/develop-1.json',
      'netnaho-bugfix-1': 'sessions/bugfix-1.json',
      'netnaho-bugfix-2': 'sessions/bugfix-2.json',
    },
  },
  {
    repository: 'epha-b1/TripForge',
    agent: 'Claude Code',
    files: {
      'tripforge-develop': 'sessions/develop-1.json',
      'tripforge-bugfix-1': 'sessions/bugfix-1.json',
      'tripforge-bugfix-2': 'sessions/bugfix-2.json',
      'tripforge-bugfix-3': 'sessions/bugfix-3.json',
    },
  },
  {
    repository: 'minilikmila/w2t91',
    agent: 'Claude Code',
    files: {
      'minilikmila-develop': 'sessions/develop-1.json',
      'minilikmila-bugfix-1': 'sessions/bugfix-1.json',
      'minilikmila-bugfix-2': 'sessions/bugfix-2.json',
    },
  },
  {
    repository: 'addis-ale/task-54',
    agent: 'Claude Code',
    files: { 'careops-2': 'session-2.json' },
  },
  {
    repository: 'mode89/welpy',
    agent: 'pi',
    files: { welpy: 'session.jsonl' },
  },
  {
    repository: 'badlogic/pi-mono',
    agent: 'pi',
    files: {
      'pi-compaction': 'packages/coding-agent/test/fixtures/before-compaction.jsonl',
      'pi-large': 'packages/coding-agent/test/fixtures/large-session.jsonl',
    },
  },
  {
    repository: 'thefaftek-git/tls_scanner',
    agent: 'OpenHands',
    files: { 'tls-scanner': 'trajectory.json' },
  },
  {
    repository: 'Hale17OT/Task-43',
    agent: 'Claude Code',
    fresh: true,
    files: {
      'hale-develop-1': 'sessions/develop-1.json',
      'hale-bugfix-1': 'sessions/bugfix-1.json',
      'hale-bugfix-2': 'sessions/bugfix-2.json',
      'hale-bugfix-3': 'sessions/bugfix-3.json',
    },
  },
  {
    repository: 'Iceyadu/TASK-97',
    agent: 'Claude Code',
    fresh: true,
    files: {
      'iceyadu-develop-1': 'sessions/develop-1.json',
      'iceyadu-bugfix-1': 'sessions/bugfix-1.json',
      'iceyadu-bugfix-2': 'sessions/bugfix-2.json',
    },
  },
  {
    repository: 'epha-b1/ProctorWorks',
    agent: 'Claude Code',
    fresh: true,
    files: {
      'proctor-develop-1': 'sessions/develop-1.json',
      'proctor-bugfix-1': 'sessions/bugfix-1.json',
      'proctor-bugfix-2': 'sessions/bugfix-2.json',
      'proctor-bugfix-3': 'sessions/bugfix-3.json',
      'proctor-bugfix-4': 'sessions/bugfix-4.json',
    },
  },
  {
    repository: 'whiteowly/TASK-70',
    agent: 'Claude Code',
    fresh: true,
    files: {
      'whiteowly-70-develop-1': 'sessions/develop-1.json',
      'whiteowly-70-bugfix-1': 'sessions/bugfix-1.json',
      'whiteowly-70-bugfix-2': 'sessions/bugfix-2.json',
    },
  },
  {
    repository: 'kaleabendrias/TASK-34',
    agent: 'Claude Code',
    fresh: true,
    files: {
      'kaleab-develop-1': 'sessions/develop-1.json',
      'kaleab-bugfix-1': 'sessions/bugfix-1.json',
      'kaleab-bugfix-2': 'sessions/bugfix-2.json',
    },
  },
  {
    repository: 'TsionTesfaye/w2t113',
    agent: 'Claude Code',
    fresh: true,
    files: {
      'tsion-develop-1': 'sessions/develop-1.json',
      'tsion-develop-2': 'sessions/develop-2.json',
      'tsion-bugfix-1': 'sessions/bugfix-1.json',
      'tsion-bugfix-2': 'sessions/bugfix-2.json',
    },
  },
];

/** Names of sessions that nothing was chosen with. */
export const freshNames: ReadonlySet<string> = new Set(
  sources.flatMap(({ fresh, files }) => (fresh && !(files instanceof RegExp) ? Object.keys(files) : [])),
);
