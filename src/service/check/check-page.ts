import type { CheckReport } from './check.ts';
import { plainCell } from './plain-cell.ts';
import { type Versions, versionsLine } from './report.ts';

const marks = { ok: '✓ as specified', differs: '≠ differs', failed: '✗ failed', skipped: '– not checked' } as const;

/** The report as a page. Texts that came over the network are escaped. */
export function toMarkdown(report: CheckReport): string {
  const rows = report.lines.map((line) =>
    [
      `**${line.name}**<br>${line.request}`,
      [
        marks[line.verdict],
        plainCell(line.diagnosis),
        `Expected: ${line.promised}`,
        `Actual: ${plainCell(line.seen)}`,
      ].join('<br>'),
    ].join(' | '),
  );
  return [
    '# Service Check',
    '',
    `**${plainCell(report.diagnosis.text)}**`,
    '',
    ...(report.diagnosis.next === '' ? [] : [`Next: ${plainCell(report.diagnosis.next)}`, '']),
    `Address: \`${report.baseUrl === '' ? 'not set' : report.baseUrl.replaceAll('`', '')}\`  `,
    `Time: ${report.at}  `,
    `Result: ${report.summary}`,
    '',
    'Nothing was charged: no request carried any content for a model.',
    '',
    '| Check | What was found |',
    '|---|---|',
    ...rows.map((row) => `| ${row} |`),
    '',
  ].join('\n');
}

/**
 * The same for support: time with zone, endpoints, statuses and what they were compared with. Without the
 * address, and without anything that was read or written here.
 */
export function checkReportText(report: CheckReport, versions: Versions): string {
  return [
    'svc Assistant service check',
    '',
    `Time: ${report.at}`,
    `Result: ${report.summary}`,
    '',
    ...report.lines.map(
      ({ request, promised, seen, verdict }) => `${request}: ${seen} (promised: ${promised}; ${verdict})`,
    ),
    '',
    versionsLine(versions),
    '',
  ].join('\n');
}
