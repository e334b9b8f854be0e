import * as l10n from '@vscode/l10n';
import type { ApprovalNeed } from '../../agent/tool.ts';
import { type Because, warningOf } from '../../files/file-class.ts';
import type { ApprovalSubject } from '../../shared/approval.ts';
import type { FormattedDiff } from './edit-diff.ts';
import { lineCountOf, losesMost } from './file-replacement.ts';

export interface EditConcerns {
  warnings: readonly string[];
  /** When true, the user is asked about this change every time, whatever is configured or was remembered. */
  mustAsk: boolean;
}

/** Allows a change that needs no warning for the whole conversation; `unsaved` is what to say of unsaved changes. */
export function needOf(
  subject: ApprovalSubject,
  sensitive: Because | undefined,
  unsaved: string | false,
): ApprovalNeed {
  const warnings = [...(sensitive === undefined ? [] : [warningOf(sensitive)]), ...(unsaved ? [unsaved] : [])];
  return { subject, warnings, scopes: warnings.length > 0 ? ['once'] : ['once', 'conversation'] };
}

const longChangeLines = 500;

export function concernsOf(change: {
  sensitive?: Because;
  dirty: boolean;
  isWhole: boolean;
  before: string;
  shown: FormattedDiff;
  addresses: readonly string[];
}): EditConcerns {
  const { sensitive, dirty, isWhole, before, shown, addresses } = change;
  const pressing = [
    ...(sensitive === undefined ? [] : [warningOf(sensitive)]),
    ...(dirty
      ? [l10n.t("You have unsaved changes in this file. They'll be kept and saved together with this edit.")]
      : []),
    ...(addresses.length === 0
      ? []
      : [l10n.t('Adds an address that tools load automatically: {0}', addresses.join(', '))]),
    ...(shown.invisible === 0 ? [] : [l10n.t('Adds {0} invisible characters; the diff shows them.', shown.invisible)]),
    ...(isWhole && losesMost(before, shown.removed)
      ? [l10n.t('Removes {0} of {1} lines.', shown.removed, lineCountOf(before))]
      : []),
  ];
  const changed = shown.added + shown.removed;
  const long = changed > longChangeLines ? [l10n.t('This is a long change: {0} lines.', changed)] : [];
  return { warnings: [...pressing, ...long], mustAsk: pressing.length > 0 };
}
