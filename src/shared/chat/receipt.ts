import type { SentTokens } from '../events.ts';
import type { RequestRow } from './request-rows.ts';

export type ReceiptLine = 'overhead' | 'history' | 'steps' | 'others' | 'thinking' | 'reply';

export interface Receipt {
  lines: readonly { line: ReceiptLine; tokens: number }[];
  /** Counts what the answer would have cost less after a compaction, the price of that deducted. */
  savedByCompacting: number;
}

// A compaction leaves this much word for word, and writes about this much.
const [kept, summary] = [4000, 1200];

export function receiptOf(rows: readonly RequestRow[], sent: SentTokens | undefined): Receipt {
  const { overhead = 0, history = 0, steps = 0 } = sent ?? {};
  const sum = (of: (row: RequestRow) => number) => rows.reduce((all, row) => all + of(row), 0);
  const thinking = sum(({ thinkingTokens }) => thinkingTokens);
  const tokens: Record<ReceiptLine, number> = {
    overhead,
    history,
    steps,
    others: sum(({ promptTokens }) => promptTokens) - overhead - history - steps,
    thinking,
    reply: sum(({ completionTokens }) => completionTokens) - thinking,
  };
  const lines = (Object.keys(tokens) as ReceiptLine[]).map((line) => ({ line, tokens: tokens[line] }));
  const requests = rows.filter(({ purpose, promptTokens }) => promptTokens > 0 && isOfAnswer(purpose)).length;
  const old = requests === 0 ? 0 : history / requests - kept;
  return {
    lines: lines.filter((each) => each.tokens > 0),
    savedByCompacting: Math.max(0, Math.round(requests * (old - summary) - (old + summary))),
  };
}

function isOfAnswer({ kind }: RequestRow['purpose']): boolean {
  return kind === 'answer' || kind === 'tools';
}
