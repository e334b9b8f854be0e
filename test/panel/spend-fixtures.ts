import type {
  NamedSum,
  SpendDay,
  SpendHostMessage,
  SpendReport,
  SpendSum,
} from '../../src/shared/panel/spend-report.ts';

const names = [
  'Kimi K3',
  'DeepSeek V4-Pro',
  'GLM-5.3 Flash',
  'Qwen 3.8 27B',
  'DeepSeek V4.1 Flash',
  'GLM 5.3',
  'Kimi K3 Fast',
];

export function spendSum(microUsd: number, change: Partial<SpendSum> = {}): SpendSum {
  const promptTokens = Math.round(microUsd / 0.4);
  const requests = microUsd === 0 ? 0 : 12;
  return {
    microUsd,
    estimated: false,
    promptTokens,
    completionTokens: 800,
    requests,
    notCharged: 0,
    possiblyCharged: 0,
    ...change,
  };
}

const zero: SpendSum = spendSum(0, { completionTokens: 0 });

function add(sums: readonly SpendSum[]): SpendSum {
  return sums.reduce(
    (total, sum) => ({
      microUsd: total.microUsd + sum.microUsd,
      estimated: total.estimated || sum.estimated,
      promptTokens: total.promptTokens + sum.promptTokens,
      completionTokens: total.completionTokens + sum.completionTokens,
      requests: total.requests + sum.requests,
      notCharged: total.notCharged + sum.notCharged,
      possiblyCharged: total.possiblyCharged + sum.possiblyCharged,
    }),
    zero,
  );
}

/** Thirty days up to 20 November 2026, a free weekend now and then, seven models. */
export function spendReport(change: Partial<SpendReport> = {}): SpendHostMessage {
  const days = Array.from({ length: 30 }, (_, index): SpendDay => {
    const day = new Date(Date.UTC(2026, 9, 22 + index)).toISOString().slice(0, 10);
    const models: NamedSum[] =
      index % 7 > 4
        ? []
        : names.slice(0, 2 + (index % 6)).map((name, kind) => ({
            name,
            ...spendSum(((index * 37 + kind * 53) % 90) * 4000 + 9000, {
              estimated: index === 29,
              notCharged: kind === 1 ? 2 : 0,
              possiblyCharged: kind === 2 ? 1 : 0,
            }),
          }));
    return { day, ...add(models), models };
  });
  const models = names.map((name) => ({
    name,
    ...add(days.flatMap((day) => day.models.filter((model) => model.name === name))),
  }));
  const total = add(days);
  return {
    type: 'report',
    report: {
      locale: 'en',
      days,
      today: days.at(-1) ?? zero,
      week: add(days.slice(-7)),
      month: total,
      total,
      models,
      surfaces: [
        { name: 'Chat and agent', ...spendSum(4_210_000) },
        { name: 'Inline edit', ...spendSum(610_000) },
      ],
      conversations: [
        { id: 'c1', exists: true, name: 'Rename the loader everywhere', ...spendSum(2_400_000) },
        { id: 'c2', exists: false, name: 'Deleted conversation', ...spendSum(1_100_000, { estimated: true }) },
      ],
      dailyLimitMicroUsd: 1_500_000,
      damaged: 0,
      ...change,
    },
  };
}

export const emptySpend: Partial<SpendReport> = {
  days: Array.from({ length: 7 }, (_, index) => ({ day: `2026-11-${14 + index}`, ...zero, models: [] })),
  today: zero,
  week: zero,
  month: zero,
  total: zero,
  models: [],
  surfaces: [],
  conversations: [],
  dailyLimitMicroUsd: undefined,
};
