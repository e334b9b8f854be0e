import * as l10n from '@vscode/l10n';
import { isServed, servedRequests } from './served-requests.ts';

/**
 * This table is the only source for the guard in front of every request, the capabilities page, disabled controls and
 * docs/service.md. Texts are functions, because the language is known only after this module is loaded.
 */
export interface Capability {
  feature: string;
  name(): string;
  /** `not-published`: the interface is silent, so the feature is tried, and the outcome is remembered per model. */
  status: 'served' | 'not-served' | 'not-published';
  method?: string;
  path?: string;
  reason(): string;
  substitute?(): string;
  where?(): string;
}

export const capabilities: readonly Capability[] = [
  {
    feature: 'models',
    name: () => l10n.t('Model list'),
    status: 'served',
    ...servedRequests.models,
    reason: () => l10n.t('Free and needs no key. Returns model IDs, but no limits and no real dates.'),
    where: () => l10n.t('Every model picker'),
  },
  {
    feature: 'chat',
    name: () => l10n.t('Chat completions'),
    status: 'served',
    ...servedRequests.chat,
    reason: () => l10n.t('The only operation that costs credit. Failed and empty calls are not charged.'),
    where: () => l10n.t("Chat, editor, commit message, VS Code's own chat"),
  },
  {
    feature: 'completions',
    name: () => l10n.t('Ghost text (text completions)'),
    status: 'not-served',
    method: 'POST',
    path: '/completions',
    reason: () => l10n.t('The service has no text-completion endpoint.'),
    substitute: () => l10n.t('Autocomplete at Cursor asks once, on a key. Or let the model edit the file.'),
    where: () => l10n.t('Autocomplete at Cursor'),
  },
  {
    feature: 'embeddings',
    name: () => l10n.t('Codebase index and semantic search (embeddings)'),
    status: 'not-served',
    method: 'POST',
    path: '/embeddings',
    reason: () => l10n.t('The service has no embeddings endpoint.'),
    substitute: () => l10n.t('Text search is used instead.'),
    where: () => l10n.t('Add Context'),
  },
  {
    feature: 'responses',
    name: () => l10n.t('Responses API'),
    status: 'not-served',
    method: 'POST',
    path: '/responses',
    reason: () => l10n.t('Only chat completions are served.'),
  },
  {
    feature: 'messages',
    name: () => l10n.t('Messages API'),
    status: 'not-served',
    method: 'POST',
    path: '/messages',
    reason: () => l10n.t('Only chat completions are served.'),
  },
  {
    feature: 'model-lookup',
    name: () => l10n.t('Single-model lookup'),
    status: 'not-served',
    method: 'GET',
    path: '/models/{id}',
    reason: () => l10n.t('The service has no endpoint for one model.'),
    substitute: () => l10n.t('Details come from the model list and from what svc has learned on this machine.'),
    where: () => l10n.t('Model picker'),
  },
  {
    feature: 'fine-tuning',
    name: () => l10n.t('Fine-tuning'),
    status: 'not-served',
    path: '/fine_tuning/jobs',
    reason: () => l10n.t('The service has no fine-tuning endpoint.'),
    substitute: () => l10n.t('Put lasting instructions in an instruction file.'),
  },
  {
    feature: 'speech',
    name: () => l10n.t('Speech and transcription'),
    status: 'not-served',
    reason: () => l10n.t('The service has no audio endpoints.'),
    substitute: () => l10n.t("Use your system's dictation."),
  },
  {
    feature: 'image-generation',
    name: () => l10n.t('Image generation'),
    status: 'not-served',
    reason: () => l10n.t('The service has no image endpoint.'),
    substitute: () => l10n.t('Ask for SVG or for a diagram as text.'),
    where: () => l10n.t('Chat'),
  },
  {
    feature: 'account',
    name: () => l10n.t('Balance, usage history, and keys by API'),
    status: 'not-served',
    reason: () => l10n.t('The service has no endpoint for any of them.'),
    substitute: () => l10n.t('See the dashboard. Spend shown here is counted on this machine.'),
    where: () => l10n.t('Status bar, spend views'),
  },
  {
    feature: 'streaming',
    name: () => l10n.t('Streaming'),
    status: 'not-published',
    reason: () => l10n.t('Tried with each model. If a model refuses, svc asks it for complete answers from then on.'),
    where: () => l10n.t('Chat'),
  },
  {
    feature: 'tools',
    name: () => l10n.t('Tool calling'),
    status: 'not-published',
    reason: () =>
      l10n.t('Tried with each model. If a model refuses, svc stops sending it tools, and the chat says so.'),
    where: () => l10n.t('Chat'),
  },
  {
    feature: 'images',
    name: () => l10n.t('Image input'),
    status: 'not-published',
    reason: () =>
      l10n.t("Five of the seven models accept images. The service doesn't publish which ones or in what format."),
    substitute: () => l10n.t('If a model refuses, describe the image in words.'),
    where: () => l10n.t('Chat'),
  },
  {
    feature: 'parameters',
    name: () => l10n.t('Temperature, top_p, seed, and stop'),
    status: 'not-published',
    reason: () => l10n.t('Sent only when you set them. If a model refuses one, svc stops sending it to that model.'),
    where: () => l10n.t('Settings'),
  },
  {
    feature: 'limits',
    name: () => l10n.t('Context sizes, answer lengths, and rate limits'),
    status: 'not-published',
    reason: () => l10n.t('No limits are published. If an error message states one, svc remembers it for that model.'),
    where: () => l10n.t('Model picker'),
  },
  {
    feature: 'request-size',
    name: () => l10n.t('Largest request and most messages'),
    status: 'not-published',
    reason: () => l10n.t('If a request is refused for its size, svc says so, and you can compact the conversation.'),
    where: () => l10n.t('Chat, Show What the Service Offers'),
  },
  {
    feature: 'key-scopes',
    name: () => l10n.t('Expiry, scopes, and revocation of keys'),
    status: 'not-published',
    reason: () =>
      l10n.t(
        "The service doesn't publish whether a key expires, what it can do, or how an old one is disabled. A free check tells whether one is accepted now.",
      ),
    substitute: () => l10n.t('After a leak, create a new key, switch to it, and ask support to disable the old one.'),
    where: () => l10n.t('Set API Key, Remove or Replace API Key'),
  },
  {
    feature: 'notices-of-change',
    name: () => l10n.t('Notices of change and events'),
    status: 'not-published',
    reason: () =>
      l10n.t(
        "The service doesn't publish how it announces changes. The model list is read again when you open a picker, and a missing model is marked.",
      ),
    where: () => l10n.t('Model picker'),
  },
  {
    feature: 'sign-in',
    name: () => l10n.t('Sign-in and account'),
    status: 'not-served',
    reason: () =>
      l10n.t(
        'You sign in to the dashboard, in the browser, with a social login or an email address. The extension has no sign-in and needs only a key.',
      ),
    substitute: () => l10n.t('Open the dashboard to sign in, create keys, and top up.'),
    where: () => l10n.t('Getting started, Open Dashboard'),
  },
  {
    feature: 'contact',
    name: () => l10n.t('Contact form'),
    status: 'not-served',
    reason: () =>
      l10n.t('Support is reached by email or through the contact form on the website, not through the API.'),
    substitute: () =>
      l10n.t('Copy Report on a failure prepares the text to send, with only the first characters of the key.'),
    where: () => l10n.t('Every failure'),
  },
];

