import type { SubagentPaid } from '../events.ts';
import { costMicroUsd } from '../money.ts';
import type { Part, SubagentFigures } from './chat-state.ts';
import { requestRows } from './request-rows.ts';

export function withPaid(before: SubagentFigures | undefined, event: SubagentPaid): SubagentFigures {
  const { estimatedMicroUsd, maxMicroUsd } = event;
  let { charge, microUsd, estimated } = before?.paid ?? { charge: 'no', microUsd: 0, estimated: false };
  for (const row of requestRows(event)) {
    if (charge !== 'yes' && row.charge !== 'no') charge = row.charge;
    microUsd += row.microUsd;
    estimated ||= row.estimated;
  }
  return { ...before, estimatedMicroUsd, maxMicroUsd, paid: { charge, microUsd, estimated } };
}

export function withLaterRequest(parts: readonly Part[], step: number): readonly Part[] {
  if (!parts.some((part) => part.type === 'tool' && part.sub?.saved)) return parts;
  return parts.map((part) => {
    if (part.type !== 'tool' || !part.sub?.saved || part.step >= step) return part;
    const { saved } = part.sub;
    return { ...part, sub: { ...part.sub, saved: { ...saved, requests: saved.requests + 1 } } };
  });
}

/**
 * Returns the micro-dollars that the answer would have cost more without the subagent. They are negative when it
 * would have cost less.
 */
export function savedMicroUsd({ keptTokens, aheadTokens, requests }: NonNullable<SubagentFigures['saved']>): number {
  const tokens = aheadTokens + keptTokens * requests;
  return Math.sign(tokens) * costMicroUsd(Math.abs(tokens));
}
