import type { Part, ToolPart } from '../../../src/shared/chat/chat-state.ts';
import type { Notice } from '../../../src/shared/events.ts';
import type { ToolPresentation } from '../../../src/shared/tool-presentation.ts';
import { asks, waitsForConsent } from '../cards/waiting-alert.ts';

/**
 * `quiet` parts are behind the answer's one line, `outside` parts are drawn on their own, and `nowhere` parts are not
 * drawn.
 */
export type PartPosition = 'quiet' | 'outside' | 'nowhere';

export type PresentationOf = (tool: string) => ToolPresentation;

export type BelowNotice = Extract<Notice, { kind: 'errors-left' | 'ending' }>;

export function isBelow(notice: Notice): notice is BelowNotice {
  return notice.kind === 'errors-left' || notice.kind === 'ending';
}

/**
 * Calls, reasoning and fallbacks are intermediate steps that few want to see. What asks, edits or fails, and what is
 * needed to judge the answer, is never folded.
 */
export function positionOf(part: Part, presentationOf: PresentationOf): PartPosition {
  switch (part.type) {
    case 'text':
      return /\S/.test(part.text) ? 'outside' : 'nowhere';
    case 'steered':
      return 'outside';
    case 'reasoning':
      return 'quiet';
    case 'tool':
      return standsOut(part, presentationOf) ? 'outside' : 'quiet';
    case 'notice':
      return placeOfNotice(part.notice);
  }
}

function standsOut(part: ToolPart, presentationOf: PresentationOf): boolean {
  const { approval, question, state, appeared, loaded, decided } = part;
  if (waitsForConsent(part) || asks(part) || (appeared ?? loaded ?? decided) !== undefined) return true;
  // What the user refused, or was asked and answered, is a part of the conversation; consent leads to what was done.
  if (approval?.answer !== undefined && approval.answer.decision !== 'allow') return true;
  if (question?.answer !== undefined && question.question.command === undefined) return true;
  // It has a price of its own.
  if (part.sub !== undefined || presentationOf(part.name).card === 'subagent') return true;
  return state === 'failed' || (state === 'done' && presentationOf(part.name).gathers === 'edits');
}

function placeOfNotice(notice: Notice): PartPosition {
  if (isBelow(notice)) return 'nowhere';
  if (notice.kind !== 'fallback') return 'outside';
  // The seam between two models' words.
  return notice.continued && notice.answered === true ? 'outside' : 'quiet';
}
