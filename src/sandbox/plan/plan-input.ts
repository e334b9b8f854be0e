import type { Clock } from '../../base/clock.ts';
import type { Protection } from '../../files/protection.ts';
import type { Reach } from '../reach.ts';
import type { ScanCache } from '../scan/scan-cache.ts';
import type { Owner } from '../user-namespace.ts';

export interface SandboxDeps {
  stateDir: string;
  home: string;
  editorData: readonly string[];
  roots(conversationId?: string): readonly string[];
  borrowed?(conversationId: string): Promise<readonly Shown[]>;
  protection(): Protection;
  /** Returns what the user lets commands read and write; secrets in what is only read stay covered. */
  readable(): readonly string[];
  writable(): readonly string[];
  environment: NodeJS.ProcessEnv;
  clock: Clock;
  log(line: string): void;
  /** When absent, each command has a network of its own, without a way out. */
  network?: { keeperFile: string; reach: Reach };
  bwrap?: string;
}

export interface Shown {
  source: string;
  target: string;
}

export interface PlanInput {
  deps: SandboxDeps;
  roots: readonly string[];
  home: string;
  /**
   * These folders of the conversation replace the home folder and the one for temporary files; commands cannot write
   * into `settings`.
   */
  state: { home: string; temp: string; settings: string };
  /** Commands may write this git data: folders `.git` in the roots, or what `gitBeyond` finds. */
  gitWritable?: readonly string[];
  shown?: readonly string[];
  borrowed?: readonly Shown[];
  uncovered?: readonly string[];
  canDownload?: boolean;
  isOwn?(file: string): boolean;
  owner?: Owner | undefined;
  scanCache?: ScanCache;
}
