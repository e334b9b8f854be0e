import type { Learned, ModelFacts, Source } from '../step/learned.ts';
import { plainCell } from './plain-cell.ts';
import { isServed, servedRequests } from './served-requests.ts';

/**
 * What the service serves, does not serve and does not say. The only source for the guard in front of every request,
 * the capabilities page, disabled controls and docs/service.md.
 */
export interface Capability {
  /** Stable id, used by controls that explain themselves. */
  feature: string;
  name: string;
  /** `not-published`: the interface is silent, so it is tried and what happened is remembered per model. */
  status: 'served' | 'not-served' | 'not-published';
  /** Method and path relative to the base address, where there is one. */
  method?: string;
  path?: string;
  reason: string;
  /** What to use instead. */
  substitute?: string;
  /** Where in the product one meets it. */
  where: string;
}

export const capabilities: readonly Capability[] = [
  {
    feature: 'models',
    name: 'Model list',
    status: 'served',
    ...servedRequests.models,
    reason: 'Free and needs no key. Returns model IDs, but no limits and no real dates.',
    where: 'Every model picker',
  },
  {
    feature: 'chat',
    name: 'Chat completions',
    status: 'served',
    ...servedRequests.chat,
    reason: 'The only operation that costs credit. Failed and empty calls are not charged.',
    where: "Chat, editor, commit message, VS Code's own chat",
  },
  {
    feature: 'completions',
    name: 'Ghost text (text completions)',
    status: 'not-served',
    method: 'POST',
    path: '/completions',
    reason: 'The service has no text-completion endpoint.',
    substitute: 'Ask in the chat, or let the model edit the file.',
    where: 'Toggle Inline Suggestions',
  },
  {
    feature: 'embeddings',
    name: 'Codebase index and semantic search (embeddings)',
    status: 'not-served',
    method: 'POST',
    path: '/embeddings',
    reason: 'The service has no embeddings endpoint.',
    substitute: 'Text search is used instead.',
    where: 'Add Context',
  },
  {
    feature: 'responses',
    name: 'Responses API',
    status: 'not-served',
    method: 'POST',
    path: '/responses',
    reason: 'Only chat completions are served.',
    where: '–',
  },
  {
    feature: 'messages',
    name: 'Messages API',
    status: 'not-served',
    method: 'POST',
    path: '/messages',
    reason: 'Only chat completions are served.',
    where: '–',
  },
  {
    feature: 'model-lookup',
    name: 'Single-model lookup',
    status: 'not-served',
    method: 'GET',
    path: '/models/{id}',
    reason: 'The service has no endpoint for one model.',
    substitute: 'Details come from the model list and from what svc has learned on this machine.',
    where: 'Model picker',
  },
  {
    feature: 'fine-tuning',
    name: 'Fine-tuning',
    status: 'not-served',
    path: '/fine_tuning/jobs',
    reason: 'The service has no fine-tuning endpoint.',
    substitute: 'Put lasting instructions in an instruction file.',
    where: '–',
  },
  {
    feature: 'speech',
    name: 'Speech and transcription',
    status: 'not-served',
    reason: 'The service has no audio endpoints.',
    substitute: "Use your system's dictation.",
    where: '–',
  },
  {
    feature: 'image-generation',
    name: 'Image generation',
    status: 'not-served',
    reason: 'The service has no image endpoint.',
    substitute: 'Ask for SVG or for a diagram as text.',
    where: 'Chat',
  },
  {
    feature: 'account',
    name: 'Balance, usage history, and keys by API',
    status: 'not-served',
    reason: 'The service has no endpoint for any of them.',
    substitute: 'See the dashboard. Spend shown here is counted on this machine.',
    where: 'Status bar, spend views',
  },
  {
    feature: 'streaming',
    name: 'Streaming',
    status: 'not-published',
    reason: 'Tried with each model. If a model refuses, svc asks it for complete answers from then on.',
    where: 'Chat',
  },
  {
    feature: 'tools',
    name: 'Tool calling',
    status: 'not-published',
    reason: 'Tried with each model. If a model refuses, svc stops sending it tools, and the chat says so.',
    where: 'Chat',
  },
  {
    feature: 'images',
    name: 'Image input',
    status: 'not-published',
    reason: "Five of the seven models accept images. The service doesn't publish which ones or in what format.",
    substitute: 'If a model refuses, describe the image in words.',
    where: 'Chat',
  },
  {
    feature: 'parameters',
    name: 'Temperature, top_p, seed, and stop',
    status: 'not-published',
    reason: 'Sent only when you set them. If a model refuses one, svc stops sending it to that model.',
    where: 'Settings',
  },
  {
    feature: 'limits',
    name: 'Context sizes, answer lengths, and rate limits',
    status: 'not-published',
    reason: 'No limits are published. If an error message states one, svc remembers it for that model.',
    where: 'Model picker',
  },
  {
    feature: 'request-size',
    name: 'Largest request and most messages',
    status: 'not-published',
    reason: 'If a request is refused for its size, svc says so, and you can compact the conversation.',
    where: 'Chat, Show Service',
  },
  {
    feature: 'key-scopes',
    name: 'Expiry, scopes, and revocation of keys',
    status: 'not-published',
    reason:
      "The service doesn't publish whether a key expires, what it can do, or how an old one is disabled. A free check tells whether one is accepted now.",
    substitute: 'After a leak, create a new key, switch to it, and ask support to disable the old one.',
    where: 'Set API Key, Replace Leaked Key',
  },
  {
    feature: 'notices-of-change',
    name: 'Notices of change and events',
    status: 'not-published',
    reason:
      "The service doesn't publish how it announces changes. The model list is read again when you open a picker, and a missing model is marked.",
    where: 'Model picker',
  },
  {
    feature: 'sign-in',
    name: 'Sign-in and account',
    status: 'not-served',
    reason:
      'You sign in to the dashboard, in the browser, with a social login or an email address. The extension has no sign-in and needs only a key.',
    substitute: 'Open the dashboard to sign in, create keys, and top up.',
    where: 'Getting started, Open Dashboard',
  },
  {
    feature: 'contact',
    name: 'Contact form',
    status: 'not-served',
    reason: 'Support is reached by email or through the contact form on the website, not through the API.',
    substitute: 'Copy Report on a failure prepares the text to send, with only the first characters of the key.',
    where: 'Every failure',
  },
];

