import * as l10n from '@vscode/l10n';
import type { Finding, Severity } from './findings.ts';

export function severityWords(severity: Severity): string {
  const words: Record<Severity, string> = {
    error: l10n.t('Error'),
    warning: l10n.t('Warning'),
    note: l10n.t('Note'),
  };
  return words[severity];
}

/** Text of a model as Markdown with code and nothing else: no link, no picture, no heading, nothing that acts. */
export function plainMarkdown(text: string): string {
  return text
    .split('\n')
    .map((line) =>
      line
        .trim()
        .split(/(`[^`\s][^`]*`)/)
        .map(plainPart)
        .join(''),
    )
    .join('\n\n');
}

function plainPart(part: string, at: number): string {
  return at % 2 === 1 ? part : part.replace(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** The lines that a fix takes out and puts in. */
export function fixDiff({ anchor, replacement = [] }: Pick<Finding, 'anchor' | 'replacement'>): string {
  return [...anchor.quote.map((line) => `-${line}`), ...replacement.map((line) => `+${line}`)].join('\n');
}
