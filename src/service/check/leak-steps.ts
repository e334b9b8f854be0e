import * as z from 'zod/mini';
import { isoTime } from '../../base/iso-time.ts';
import { type Versions, versionsLine } from './report.ts';

export const leakSteps = ['create', 'switch', 'review', 'notify'] as const;
export type LeakStep = (typeof leakSteps)[number];

export interface LeakState {
  /** Holds the first characters of the leaked key, never all of it. */
  keyStart: string;
  done: LeakStep[];
  /** The new key came into use at this time, in epoch milliseconds. */
  switchedAt?: number;
}

const stateSchema = z.object({
  keyStart: z.string().check(z.maxLength(20)),
  done: z.array(z.enum(leakSteps)),
  switchedAt: z.optional(z.number()),
});

export function readLeakState(stored: unknown): LeakState | undefined {
  const parsed = stateSchema.safeParse(stored);
  return parsed.success ? parsed.data : undefined;
}

export function nextLeakStep({ done }: LeakState): LeakStep | undefined {
  return leakSteps.find((step) => !done.includes(step));
}

export function withStepDone(state: LeakState, step: LeakStep, epochMs: number): LeakState {
  const done = leakSteps.filter((each) => each === step || state.done.includes(each));
  return { ...state, done, ...(step === 'switch' ? { switchedAt: epochMs } : {}) };
}

/** The report for support contains at most the first characters of the key. */
export function leakReport({ keyStart, switchedAt }: LeakState, epochMs: number, versions: Versions): string {
  return [
    'svc Assistant: an API key was leaked',
    '',
    `Time: ${isoTime(epochMs)}`,
    `Key: ${keyStart === '' ? 'first characters unknown' : keyStart}`,
    switchedAt === undefined
      ? 'A new key is not in use here yet.'
      : `A new key has been in use here since ${isoTime(switchedAt)}.`,
    'Please disable the old key and tell me whether anyone else used it.',
    '',
    versionsLine(versions),
    '',
  ].join('\n');
}
