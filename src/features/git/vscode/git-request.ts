import * as vscode from 'vscode';
import type { ChatRequest, Reply, ReplyExpectation } from '../../../service/contract.ts';
import { chargeWords } from '../../../shared/charge-words.ts';
import type { HistoryMessage } from '../../../shared/messages.ts';
import { formatMicroUsd } from '../../../shared/money.ts';
import { type Estimator, requestMicroUsd } from '../../../spend/estimate.ts';
import type { CreateMetered } from '../../../spend/metered-client.ts';
import { sumCost } from '../../../spend/price.ts';
import { cancellable } from '../../../vscode/host/cancellable.ts';
import { showFailure } from '../../../vscode/reports/show-failure.ts';

export interface GitRequestDeps {
  metered: CreateMetered;
  estimator: Pick<Estimator, 'prompt'>;
  settings: { request(): Omit<ChatRequest, 'model' | 'messages' | 'surface'> };
  model(): string;
  nameOf(model: string): string;
}

export interface GitAnswer {
  reply: Reply;
  price: string;
}

export interface GitRequest {
  estimatedPrice: string;
  /** Resolves with undefined when it was stopped, or failed and the failure was shown. */
  send(title: string, retry: (() => void) | undefined, signal?: AbortSignal): Promise<GitAnswer | undefined>;
}

export function planGitRequest(
  deps: GitRequestDeps,
  messages: HistoryMessage[],
  expects: ReplyExpectation,
): GitRequest {
  const request: ChatRequest = { ...deps.settings.request(), model: deps.model(), messages, surface: 'git', expects };
  const { language } = vscode.env;
  const estimate = requestMicroUsd(deps.estimator, request);
  return {
    estimatedPrice: formatMicroUsd(estimate, true, language),
    async send(title, retry, signal) {
      const result = await cancellable(title, (cancelled) => {
        const stopped = signal === undefined ? cancelled : AbortSignal.any([cancelled, signal]);
        return deps.metered({ surface: 'git' }).stream(request, () => undefined, stopped);
      });
      if (result.outcome === 'stopped') return undefined;
      if (result.outcome === 'failed') {
        void showFailure(result.failure, { nameOf: deps.nameOf, retry });
        return undefined;
      }
      return { reply: result.reply, price: chargeWords(sumCost(result.attempts), language) };
    },
  };
}
