import type { Clock } from '../base/clock.ts';
import type { Attempt } from '../shared/messages.ts';
import type { ServiceModel } from './contract.ts';
import type { FallbackRules } from './step/fallback.ts';
import type { Learned } from './step/learned.ts';
import type { Counted } from './tokens.ts';
import type { Transport } from './wire/transport.ts';

/** Functions are called anew for each request, so that settings apply at once. */
export interface ClientDeps {
  /** The address is normalized and ends in `/v1`; it is empty when none is set. */
  baseUrl(): string;
  key(): Promise<string | undefined>;
  transport: Transport;
  learned: Learned;
  /**
   * Resolves to the data URL of an image, or to undefined when it is no longer stored. Without this function no image
   * is sent.
   */
  readImage?(hash: string): Promise<string | undefined>;
  modelIds(): readonly string[];
  onModels?(models: readonly ServiceModel[]): void;
  fallback(): FallbackRules;
  promptTokens?(request: Counted): number;
  clock: Clock;
  recognises?(toolName: string): boolean;
  random(): number;
  newId(): string;
  redact(text: string): string;
  maskKeys?(text: string): string;
  onAttempt?(attempt: Attempt): void;
  log(line: string): void;
  timeouts(): { firstEventMs: number; idleMs: number };
  networkFacts?(): Record<string, string | number>;
}

/** Address and key are read once per step, so that a change in between cannot send a key to another address. */
export interface Access {
  baseUrl: string;
  key: string;
}

export const chatEndpoint = 'POST /chat/completions';
export const listEndpoint = 'GET /models';
