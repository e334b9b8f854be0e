import { pageTitle } from './body-reader.ts';
import { type CheckAnswer, type Judgement, type Probe, probes } from './check-probes.ts';
import { classifyNetworkError } from './classify-network.ts';
import type { ClientDeps } from './client-deps.ts';
import { isoTime } from './iso-time.ts';
import { readStart } from './send.ts';

export type CheckDeps = Pick<ClientDeps, 'baseUrl' | 'key' | 'transport' | 'clock' | 'redact' | 'networkFacts'>;

interface CheckLine extends Judgement {
  name: string;
  /** `GET /models`, relative to the address. */
  request: string;
  /** What the interface promises. */
  promised: string;
  /** What came, in one line. */
  seen: string;
}

export interface CheckReport {
  /** ISO 8601 with zone offset. */
  at: string;
  baseUrl: string;
  lines: CheckLine[];
  summary: string;
}

const probeTimeoutMs = 15_000;

/**
 * Compares the configured address with what the interface promises. Every request is free: none carries content, none can
 * become a completion. This is the one place that asks for paths that are not served, to see that they are not. Never rejects.
 */
export async function checkService(deps: CheckDeps, signal: AbortSignal): Promise<CheckReport> {
  const baseUrl = deps.baseUrl();
  const key = await readKey(deps);
  const lines: CheckLine[] = [];
  let blocked: string | undefined = baseUrl === '' ? 'No address is set.' : undefined;
  for (const probe of probes) {
    if (signal.aborted) blocked ??= 'The check was stopped.';
    const line = blocked === undefined ? await runProbe(deps, probe, baseUrl, key, signal) : skip(probe, blocked);
    lines.push(line);
    // Without a connection every further probe would only wait for the same failure.
    if (line.verdict === 'failed' && line.seen.startsWith('no answer')) blocked ??= 'The service could not be reached.';
  }
  return { at: isoTime(deps.clock.epochMs()), baseUrl: deps.redact(baseUrl), lines, summary: summarise(lines) };
}

async function readKey(deps: CheckDeps): Promise<string | undefined> {
  try {
    const key = await deps.key();
    return key === '' ? undefined : key;
  } catch {
    // A keyring that does not open: the report says that no key is set (X36).
    return undefined;
  }
}

async function runProbe(
  deps: CheckDeps,
  probe: Probe,
  baseUrl: string,
  key: string | undefined,
  signal: AbortSignal,
): Promise<CheckLine> {
  if (probe.needsKey && key === undefined) return skip(probe, 'No key is set.');
  const url = probe.url(baseUrl);
  if (url === undefined) return skip(probe, 'The address does not end in /v1.');
  const answer = await ask(deps, probe, url, key, signal);
  if ('problem' in answer) {
    return { ...describe(probe), seen: `no answer: ${answer.problem}`, verdict: 'failed', diagnosis: answer.advice };
  }
  const judgement = probe.judge(answer);
  return { ...describe(probe), seen: deps.redact(seenText(answer)), ...judgement };
}

async function ask(
  deps: CheckDeps,
  probe: Probe,
  url: string,
  key: string | undefined,
  signal: AbortSignal,
): Promise<CheckAnswer | { problem: string; advice: string }> {
  const { clock, transport, redact } = deps;
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  let late = false;
  const callOff = clock.after(probeTimeoutMs, () => {
    late = true;
    controller.abort(new DOMException('too late', 'TimeoutError'));
  });
  const headers: Record<string, string> = { accept: 'application/json', ...probe.headers };
  if (probe.needsKey && key !== undefined) headers.authorization = `Bearer ${key}`;
  if (probe.body !== undefined) headers['content-type'] = 'application/json';
  const { method, body } = probe;
  try {
    const response = await transport(url, { method, headers, body, signal: controller.signal, redirect: 'manual' });
    const text = await readStart(response, clock);
    return { status: response.status, contentType: response.headers.get('content-type') ?? '', body: text };
  } catch (error) {
    if (late) return { problem: 'nothing within 15 seconds', advice: 'Check the network and the proxy settings.' };
    const at = isoTime(clock.epochMs());
    const failure = classifyNetworkError(error, { endpoint: probe.request, at, redact, facts: deps.networkFacts?.() });
    return { problem: failure.message, advice: adviceFor(failure.facts?.cause) };
  } finally {
    callOff();
    signal.removeEventListener('abort', onAbort);
  }
}

/** N08: trust belongs into the system's certificate store; checking is never switched off. */
function adviceFor(cause: string | number | undefined): string {
  switch (cause) {
    case 'dns':
      return 'The host name of the address is not known here. Check the address, the network and the proxy settings.';
    case 'refused':
      return 'The host answers, but nothing listens there. Check the address and its port.';
    case 'tls':
      return 'The certificate is not trusted. Add the issuer to the certificate store of the system and keep http.systemCertificates on.';
    case 'proxy':
      return 'The proxy refused the connection. Check http.proxy and http.noProxy.';
    default:
      return 'Check the network and the proxy settings.';
  }
}

function describe(probe: Probe): Pick<CheckLine, 'name' | 'request' | 'promised'> {
  return { name: probe.name, request: probe.request, promised: probe.promised };
}

function skip(probe: Probe, reason: string): CheckLine {
  return { ...describe(probe), seen: '–', verdict: 'skipped', diagnosis: reason };
}

/** Status and kind of body; of a page its title only (S7). */
function seenText({ status, contentType, body }: CheckAnswer): string {
  if (body.trim() === '') return `${status}, empty body`;
  if (/^\s*</.test(body)) {
    const title = pageTitle(body);
    return title === '' ? `${status}, a web page` : `${status}, a web page (“${title}”)`;
  }
  const isJson = /json/i.test(contentType) || /^\s*[{[]/.test(body);
  return isJson ? `${status}, JSON` : `${status}, ${JSON.stringify(body.trim().slice(0, 60))}`;
}

function summarise(lines: readonly CheckLine[]): string {
  const count = (verdict: Judgement['verdict']): number => lines.filter((line) => line.verdict === verdict).length;
  const parts = [`${count('ok')} of ${lines.length} as promised`];
  if (count('differs') > 0) parts.push(`${count('differs')} differ`);
  if (count('failed') > 0) parts.push(`${count('failed')} failed`);
  if (count('skipped') > 0) parts.push(`${count('skipped')} not checked`);
  return `${parts.join(', ')}.`;
}

const marks = { ok: '✓ as promised', differs: '≠ differs', failed: '✗ failed', skipped: '– not checked' } as const;

/** The report as a page. Texts that came over the network are escaped (X31). */
export function toMarkdown(report: CheckReport): string {
  const rows = report.lines.map((line) =>
    [
      line.name,
      `\`${line.request}\``,
      line.promised,
      plain(line.seen),
      marks[line.verdict],
      plain(line.diagnosis),
    ].join(' | '),
  );
  return [
    '# Service check',
    '',
    `Address: \`${report.baseUrl === '' ? 'not set' : report.baseUrl.replaceAll('`', '')}\`  `,
    `Time: ${report.at}  `,
    `Result: ${report.summary}`,
    '',
    'Nothing was charged: no request carried any content.',
    '',
    '| Check | Request | The interface promises | Seen | Verdict | What it means |',
    '|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
    '',
  ].join('\n');
}

function plain(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').replace(/[\\`*_[\]<>|!#&]/g, (character) => `&#${character.charCodeAt(0)};`);
}
