import * as l10n from '@vscode/l10n';

/** For screen readers. `about`: language and file; may be empty. */
export function codeBlockName(about: string, number: number, count = 1): string {
  if (count > 1) {
    return about === ''
      ? l10n.t('Code block {0} of {1}', number, count)
      : l10n.t('Code block {0} of {1}, {2}', number, count, about);
  }
  return about === '' ? l10n.t('Code block {0}', number) : l10n.t('Code block {0}, {1}', number, about);
}

/**
 * Counts the blocks of an answer that is whole, over all of its texts and whatever they stand in. Past the views: none of them
 * knows the others, and what has settled is not drawn again.
 */
export function numberCodeBlocks(answer: HTMLElement): void {
  const blocks = answer.querySelectorAll<HTMLElement>(':scope > .parts > .markdown .code-block > [role="group"]');
  for (const [index, block] of blocks.entries()) {
    block.setAttribute('aria-label', codeBlockName(block.dataset.about ?? '', index + 1, blocks.length));
  }
}
