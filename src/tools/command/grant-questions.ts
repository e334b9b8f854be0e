import type { ToolContext } from '../../agent/tool.ts';
import type { Clock } from '../../base/clock.ts';
import type { AskGrant } from '../../sandbox/egress-policy.ts';
import { grantWords } from '../../sandbox/sandbox-words.ts';

/** Who waits for an answer waits so long at most; then the time limit of the command goes on. */
const maxHoldMs = 120_000;
/** After so many refusals in one command nobody is asked any more. */
const maxRefusals = 3;

export interface GrantQuestions {
  ask: AskGrant;
  /** Lines for the model: answers in the words of the user. */
  said(): readonly string[];
}

/** Questions that come up while a command runs, on the card of its call. */
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
