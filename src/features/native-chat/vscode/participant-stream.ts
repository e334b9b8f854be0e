import * as l10n from '@vscode/l10n';
import type { ChatEvent } from '../../../shared/events.ts';
import type { ToolCall } from '../../../shared/messages.ts';
import { toolKind } from '../../../tools/all-tools.ts';

export interface ParticipantStream {
  markdown(text: string): void;
  progress(text: string): void;
  showRead(path: string): void;
}

export function createParticipantListener(
  stream: ParticipantStream,
  nameOf: (model: string) => string,
): (event: ChatEvent) => void {
  const calls = new Map<string, ToolCall>();
  const showRead = new Set<string>();
  return (event) => {
    switch (event.type) {
      case 'textDelta':
        return stream.markdown(event.text);
      case 'asked':
        return event.kind === 'wait' ? stream.progress(l10n.t('The request failed. Trying again…')) : undefined;
      case 'stepFinished':
        for (const call of event.toolCalls) calls.set(call.id, call);
        // What follows is another reply.
        if (event.text !== '' && event.toolCalls.length > 0) stream.markdown('\n\n');
        return undefined;
      case 'toolStarted':
        return stream.progress(event.title);
      case 'toolFinished': {
        const path = event.state === 'done' ? pathOf(calls.get(event.callId)) : undefined;
        if (path === undefined || showRead.has(path)) return undefined;
        showRead.add(path);
        return stream.showRead(path);
      }
      case 'notice':
        if (event.notice.kind === 'fallback') {
          const { from, to, answered } = event.notice;
          if (!answered) return stream.progress(l10n.t("{0} couldn't answer. Asking {1}…", nameOf(from), nameOf(to)));
          return stream.markdown(
            `\n\n> ${l10n.t("{0} couldn't answer, so {1} is answering.", nameOf(from), nameOf(to))}\n\n`,
          );
        }
        return event.notice.kind === 'note' ? stream.markdown(`\n\n> ${event.notice.text}\n\n`) : undefined;
      default:
        return undefined;
    }
  };
}

function pathOf(call: ToolCall | undefined): string | undefined {
  if (call === undefined || toolKind(call.name) !== 'read') return undefined;
  try {
    const { path } = JSON.parse(call.arguments);
    return typeof path === 'string' ? path : undefined;
  } catch {
    // The call itself was answered with a sentence about it.
    return undefined;
  }
}
