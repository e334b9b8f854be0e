import * as l10n from '@vscode/l10n';
import { startDeadline } from '../../base/deadline.ts';
import { isoTime } from '../../base/iso-time.ts';
import type { ClientDeps } from '../client-deps.ts';
import { classifyNetworkError } from '../failure/classify-network.ts';
import { isModelId, nearestModelId } from '../models.ts';
import { pageTitle } from '../wire/body-reader.ts';
import { readStart } from '../wire/send.ts';
import { type CheckFault, type Diagnosis, diagnose } from './check-diagnosis.ts';
import { type CheckAnswer, type Judgement, listedIds, type Probe, probes } from './check-probes.ts';

export type CheckDeps = Pick<ClientDeps, 'baseUrl' | 'key' | 'transport' | 'clock' | 'redact' | 'networkFacts'> & {
  model?(): string;
};

export interface CheckLine extends Judgement, Pick<Probe, 'request' | 'note' | 'expected'> {
  name: string;
  seen: string;
  /** Is true when nothing came; `seen` is then the error, in English for the report. */
  noAnswer?: boolean;
}

export interface CheckReport {
  at: string;
  baseUrl: string;
  diagnosis: Diagnosis;
  lines: CheckLine[];
}

const probeTimeoutMs = 15_000;

/** A server that answered like this is not known to be the service, so the key is not shown to it. */
const noPlaceForAKey: readonly (CheckFault | undefined)[] = [
  'not-found',
  'redirected',
  'web-page',
  'no-list',
  'other-models',
  'proxy-sign-in',
];

interface Examination {
  deps: CheckDeps;
  baseUrl: string;
  key: string | undefined;
  signal: AbortSignal;
  modelIds: string[];
  location?: string;
}

/**
 * Compares the configured address with what the interface promises. Every request is free: none carries content, and
 * none can become a completion. Only this function asks for paths that are not served, to see that they are not.
 * Never rejects.
 */
export async function checkService(deps: CheckDeps, signal: AbortSignal): Promise<CheckReport> {
  const baseUrl = deps.baseUrl();
  const examination: Examination = { deps, baseUrl, key: await readKey(deps), signal, modelIds: [] };
  const lines: CheckLine[] = [];
  const faults: CheckFault[] = baseUrl === '' ? ['no-address'] : [];
  let blocked: string | undefined = baseUrl === '' ? l10n.t('No service address is set.') : undefined;
  for (const probe of probes) {
    if (signal.aborted) blocked ??= l10n.t('The check was stopped.');
    const reason = blocked ?? whyNot(probe, lines[0]);
    const line = reason === undefined ? await runProbe(examination, probe) : skip(probe, reason);
    lines.push(line);
    if (line.fault !== undefined) faults.push(line.fault);
    // Without a connection every further probe would only wait for the same failure.
    if (line.noAnswer) blocked ??= l10n.t("The service couldn't be reached.");
  }
  if (signal.aborted) faults.unshift('stopped');
  if (examination.key === undefined) faults.push('no-key');
  const model = deps.model?.() ?? '';
  const { modelIds, location } = examination;
  if (model !== '' && modelIds.length > 0 && !modelIds.includes(model)) faults.push('model-gone');
  const diagnosis = diagnose(faults, lines.filter(({ verdict }) => verdict === 'differs').length, {
    baseUrl: deps.redact(baseUrl),
    proxied: deps.networkFacts?.().proxy !== undefined,
    foundAt: faults.includes('not-found') ? await findList(examination) : undefined,
    location,
    model: isModelId(model) ? model : l10n.t('the selected model'),
    nearestModel: nearestModelId(model, modelIds),
  });
  return { at: isoTime(deps.clock.epochMs()), baseUrl: deps.redact(baseUrl), diagnosis, lines };
}

async function readKey(deps: CheckDeps): Promise<string | undefined> {
  try {
    const key = await deps.key();
    return key === '' ? undefined : key;
  } catch {
    // A keyring that does not open: the report says that no key is set.
    return undefined;
  }
}

function whyNot(probe: Probe, list: CheckLine | undefined): string | undefined {
  if (!probe.needsKey || !noPlaceForAKey.includes(list?.fault)) return undefined;
  return l10n.t("The key is sent only to the service, and this doesn't look like it.");
}

