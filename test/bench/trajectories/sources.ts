export const agents = ['Claude Code', 'Codex', 'pi', 'OpenHands', 'mini-swe-agent'] as const;
export type Agent = (typeof agents)[number];

/** Of public repositories on GitHub. A path may stand in several commits; its largest version is the recording. */
export interface Source {
  /** `owner/name`. */
  repository: string;
  /** The recordings are in its history. */
  commit: string;
  agent: Agent;
  /** Path in the repository: by the name that the session has here, or all that fit a pattern, named by the last folder of their path. */
  files: Readonly<Record<string, string>> | RegExp;
  /** Nothing was chosen with these in view. */
  fresh?: true;
}

export const sources: readonly Source[] = [
  {
    repository: 'SWE-agent/mini-swe-agent',
    commit: 'ec0e8e849fea5b1619deb1753007201000904672',
    agent: 'mini-swe-agent',
    files: /^output\/deepseek_chat_(?:dev|dev_rerun|test_1-100)\/.*\.traj\.json$/,
  },
  {
    repository: 'abmoh4219/pharma-platform-fullstack',
    commit: '2362fa0b5336a93e8ab63d204028334cd708b5af',
    agent: 'Codex',
    files: {
      'pharma-rollout': 'rollout-2026-03-24T19-25-50-019d20aa-af36-7500-879c-e2319e96a4ee.jsonl',
      'pharma-early': 'trajectory.json',
    },
  },
  {
    repository: 'Eyob-smax/MeridianOps-Retail-Performance-Platform',
    commit: '6bc8a7cd7dca5634b68526d6c3da7354d1d73f2c',
    agent: 'Codex',
    files: { retail: 'sessions/session.jsonl', 'retail-2': 'sessions/session-2.jsonl' },
  },
  {
    repository: 'Strawhat404/Meridian-Academy',
    commit: '816ed2db542b5d27113b305f7d8356fe2440747c',
    agent: 'Claude Code',
    files: {
      'meridian-develop': 'sessions/develop-1.json',
      'meridian-bugfix-1': 'sessions/bugfix-1.json',
      'meridian-bugfix-2': 'sessions/bugfix-2.json',
    },
  },
  {
    repository: 'kalom60/w2t86',
    commit: '0003b3a7c83ecded7fc28495781b26a6739eaec5',
    agent: 'Claude Code',
    files: { 'kalom-bugfix-2': 'sessions/bugfix-2.json' },
  },
  {
    repository: 'whiteowly/TASK-82',
    commit: '71d699348625e2b54b5bc9c0ac93cd07b613c655',
    agent: 'Claude Code',
    files: {
      'whiteowly-develop': 'sessions/develop-1.json',
      'whiteowly-bugfix-1': 'sessions/bugfix-1.json',
      'whiteowly-bugfix-2': 'sessions/bugfix-2.json',
    },
  },
  {
    repository: 'netnaho/TASK-5',
    commit: '522fa82b3eb590e1f9e018cb8e0c9828dbb43cd8',
    agent: 'Claude Code',
    files: {
      'netnaho-develop': 'sessions/develop-1.json',
      'netnaho-bugfix-1': 'sessions/bugfix-1.json',
      'netnaho-bugfix-2': 'sessions/bugfix-2.json',
    },
  },
  {
    repository: 'epha-b1/TripForge',
    commit: 'e5cba11d97be4015bcd30e2ca92a4e80722b3b32',
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
    commit: '0fefef630ca774b390ad5300e513ad70e9a076bf',
    agent: 'Claude Code',
    files: {
      'minilikmila-develop': 'sessions/develop-1.json',
      'minilikmila-bugfix-1': 'sessions/bugfix-1.json',
      'minilikmila-bugfix-2': 'sessions/bugfix-2.json',
    },
  },
  {
    repository: 'addis-ale/task-54',
    commit: '24eac6ff5a18e7cc793e76630c7c97f54d7956c5',
    agent: 'Claude Code',
    files: { 'careops-2': 'session-2.json' },
  },
  {
    repository: 'mode89/welpy',
    commit: 'bf53f7ff66d1b753b8758f89f9e958bf26209fc4',
    agent: 'pi',
    files: { welpy: 'session.jsonl' },
  },
  {
    repository: 'badlogic/pi-mono',
    commit: '83378aad7e74a0e2bb8f37c007a9685fb4609d8a',
    agent: 'pi',
    files: {
      'pi-compaction': 'packages/coding-agent/test/fixtures/before-compaction.jsonl',
      'pi-large': 'packages/coding-agent/test/fixtures/large-session.jsonl',
    },
  },
  {
    repository: 'thefaftek-git/tls_scanner',
    commit: 'df4e7f6f22cd7c3a4e6dc5a15f93f40bfeba4c04',
    agent: 'OpenHands',
    files: { 'tls-scanner': 'trajectory.json' },
  },
  {
    repository: 'Hale17OT/Task-43',
    commit: '4a29f7d8580c7595b49d2cb178c7ba3823962b7c',
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
    commit: '726fa72d2b27ac3f8f298b4a2ae5a282acd8c343',
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
    commit: 'f18f8367a4a3781d5919b4f960f359f44609e936',
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
    commit: '1f74284a5cf824436b0a8d7b8d9c1d699e4832cb',
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
    commit: '641b53d47e4fe8d22149d57b86ef89323f0c061c',
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
    commit: '7a24d2d960b4159167b942ab921402e68fc71dc0',
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
