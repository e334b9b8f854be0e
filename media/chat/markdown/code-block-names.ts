import * as l10n from '@vscode/l10n';

export function codeBlockName(about: string, number: number, count = 1): string {
  if (count > 1) {
    return about === ''
      ? l10n.t('Code block {0} of {1}', number, count)
      : l10n.t('Code block {0} of {1}, {2}', number, count, about);
  }
  return about === '' ? l10n.t('Code block {0}', number) : l10n.t('Code block {0}, {1}', number, about);
}

/**
 * Numbers the code blocks across all texts of a finished answer. It sets the attribute itself, because no component
 * knows the other texts, and a finished text is not rendered again.
 */
export function numberCodeBlocks(answer: HTMLElement): void {
  const blocks = answer.querySelectorAll<HTMLElement>(':scope > .parts > .markdown .code-block > [role="group"]');
  for (const [index, block] of blocks.entries()) {
    block.setAttribute('aria-label', codeBlockName(block.dataset.about ?? '', index + 1, blocks.length));
  }
}
