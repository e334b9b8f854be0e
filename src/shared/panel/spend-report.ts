import * as z from 'zod/mini';

export interface SpendSum {
  microUsd: number;
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
  day: string;
  models: NamedSum[];
}

export interface SpendReport {
  locale: string;
  days: SpendDay[];
  today: SpendSum;
  week: SpendSum;
  month: SpendSum;
  total: SpendSum;
  models: NamedSum[];
  surfaces: NamedSum[];
  conversations: (NamedSum & { id: string; exists: boolean })[];
  dailyLimitMicroUsd?: number;
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
