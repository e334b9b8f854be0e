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

/** Makes Markdown of a model's text that shows only inline code: no link, image, heading or anything that acts. */
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

export function fixDiff({ anchor, replacement = [] }: Pick<Finding, 'anchor' | 'replacement'>): string {
  return [...anchor.quote.map((line) => `-${line}`), ...replacement.map((line) => `+${line}`)].join('\n');
}
