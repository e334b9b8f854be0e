import type { ToolContext } from '../../agent/tool.ts';
import type { Clock } from '../../base/clock.ts';
import type { AskGrant } from '../../sandbox/egress-policy.ts';
import { grantWords, subjectOfGrant } from '../../sandbox/sandbox-words.ts';
import type { Decided } from '../../shared/events.ts';

/** While a question is open, the time limit of the command stands still for at most this long. */
const maxHoldMs = 120_000;
const maxRefusals = 3;

export interface GrantQuestions {
  ask: AskGrant;
  notes(): readonly string[];
  decided(): readonly Decided[];
}

/**
 * Asks the user for what the sandbox held back. After three answers other than to allow, none at all included, it asks
 * no more and returns undefined. `pauseTimeout` stops the time of the command and returns what starts it again; `notes`
 * returns sentences for the model, and `decided` what the user allowed or denied.
 */
export function createGrantQuestions(
  context: Pick<ToolContext, 'ask'>,
  command: string,
  { clock, pauseTimeout }: { clock: Clock; pauseTimeout(): () => void },
): GrantQuestions {
  const notes: string[] = [];
  const decided: Decided[] = [];
  let refusals = 0;
  return {
    async ask(question, until) {
      if (refusals >= maxRefusals) return undefined;
      const { text, allow, refuse, grant } = grantWords(question);
      const goOn = pauseTimeout();
      const cancel = clock.after(maxHoldMs, goOn);
      const options = [allow, refuse, ...(grant === undefined ? [] : [grant])];
      const answer = await context.ask({ text, command, options }, until);
      cancel();
      goOn();
      if (answer === allow) {
        decided.push({ word: 'allowed', what: subjectOfGrant(question) });
        return 'allow';
      }
      refusals++;
      if (answer === undefined) return undefined;
      if (answer === grant) {
        notes.push('The user wants this command to run with lift "network" instead: call it again so.');
        return undefined;
      }
      if (answer !== refuse) notes.push(`The user refused, and said: ${answer}`);
      decided.push({ word: 'denied', what: subjectOfGrant(question) });
      return 'refuse';
    },
    notes: () => notes,
    decided: () => decided,
  };
}
