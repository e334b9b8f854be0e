// The built-in model: deterministic, honest about being none, and of use on the user's real files through the offered tools.
import type { ChatRequest } from './chat-request.ts';
import { countImages } from './chat-request.ts';
import { findModel } from './models.ts';
import type { Reply } from './reply.ts';
import { answerFromAttachments, answerFromSteps, introduce } from './stand-in-answers.ts';
import { answerCommit } from './stand-in-commit.ts';
import { answerInline } from './stand-in-inline.ts';
import { readQuestion } from './stand-in-question.ts';
import { finishedSteps, nextCall } from './stand-in-steps.ts';
import { answerFromWork } from './stand-in-work.ts';
import { toArguments } from './tool-arguments.ts';
import { nextStop, type TourStop } from './tour.ts';

/** The same request gives the same reply, apart from the ids of `nextCallId`. */
export function standInReply(request: ChatRequest, nextCallId: () => string, tour: readonly TourStop[] = []): Reply {
  const alone = answerInline(request) ?? answerCommit(request);
  if (alone !== undefined) return { text: alone, reasoning: '', toolCalls: [], finish: 'stop' };
  const question = readQuestion(request);
  const steps = finishedSteps(request);
  const answersFromCode = question.attachments.length > 0 && steps.length === 0;
  const call = answersFromCode ? undefined : nextCall(request, question, steps);
  const reasons = findModel(request.model)?.reasons === true;
  if (call) {
    const reasoning = reasons ? `The question may be answered with ${call.name}. ` : '';
    return { text: '', reasoning, toolCalls: [{ id: nextCallId(), ...call }], finish: 'tool_calls' };
  }
  const answer = answersFromCode
    ? answerFromAttachments(question)
    : (answerFromWork(question, steps) ??
      (steps.length > 0 ? answerFromSteps(question, steps) : introduce(question, countImages(request))));
  const text = [answer, nextStop(tour, request)].filter((part) => part !== '').join('\n\n');
  const formed = inFormat(text, request);
  return { text: formed, reasoning: reasons ? 'Nothing more to look up. ' : '', toolCalls: [], finish: 'stop' };
}

/** The answer as JSON where that is asked for, in the form of the schema if there is one. */
function inFormat(text: string, { response_format: format }: ChatRequest): string {
  if (format == null || format.type === 'text') return text;
  if (format.type === 'json_object') return JSON.stringify({ answer: text });
  const parameters = format.json_schema?.schema ?? {};
  return JSON.stringify(
    toArguments({ type: 'function', function: { name: 'answer', parameters } }, [{ names: /./, value: text }]),
  );
}
