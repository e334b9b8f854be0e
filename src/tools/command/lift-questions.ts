import type { ToolContext } from '../../agent/tool.ts';
import type { Clock } from '../../base/clock.ts';
import type { AskLift } from './sandbox/hosts.ts';
import { liftWords } from './sandbox/sandbox-words.ts';

/** Who waits for an answer waits so long at most; then the time limit of the command goes on. */
const longestHoldMs = 120_000;
/** After so many refusals in one command nobody is asked any more. */
const mostRefusals = 3;

export interface LiftQuestions {
  ask: AskLift;
  /** Lines for the model: answers in the words of the user. */
  said(): readonly string[];
}

/** Questions that come up while a command runs, on the card of its call. */
export function createLiftQuestions(
  context: Pick<ToolContext, 'ask'>,
  command: string,
  { clock, hold }: { clock: Clock; hold(): () => void },
): LiftQuestions {
  const said: string[] = [];
  let refusals = 0;
  return {
    async ask(question, until) {
      if (refusals >= mostRefusals) return undefined;
      const { text, allow, refuse, lift } = liftWords(question);
      const goOn = hold();
      const callOff = clock.after(longestHoldMs, goOn);
      const options = [allow, refuse, ...(lift === undefined ? [] : [lift])];
      const answer = await context.ask({ text, command, options }, until);
      callOff();
      goOn();
      if (answer === allow) return 'allow';
      refusals++;
      if (answer === undefined) return undefined;
      if (answer === lift) {
        said.push('The user wants this command to run with lift "network" instead: call it again so.');
        return undefined;
      }
      if (answer !== refuse) said.push(`The user refused, and said: ${answer}`);
      return 'refuse';
    },
    said: () => said,
  };
}
