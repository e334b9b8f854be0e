import type { Reply } from '../contract.ts';

export function emptyReply(requestedModel: string, model = requestedModel): Reply {
  return {
    requestedModel,
    model,
    text: '',
    reasoning: '',
    toolCalls: [],
    finish: 'none',
    evidence: 'none',
    damagedEvents: 0,
    toolMarkup: false,
  };
}
