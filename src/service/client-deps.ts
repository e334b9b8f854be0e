import type { Clock } from '../base/clock.ts';
import type { Attempt } from '../shared/messages.ts';
import type { ServiceModel } from './contract.ts';
import type { FallbackRules } from './step/fallback.ts';
import type { Learned } from './step/learned.ts';
import type { Counted } from './tokens.ts';
import type { Transport } from './wire/transport.ts';

/** Everything the client needs from outside. Functions are asked anew for each request, so settings apply at once. */
export interface ClientDeps {
  /** Normalised, ends in `/v1`; empty when none is set. */
  baseUrl(): string;
  key(): Promise<string | undefined>;
  transport: Transport;
  learned: Learned;
  /** The data URL of an image by its hash; undefined when it is no longer stored. Without it no image is sent. */
  readImage?(hash: string): Promise<string | undefined>;
  /** The live list, else the last good one; empty when there is none. */
  modelIds(): readonly string[];
  /** The list was read anew, because an id was not on the one at hand. */
  onModels?(models: readonly ServiceModel[]): void;
  fallback(): FallbackRules;
  /** The calibrated count of a prompt; without it the estimate before anything was learned. */
  promptTokens?(request: Counted): number;
  clock: Clock;
  /** Whether a name means a tool that models know from elsewhere; absent: only the tools of a request have names. */
  recognises?(toolName: string): boolean;
  /** In [0, 1). */
  random(): number;
  newId(): string;
  redact(text: string): string;
  /** Takes keys out of text that is about to be sent. */
  maskKeys?(text: string): string;
  /** Hears of every attempt when it has ended. */
  onAttempt?(attempt: Attempt): void;
  log(line: string): void;
  timeouts(): { firstEventMs: number; idleMs: number };
  /** Facts for the cards of network failures: that a proxy is set, say. */
  networkFacts?(): Record<string, string | number>;
}

/** Address and key of one step, read once so that a change in between cannot send a key to another address. */
export interface Access {
  baseUrl: string;
  key: string;
}

export const chatEndpoint = 'POST /chat/completions';
export const listEndpoint = 'GET /models';
