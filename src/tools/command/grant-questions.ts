import type { ToolContext } from '../../agent/tool.ts';
import type { Clock } from '../../base/clock.ts';
import type { AskGrant } from '../../sandbox/egress-policy.ts';
import { grantWords } from '../../sandbox/sandbox-words.ts';

/** A command waits at most this long for an answer; then its time limit runs again. */
const maxHoldMs = 120_000;
const maxRefusals = 3;

export interface GrantQuestions {
  ask: AskGrant;
  said(): readonly string[];
}

/**
 * Asks for each host, until three answers were no. `hold` stops the time of the command and returns what starts it
 * again; `said` returns sentences for the model.
 */
export function createGrantQuestions(
  context: Pick<ToolContext, 'ask'>,
  command: string,
  { clock, hold }: { clock: Clock; hold(): () => void },
): GrantQuestions {
  const said: string[] = [];
  let refusals = 0;
  return {
    async ask(question, until) {
      if (refusals >= maxRefusals) return undefined;
      const { text, allow, refuse, grant } = grantWords(question);
      const goOn = hold();
      const cancel = clock.after(maxHoldMs, goOn);
      const options = [allow, refuse, ...(grant === undefined ? [] : [grant])];
      const answer = await context.ask({ text, command, options }, until);
      cancel();
      goOn();
      if (answer === allow) return 'allow';
      refusals++;
      if (answer === undefined) return undefined;
      if (answer === grant) {
        said.push('The user wants this command to run with lift "network" instead: call it again so.');
        return undefined;
      }
      if (answer !== refuse) said.push(`The user refused, and said: ${answer}`);
      return 'refuse';
    },
    said: () => said,
  };
}
