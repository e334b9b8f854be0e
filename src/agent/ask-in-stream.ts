import type { StreamQuestion } from '../service/contract.ts';
import type { Ask } from '../shared/interaction.ts';

export interface AskingStep {
  turnId: string;
  step: number;
  signal: AbortSignal;
  ask?: Ask | undefined;
}

export function askInStream(question: StreamQuestion, { turnId, step, signal, ask }: AskingStep): void {
  if (ask === undefined) {
    question.answer();
    return;
  }
  const how = { id: `${turnId}:${question.kind}`, step };
  if (question.kind === 'cost') void ask('cost', question.about, { ...how, signal }).then(question.answer);
  else {
    const ended = AbortSignal.any([signal, question.over]);
    void ask('wait', question.about, { ...how, signal: ended }).then(question.answer);
  }
}