/** A request to a path that the service does not serve was refused; nothing was sent. */
export class FeatureNotServed extends Error {
  override readonly name = 'FeatureNotServed';
  readonly capability: Capability | undefined;

  constructor(method: string, path: string, capability: Capability | undefined) {
    const why = capability === undefined ? l10n.t('Only two operations are served.') : capability.reason();
    super([`${method} ${path} is not served. ${why}`, capability?.substitute?.()].filter(Boolean).join(' '));
    this.capability = capability;
  }
}

/**
 * Throws `FeatureNotServed` unless the pair is one of `servedRequests`. `path` is relative to the base address and
 * starts with a slash.
 */
export function assertServed(method: string, path: string): void {
  if (isServed(method, path)) return;
  const known = capabilities.find(
    (capability) => capability.status === 'not-served' && matchesPath(capability.path, path),
  );
  throw new FeatureNotServed(method, path, known);
}

function matchesPath(pattern: string | undefined, path: string): boolean {
  if (pattern === undefined) return false;
  if (pattern === '/models/{id}') return path.startsWith('/models/') && path.length > '/models/'.length;
  return path === pattern || path.startsWith(`${pattern}/`);
}

const headings: readonly [Capability['status'], () => string][] = [
  ['served', () => l10n.t('Served')],
  ['not-served', () => l10n.t('Not served')],
  ['not-published', () => l10n.t('Not published: tried and remembered')],
];

export function capabilitiesMarkdown(): string {
  return [`# ${l10n.t('Service Capabilities')}`, '', ...sections(), ...privacyLines()].join('\n');
}

function privacyLines(): string[] {
  return [
    `## ${l10n.t('Privacy')}`,
    '',
    `- ${l10n.t('Sent to the service when you ask: your messages, your attachments, the files and output that the model reads, and your key in the header of each request. *svc: Show What Is Sent, Its Tokens and Price* shows all of it except the key.')}`,
    `- ${l10n.t('What the service says: it handles your account email address, session cookies, and the usage needed to run the API. Card payments go through the payment processor.')}`,
    `- ${l10n.t("What the service doesn't say: whether prompts and replies are logged, how long anything is kept, whether data is used for training, or where requests are processed.")}`,
    `- ${l10n.t('The extension has no telemetry, polls nothing, and sends no request until you act.')}`,
    '',
  ];
}

function sections(): string[] {
  const lines: string[] = [];
  for (const [status, heading] of headings) {
    lines.push(`## ${heading()}`, '', `| ${l10n.t('Feature')} | ${l10n.t('What to know')} |`, '|---|---|');
    for (const capability of capabilities.filter((row) => row.status === status)) {
      const { name, method, path, reason, substitute, where } = capability;
      const request = path === undefined ? '' : `<br>\`${[method, path].filter(Boolean).join(' ')}\``;
      const text = [reason(), substitute?.()].filter(Boolean).join(' ');
      const place = where === undefined ? '' : `<br>${l10n.t('Where: {0}', where())}`;
      lines.push(`| **${name()}**${request} | ${text}${place} |`);
    }
    lines.push('');
  }
  return lines;
}
