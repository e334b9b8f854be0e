import type { ChatRequest, ServiceClient } from '../service/contract.ts';
import type { Attempt } from '../shared/messages.ts';
import { costMicroUsd, sumCost } from '../spend/price.ts';

export interface RequestLimits {
  requests: number;
  microUsd: number;
  tokens(request: ChatRequest): number;
  growth: number;
  closing(request: ChatRequest): ChatRequest;
}

/** Makes the last allowed request end the turn, so that what was paid for until then is not lost. */
export function limitedClient(
  client: Pick<ServiceClient, 'stream'>,
  { requests, microUsd, tokens, growth, closing }: RequestLimits,
): Pick<ServiceClient, 'stream'> & { attempts(): readonly Attempt[] } {
  const attempts: Attempt[] = [];
  let sent = 0;
  return {
    attempts: () => attempts,
    async stream(request, onEvent, signal, admit) {
      sent += 1;
      const own = tokens(request);
      const withNext = sumCost(attempts).microUsd + costMicroUsd(2 * own + growth);
      const isLast = sent >= requests || withNext > microUsd;
      const result = await client.stream(isLast ? closing(request) : request, onEvent, signal, admit);
      attempts.push(...result.attempts);
      return result;
    },
  };
}
