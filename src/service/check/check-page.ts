import * as l10n from '@vscode/l10n';
import type { CheckLine, CheckReport } from './check.ts';
import { plainCell } from './plain-cell.ts';
import { type Versions, versionsLine } from './report.ts';

type Verdict = CheckLine['verdict'];

export function toMarkdown({ lines, diagnosis, baseUrl, at }: CheckReport): string {
  const marks: Record<Verdict, string> = {
    ok: l10n.t('✓ as specified'),
    differs: l10n.t('≠ differs'),
    failed: l10n.t('✗ failed'),
    skipped: l10n.t('– not checked'),
  };
  const rows = lines.map(({ name, request, verdict, diagnosis: text, expected, seen, noAnswer }) =>
    [
      `**${name}**<br>${request}`,
      [
        marks[verdict],
        plainCell(text),
        l10n.t('Expected: {0}', expected),
        ...(verdict === 'skipped' || noAnswer ? [] : [l10n.t('Actual: {0}', plainCell(seen))]),
      ].join('<br>'),
    ].join(' | '),
  );
  const address = baseUrl === '' ? l10n.t('not set') : `\`${baseUrl.replaceAll('`', '')}\``;
  return [
    `# ${l10n.t('Service Check')}`,
    '',
    `**${plainCell(diagnosis.text)}**`,
    '',
    ...(diagnosis.next === '' ? [] : [l10n.t('Next: {0}', plainCell(diagnosis.next)), '']),
    `${l10n.t('Address: {0}', address)}  `,
    `${l10n.t('Time: {0}', at)}  `,
    l10n.t('{0} of {1} as specified', lines.filter(({ verdict }) => verdict === 'ok').length, lines.length),
    '',
    l10n.t('Nothing was charged: no request carried any content for a model.'),
    '',
    `| ${l10n.t('Check')} | ${l10n.t('What was found')} |`,
    '|---|---|',
    ...rows.map((row) => `| ${row} |`),
    '',
  ].join('\n');
}

/**
 * Writes the report for support, in English: time with zone, endpoints, statuses and those that were expected. It
 * contains no address and nothing that was read or written here.
 */
export function checkReportText({ at, lines }: CheckReport, versions: Versions): string {
  return [
    'svc Assistant service check',
    '',
    `Time: ${at}`,
    '',
    ...lines.map(({ request, note, expected, seen, verdict }) => {
      const asked = note === undefined ? request : `${request} ${note}`;
      return `${asked}: ${seen} (expected: ${expected}; ${verdict})`;
    }),
    '',
    versionsLine(versions),
    '',
  ].join('\n');
}