/** A request was about to go to a path that the service does not serve. Nothing was sent. */
export class FeatureNotServed extends Error {
  override readonly name = 'FeatureNotServed';
  readonly capability: Capability | undefined;

  constructor(method: string, path: string, capability: Capability | undefined) {
    const why = capability === undefined ? 'Only two operations are served.' : capability.reason;
    super([`${method} ${path} is not served. ${why}`, capability?.substitute].filter(Boolean).join(' '));
    this.capability = capability;
  }
}

/** `path` is relative to the base address and starts with a slash. Throws `FeatureNotServed` for all but two pairs. */
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

const headings = [
  ['served', 'Served'],
  ['not-served', 'Not served'],
  ['not-published', 'Not published: tried and remembered'],
] as const;

/** The whole table as a part of a page, and as docs/service.md. */
export function capabilitiesMarkdown(): string {
  return ['# Service capabilities', '', ...sections(), ...privacyLines()].join('\n');
}

/** What the interface states about data and what it leaves open, and what the product does about it. */
function privacyLines(): string[] {
  return [
    '## Privacy',
    '',
    '- Sent to the service when you ask: your messages, your attachments, the files and output that the model reads, and your key in the header of each request. *svc: Show What Is Sent* shows all of it except the key.',
    '- What the service says: it handles your account email address, session cookies, and the usage needed to run the API. Card payments go through the payment processor.',
    "- What the service doesn't say: whether prompts and replies are logged, how long anything is kept, whether data is used for training, or where requests are processed.",
    '- The extension has no telemetry, polls nothing, and sends no request until you act.',
    '',
  ];
}

function sections(): string[] {
  const lines: string[] = [];
  for (const [status, heading] of headings) {
    lines.push(`## ${heading}`, '', '| Feature | What to know |', '|---|---|');
    for (const capability of capabilities.filter((row) => row.status === status)) {
      const { name, method, path, reason, substitute, where } = capability;
      const request = path === undefined ? '' : `<br>\`${[method, path].filter(Boolean).join(' ')}\``;
      const text = [reason, substitute].filter(Boolean).join(' ');
      const place = where === '–' ? '' : `<br>Where: ${where}`;
      lines.push(`| **${name}**${request} | ${text}${place} |`);
    }
    lines.push('');
  }
  return lines;
}

/** The facts that were learned, with date and evidence. */
export function factsMarkdown(learned: Learned): string[] {
  const rows = [...learned.all()].flatMap(([model, facts]) => factRows(model, facts));
  const heading = ['## Learned on this machine', ''];
  if (rows.length === 0) return [...heading, 'Nothing yet. Every feature is still tried with every model.', ''];
  return [...heading, '| Model and feature | Learned |', '|---|---|', ...rows, ''];
}

function factRows(model: string, facts: ModelFacts): string[] {
  const named = [
    ['streaming', facts.streaming],
    ['token counts while streaming', facts.streamOptions],
    ['tool calling', facts.tools],
    ['image input', facts.images],
    ['history as it is', facts.plainHistory],
    ...Object.entries(facts.parameters),
  ] as const;
  const rows = named.flatMap(([name, fact]) =>
    fact === undefined ? [] : [[model, name, fact.works ? 'yes' : 'no', fact.at.slice(0, 10), fact.evidence]],
  );
  const { contextTokens, contextTokensFrom, reasoningEcho, reasoningEchoFrom } = facts;
  if (contextTokens !== undefined) {
    rows.push([model, 'context size', `${contextTokens} tokens`, ...sourceCells(contextTokensFrom)]);
  }
  if (reasoningEcho !== undefined) {
    rows.push([model, 'reasoning in the history', reasoningEcho, ...sourceCells(reasoningEchoFrom)]);
  }
  return rows.map((cells) => {
    const [feature, works, at, evidence] = cells.slice(1).map(plainCell);
    return `| **${plainCell(model)}**<br>${feature} | ${works}, ${at}<br>${evidence} |`;
  });
}

/** Facts of earlier versions have no source. */
function sourceCells(source: Source | undefined): [string, string] {
  return source === undefined ? ['–', 'an error message'] : [source.at.slice(0, 10), source.evidence];
}
