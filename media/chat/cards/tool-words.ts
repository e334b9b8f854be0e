import * as l10n from '@vscode/l10n';
import type { ToolPart } from '../../../src/shared/chat/chat-state.ts';
import { presentationDefaults, type ToolPresentation } from '../../../src/shared/tool-presentation.ts';
import { plainText } from '../markdown/plain-text.ts';

const usualSubjects = ['path', 'command', 'query', 'pattern', 'symbol', 'from', 'question', 'url'];

/** A tool of another extension or version is shown under its own name: `get_docs` becomes `Get docs`. */
export function plainPresentation(name: string): ToolPresentation {
  const words = name.replaceAll('_', ' ');
  return {
    ...presentationDefaults,
    words: words === '' ? l10n.t('Tool') : words.charAt(0).toUpperCase() + words.slice(1),
    icon: iconOf(name),
    subject: usualSubjects,
    opens: true,
  };
}

function iconOf(name: string): ToolPresentation['icon'] {
  if (/search|find|symbols/.test(name)) return 'search';
  if (/director|folder|list/.test(name)) return 'folder';
  if (/edit|create|delete|write/.test(name)) return 'edit';
  if (/command|terminal|process/.test(name)) return 'terminal';
  if (/url|web/.test(name)) return 'globe';
  return /file|read|definition/.test(name) ? 'file' : 'tool';
}

export function titleOf(part: ToolPart, presentation: ToolPresentation): string {
  // The name of a question is what it asks.
  if (part.title !== '' && part.title !== part.name) return part.question ? plainText(part.title) : part.title;
  const subject = subjectOf(part.arguments, presentation.subject);
  return subject === undefined ? presentation.words : l10n.t('{0}: {1}', presentation.words, subject);
}

/** Reads the arguments as far as they have arrived; they may be incomplete. */
export function subjectOf(written: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const subject = new RegExp(`"(?:${names.join('|')})"\\s*:\\s*("(?:[^"\\\\]|\\\\.){1,300}")`);
  const found = subject.exec(written)?.[1];
  if (found === undefined) return undefined;
  try {
    return String(JSON.parse(found));
  } catch {
    // Half an escape, or a model's own idea of JSON.
    return undefined;
  }
}
