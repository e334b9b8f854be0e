import { isoTime } from '../../base/iso-time.ts';
import type { Failure } from '../../shared/failure/failure.ts';
import type { Attempt, Charge } from '../../shared/messages.ts';

export interface Versions {
  extensionVersion: string;
  vscodeVersion: string;
  platform: string;
}

export interface ReportInput extends Versions {
  failure?: Failure;
  attempts: readonly Attempt[];
  now: number;
  redact(text: string): string;
}

/**
 * Contains the facts that support asks for and nothing else: time with zone, endpoint, model id, status, error body,
 * then the chain of attempts and the versions. It has no address, prompt, reply or file name, and the whole of it is
 * redacted.
 */
export function supportReport(input: ReportInput): string {
  const { failure, attempts } = input;
  const last = attempts.at(-1);
  const status = failure?.status ?? last?.status;
  const lines = [
    'svc Assistant support report',
    '',
    `Time: ${failure?.at ?? isoTime(input.now)}`,
    `Endpoint: ${failure?.endpoint ?? 'POST /chat/completions'}`,
    `Model: ${failure?.model ?? last?.model ?? 'none'}`,
    `HTTP status: ${status ?? 'none'}`,
    `Error body:${errorBody(failure)}`,
    ...failureLines(failure),
    '',
    ...attemptLines(attempts),
    '',
    versionsLine(input),
    '',
  ];
  return input.redact(lines.join('\n'));
}

export function versionsLine({ extensionVersion, vscodeVersion, platform }: Versions): string {
  return `Versions: svc Assistant ${extensionVersion}, VS Code ${vscodeVersion}, ${platform}`;
}

function errorBody(failure: Failure | undefined): string {
  if (failure?.serverMessage !== undefined) return indented(failure.serverMessage);
  const title = failure?.facts?.title;
  return title === undefined ? ' none' : ` a web page titled “${title}”`;
}

function indented(text: string): string {
  const lines = text.split('\n');
  return lines.length === 1 ? ` ${text}` : lines.map((line) => `\n  ${line}`).join('');
}

function failureLines(failure: Failure | undefined): string[] {
  if (failure === undefined) return ['Failure: none'];
  const cause = [failure.facts?.cause, failure.facts?.code].filter((part) => part !== undefined).join(' ');
  return [
    `Failure: ${failure.kind}`,
    ...(failure.namedModel === undefined ? [] : [`Model named by the service: ${failure.namedModel}`]),
    ...(cause === '' ? [] : [`Cause: ${cause}`]),
    ...(failure.facts?.listReachable === undefined ? [] : [`Model list reachable: ${failure.facts.listReachable}`]),
  ];
}

const charges: Record<Charge, string> = { yes: 'charged', no: 'not charged', maybe: 'possibly charged' };

function attemptLines(attempts: readonly Attempt[]): string[] {
  if (attempts.length === 0) return ['Attempts: none was sent'];
  return ['Attempts:', ...attempts.map((attempt, index) => `${index + 1}. ${describeAttempt(attempt)}`)];
}

function describeAttempt(attempt: Attempt): string {
  const { startedAt, model, status, outcome, failure, durationMs, firstEventMs, charge } = attempt;
  return [
    `${isoTime(startedAt)} ${model}: status ${status ?? 'none'}`,
    failure === undefined ? outcome : `${outcome} (${failure.kind})`,
    ...(firstEventMs === undefined ? [] : [`first event after ${firstEventMs} ms`]),
    `${durationMs} ms`,
    charges[charge],
  ].join(', ');
}
