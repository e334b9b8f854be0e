import * as z from 'zod/mini';

/** A sum as the report shows it; micro-dollars and tokens are of charged and perhaps charged attempts only. */
export interface SpendSum {
  microUsd: number;
  /** Shown as ≈. */
  estimated: boolean;
  promptTokens: number;
  completionTokens: number;
  requests: number;
  notCharged: number;
  possiblyCharged: number;
}

export interface NamedSum extends SpendSum {
  name: string;
}

export interface SpendDay extends SpendSum {
  /** `YYYY-MM-DD`. */
  day: string;
  /** In the order of `SpendReport.models`; only models that were asked that day. */
  models: NamedSum[];
}

/** Everything that the spend report draws. */
export interface SpendReport {
  /** BCP 47. */
  locale: string;
  days: SpendDay[];
  today: SpendSum;
  week: SpendSum;
  month: SpendSum;
  /** The sum of `days`. */
  total: SpendSum;
  /** Within the days shown, dearest first, as the three below. */
  models: NamedSum[];
  surfaces: NamedSum[];
  /** All time. */
  conversations: (NamedSum & { id: string; exists: boolean })[];
  dailyLimitMicroUsd?: number;
  /** Lines of the ledger that could not be read. */
  damaged: number;
}

export const reportDays = [7, 30, 90] as const;

export const spendPageMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('days'), days: z.literal(reportDays) }),
  z.object({ type: z.literal('run'), command: z.enum(['svc.openDashboard', 'svc.exportSpend', 'svc.setSpendLimit']) }),
  z.object({ type: z.literal('openConversation'), id: z.string().check(z.maxLength(200)) }),
]);
export type SpendPageMessage = z.infer<typeof spendPageMessageSchema>;

export interface SpendHostMessage {
  type: 'report';
  report: SpendReport;
}
