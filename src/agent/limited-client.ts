import type { ChatRequest, ServiceClient } from '../service/contract.ts';
import type { Attempt } from '../shared/messages.ts';
import { costMicroUsd, sumCost } from '../spend/price.ts';

export interface RequestLimits {
  /** At most. */
  requests: number;
  /** The metered client refuses what costs more than this; here the turn ends before. */
  microUsd: number;
  /** Tokens of a request with the longest reply that it may bring. */
  tokens(request: ChatRequest): number;
  /** Tokens that the results of one step can add. */
  growth: number;
  /** The last request, which has to end the turn. */
  closing(request: ChatRequest): ChatRequest;
}

/** Sends its last request as one that ends the turn: what was paid for until then is not lost. */
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
