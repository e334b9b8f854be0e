import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { ApprovalSubject } from '../../../src/shared/approval.ts';
import { memo } from '../controls/memo.ts';
import { ScrollBox } from '../controls/scroll-box.tsx';
import { visibleName, visibleText } from '../markdown/visible-text.ts';
import { countDiffLines, DiffView, longDiffLines } from './diff-view.tsx';
import { grantTexts, targetTexts } from './target-texts.ts';

const longTextLines = 40;
const longTextLength = 4000;
const drawnTextLines = 15;
const drawnTextLength = 2000;

/**
 * Returns the number of lines of what is shown in part until the user shows all, which must happen before consent; 0
 * when all of it is shown.
 */
export function hiddenLines(subject: ApprovalSubject): number {
  if (subject.kind === 'edit') {
    const lines = countDiffLines(subject.diff);
    return lines > longDiffLines ? lines : 0;
  }
  const text = textOf(subject);
  if (text === undefined) return 0;
  const lines = text.split('\n').length;
  return lines > longTextLines || text.length > longTextLength ? lines : 0;
}

interface ApprovalFactsProps {
  subject: ApprovalSubject;
  whole: boolean;
  /** Is true when the request was answered before: the card's warnings are gone, so the reason is shown here. */
  past?: boolean;
}

/** Shows exactly what will happen; none of it is worded by the model. */
export const ApprovalFacts = memo(({ subject, whole, past = false }: ApprovalFactsProps) => {
  switch (subject.kind) {
    case 'command':
      return (
        <>
          <PlainText label={l10n.t('Command')} text={subject.command} whole={whole} />
          <Facts rows={commandRows(subject)} />
        </>
      );
    case 'edit':
      return (
        <>
          <Facts rows={[[l10n.t('File'), subject.path]]}>
            <Changed added={subject.added} removed={subject.removed} />
          </Facts>
          <DiffView diff={subject.diff} label={l10n.t('Changes to {0}', visibleText(subject.path))} whole={whole} />
        </>
      );
    case 'delete':
      return <Facts rows={[[l10n.t('File'), subject.path]]} />;
    case 'rename':
      return (
        <Facts
          rows={[
            [l10n.t('From'), subject.path],
            [l10n.t('To'), subject.to],
          ]}
        />
      );
    case 'read':
      return (
        <>
          <Facts rows={[[l10n.t('Path'), subject.path]]} />
          {past && <p class="quiet">{reasonTexts[subject.reason]()}</p>}
        </>
      );
    case 'fetch':
      return (
        <>
          <PlainText label={l10n.t('Address')} text={subject.url} whole={whole} />
          <Facts rows={[[l10n.t('Domain'), subject.domain]]} />
        </>
      );
    case 'external':
      return (
        <>
          <Facts rows={[[l10n.t('Tool'), subject.tool]]} />
          <PlainText label={l10n.t('Arguments')} text={subject.arguments} whole={whole} />
        </>
      );
  }
});

function commandRows(subject: Extract<ApprovalSubject, { kind: 'command' }>): [name: string, value: string][] {
  const { cwd, shell, place, reason, background, noSandbox } = subject;
  const rows: [name: string, value: string | undefined | false][] = [
    [l10n.t('Folder'), cwd],
    [l10n.t('Shell'), shell],
    [l10n.t('Where'), place === 'sandbox' && targetTexts[place]()],
    [l10n.t('Lifted'), place && grantTexts[place]()],
    [l10n.t('How long'), background && l10n.t('In the background, until it ends or is stopped')],
    [l10n.t('Sandbox'), noSandbox],
    [l10n.t("The model's reason"), reason],
  ];
  return rows.filter((row): row is [string, string] => Boolean(row[1]));
}

export function Changed({ added, removed }: { added: number; removed: number }) {
  return (
    <span class="changed">
      <span class="plus" aria-hidden="true">
        +{added}
      </span>{' '}
      <span class="minus" aria-hidden="true">
        −{removed}
      </span>
      <span class="visually-hidden">{l10n.t('Lines added: {0}, removed: {1}', added, removed)}</span>
    </span>
  );
}

function Facts({ rows, children }: { rows: readonly [name: string, value: string][]; children?: ComponentChildren }) {
  return (
    <div class="fact-line">
      <FactList rows={rows.map(([name, value]) => [name, visibleName(value)])} />
      {children}
    </div>
  );
}

export function FactList({ rows }: { rows: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{visibleText(name)}</dt>
          <dd>{visibleText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Shows a text that wraps, and of a long one the beginning unless `whole`; carriage returns are written out. */
export function PlainText({ label, text, whole }: { label: string; text: string; whole: boolean }) {
  const long = text.length > longTextLength || text.split('\n').length > longTextLines;
  const shown = long && !whole ? text.split('\n').slice(0, drawnTextLines).join('\n').slice(0, drawnTextLength) : text;
  return (
    <ScrollBox tag="pre" className="raw exact" label={label}>
      {visibleText(shown.replaceAll('\r', '␍'))}
    </ScrollBox>
  );
}

function textOf(subject: ApprovalSubject): string | undefined {
  if (subject.kind === 'command') return subject.command;
  if (subject.kind === 'fetch') return subject.url;
  return subject.kind === 'external' ? subject.arguments : undefined;
}

const reasonTexts: Readonly<Record<'outside' | 'ignored' | 'secret', () => string>> = {
  outside: () => l10n.t("It's outside the workspace."),
  ignored: () => l10n.t('The workspace ignores it.'),
  secret: () => l10n.t('It looks like it contains secrets.'),
};
