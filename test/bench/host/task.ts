import type { ContenderName, Outcome } from '../contenders/contender.ts';

/** What the bench asks of one extension host, as JSON in the file that `SVC_BENCH_TASK` names. */
export type Task = StreamTask | ColdTask | ActivationTask | FirstUseTask | LightbulbTask;

export interface ContenderFile {
  name: ContenderName;
  /** Absolute path of its bundle. */
  file: string;
}

/** P1–P4 with everything loaded and warm; all contenders in turn in each round. */
export interface StreamTask {
  kind: 'stream';
  contenders: ContenderFile[];
  /** `http://127.0.0.1:<port>` of the stream server. */
  origin: string;
  rounds: number;
  seed: number;
  parts: StreamPart[];
  /** By scenario: what each contender must have handed over. */
  expected: Record<string, Outcome>;
}

export type StreamPart = 'P1' | 'P2' | 'P3' | 'P4';

/** P3 cold and the memory of P1: one contender in a host that has loaded nothing for it. */
export interface ColdTask {
  kind: 'cold';
  contender: ContenderFile;
  origin: string;
}

/** P8 and P9: one extension, activated once. */
export interface ActivationTask {
  kind: 'activation';
  extensionId: string;
  idleMs: number;
  afterMs: number;
}

/** P25: one extension, and its first command after `idleMs`. */
export interface FirstUseTask {
  kind: 'firstUse';
  extensionId: string;
  command: string;
  idleMs: number;
}

/** P17: one extension, and a selection that it may have code actions for. */
export interface LightbulbTask {
  kind: 'lightbulb';
  extensionId: string;
}

/** By metric, a list of rounds. */
export type StreamMetric =
  | 'burstCpuMs'
  | 'burstBlockMs'
  | 'toolsCpuUs1000'
  | 'toolsCpuUs8000'
  | 'firstDeltaMs'
  | 'pacedCpuUs';
export type StreamResult = Record<StreamMetric, Record<string, number>[]>;

export interface ColdResult {
  /** From the call to the first delta, its module not yet loaded. */
  coldMs: number;
  /** The same when all that a request needs was loaded before, and no request made. */
  loadedMs: number;
  /** Proportional set size at the highest point of a burst over the one before loading. */
  burstPeakMb: number;
  /** The same after the burst and a collection. */
  keptMb: number;
}

export interface ActivationResult {
  activateMs: number;
  /** Says the same on a busy machine, where the time is mostly waiting. */
  activateCpuMs: number;
  maxBlockMs: number;
  /** CPU of the host in the time after activation. */
  cpuAfterMs: number;
  /** CPU of the host in an equal time before. */
  cpuBeforeMs: number;
  memoryMb: number;
}

export interface FirstUseResult {
  maxBlockMs: number;
  /** Until the command has ended. */
  readyMs: number;
}

export interface LightbulbResult {
  medianMs: number;
  p95Ms: number;
  /** How many of ours were offered. */
  actions: number;
}