async function runProbe(examination: Examination, probe: Probe): Promise<CheckLine> {
  const { deps, baseUrl, key } = examination;
  if (probe.needsKey && key === undefined) return skip(probe, l10n.t('No key is set.'));
  const url = probe.url(baseUrl);
  if (url === undefined) return skip(probe, l10n.t("The address doesn't end in /v1."));
  const answer = await ask(examination, probe, url);
  if ('problem' in answer) {
    const { problem, fault } = answer;
    const diagnosis = advice[fault]?.() ?? l10n.t('Check the network and the proxy settings.');
    return { ...describe(probe), seen: problem, noAnswer: true, verdict: 'failed', diagnosis, fault };
  }
  const judgement = probe.judge(answer);
  if (probe === probes[0] && judgement.verdict === 'ok') examination.modelIds = listedIds(answer);
  if (judgement.fault === 'redirected') examination.location = answer.location;
  return { ...describe(probe), seen: deps.redact(seenText(answer)), ...judgement };
}

/**
 * A wrong path on the right host is the most frequent mistake. The list needs no key, so searching for it costs and
 * reveals nothing.
 */
async function findList(examination: Examination): Promise<string | undefined> {
  const [list] = probes;
  const { baseUrl } = examination;
  const origin = URL.parse(baseUrl)?.origin;
  if (list === undefined || origin === undefined) return undefined;
  const candidates = [baseUrl.replace(/\/+$/, ''), `${baseUrl.replace(/\/+$/, '')}/v1`, `${origin}/v1`];
  for (const candidate of new Set(candidates)) {
    if (candidate === baseUrl || !candidate.endsWith('/v1') || examination.signal.aborted) continue;
    const answer = await ask(examination, list, `${candidate}/models`);
    if (!('problem' in answer) && list.judge(answer).verdict === 'ok') return examination.deps.redact(candidate);
  }
  return undefined;
}

interface NoAnswer {
  problem: string;
  fault: CheckFault;
}

async function ask({ deps, key, signal }: Examination, probe: Probe, url: string): Promise<CheckAnswer | NoAnswer> {
  const { clock, transport, redact } = deps;
  const deadline = startDeadline(clock, probeTimeoutMs, signal);
  const headers: Record<string, string> = { accept: 'application/json', ...probe.headers };
  if (probe.needsKey && key !== undefined) headers.authorization = `Bearer ${key}`;
  if (probe.body !== undefined) headers['content-type'] = 'application/json';
  const { method, body } = probe;
  try {
    const response = await transport(url, { method, headers, body, signal: deadline.signal, redirect: 'manual' });
    const text = await readStart(response, clock);
    const location = originOf(response.headers.get('location'), url);
    return {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      body: text,
      ...(location !== undefined && { location }),
    };
  } catch (error) {
    if (deadline.isOver()) return { problem: 'timeout (15 s)', fault: 'too-late' };
    const at = isoTime(clock.epochMs());
    const failure = classifyNetworkError(error, { endpoint: probe.request, at, redact, facts: deps.networkFacts?.() });
    return { problem: failure.message, fault: networkFault(failure.kind, failure.facts?.cause) };
  } finally {
    deadline.close();
  }
}

const advice: Partial<Record<CheckFault, () => string>> = {
  'proxy-sign-in': () => l10n.t('A proxy requires a sign-in (407).'),
  redirected: () => l10n.t('The address redirects elsewhere.'),
  dns: () => l10n.t("The address's host name wasn't found. Check the address, the network, and the proxy settings."),
  refused: () => l10n.t('The host exists, but nothing listens at that port. Check the address and the port.'),
  // Trust belongs into the system's certificate store, so checking is never switched off.
  tls: () =>
    l10n.t(
      "The certificate isn't trusted. Add its issuer to the system's certificate store, and keep http.systemCertificates on.",
    ),
  proxy: () => l10n.t('The proxy refused the connection. Check http.proxy and http.noProxy.'),
};

function networkFault(kind: string, cause: string | number | undefined): CheckFault {
  if (cause === 'connect-timeout') return 'too-late';
  const isAdvised = (name: unknown): name is CheckFault => typeof name === 'string' && Object.hasOwn(advice, name);
  return [kind, cause].find(isAdvised) ?? 'network';
}

function originOf(location: string | null, url: string): string | undefined {
  return location === null ? undefined : URL.parse(location, url)?.origin;
}

function describe({ name, request, note, expected }: Probe): Pick<CheckLine, 'name' | 'request' | 'note' | 'expected'> {
  return { name: name(), request, expected, note };
}

function skip(probe: Probe, reason: string): CheckLine {
  return { ...describe(probe), seen: '–', verdict: 'skipped', diagnosis: reason };
}

function seenText({ status, contentType, body }: CheckAnswer): string {
  if (body.trim() === '') return `${status}, 0 B`;
  if (/^\s*</.test(body)) {
    const title = pageTitle(body);
    return title === '' ? `${status}, HTML` : `${status}, HTML (“${title}”)`;
  }
  const isJson = /json/i.test(contentType) || /^\s*[{[]/.test(body);
  return isJson ? `${status}, JSON` : `${status}, ${JSON.stringify(body.trim().slice(0, 60))}`;
}
