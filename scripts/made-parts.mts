import { readFileSync } from 'node:fs';
import path from 'node:path';
import { offeredTools } from '../src/agent/offered-tools.ts';
import { maxSubagentRequests } from '../src/agent/subagent.ts';
import type { Tool } from '../src/agent/tool.ts';
import { trashDays } from '../src/conversation/store/retention.ts';
import { maxFileBytes, maxTotalBytes } from '../src/customizations/rules-text.ts';
import { maxEditedBytes } from '../src/edits/apply/current-file.ts';
import { defaultMaxBytes } from '../src/edits/checkpoints/checkpoints.ts';
import { maxRequests } from '../src/features/inline/core/read-first.ts';
import { maxReviewRequests } from '../src/features/review-comments/core/run-review.ts';
import { maxInATurn } from '../src/features/subagents/core/subagents.ts';
import { fileTable } from '../src/files/file-table.ts';
import { classifyResponse } from '../src/service/failure/classify.ts';
import { maxContinuations } from '../src/service/step/step-continuation.ts';
import { estimateTokens } from '../src/service/tokens.ts';
import { type ChatMode, chatModes } from '../src/shared/approval.ts';
import { describeFailure } from '../src/shared/failure/failure-text.ts';
import { type FailureKind, failureKinds, kinds } from '../src/shared/failure/kinds.ts';
import { microUsdPerMillionTokens } from '../src/shared/money.ts';
import { costMicroUsd } from '../src/spend/price.ts';
import { toolSpecs } from '../src/tools/all-tools.ts';
import { maxFiles } from '../src/tools/command/outputs.ts';
import { fixedTokens } from '../test/support/fixed-tokens.ts';

const root = path.dirname(import.meta.dirname);
const { contributes } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const texts = JSON.parse(readFileSync(path.join(root, 'package.nls.json'), 'utf8'));

interface Setting {
  type: string | string[];
  default: unknown;
  markdownDescription?: string;
  description?: string;
  enum?: string[];
  enumDescriptions?: string[];
  markdownEnumDescriptions?: string[];
}
const groups: readonly { title: string; properties: Readonly<Record<string, Setting>> }[] = contributes.configuration;
const commands: readonly { command: string; title: unknown }[] = contributes.commands;
const keys: readonly { command: string; key: string; mac?: string; when?: string }[] = contributes.keybindings;

/** A text of the manifest in English; others stay as they are. */
function inEnglish(raw: unknown): string {
  const text = Object(raw).value ?? raw;
  const key = typeof text === 'string' ? /^%(.+)%$/.exec(text)?.[1] : undefined;
  const value = key === undefined ? text : texts[key];
  return typeof value === 'string' ? value : (value?.message ?? '');
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(inCell).join(' | ')} |`).join('\n');
const inCell = (text: string) => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ');
const usd = (microUsd: number) => (microUsd / 1_000_000).toFixed(microUsd < 10_000 ? 4 : 2);
const words = ['none', 'one', 'two', 'three', 'four', 'five'];
const inWords = (count: number) => words[count] ?? String(count);
const settingOf = (id: string): Setting => {
  const found = groups.map(({ properties }) => properties[id]).find((one) => one !== undefined);
  if (found === undefined) throw new Error(`no setting is called ${id}`);
  return found;
};
const steps = Number(settingOf('svc.tools.maxSteps').default);
const subagentUsd = Number(settingOf('svc.subagents.maxUsd').default);
const confirmUsd = Number(settingOf('svc.spend.confirmAboveUsd').default);

/** By its name, everything in the documents that is written by code: single figures, and tables. */
export const madeParts: Readonly<Record<string, (of: string) => string>> = {
  rate: () => (microUsdPerMillionTokens / 1_000_000).toFixed(2),
  steps: () => String(steps),
  subagentUsd: () => String(subagentUsd),
  subagentRequests: () => inWords(maxSubagentRequests),
  subagentsInAnswer: () => inWords(maxInATurn),
  confirmUsd: () => String(confirmUsd),
  confirmTimesSteps: () => (steps * confirmUsd).toFixed(2),
  continuations: () => inWords(maxContinuations),
  inlineRequests: () => inWords(maxRequests),
  reviewRequests: () => inWords(maxReviewRequests),
  trashDays: () => String(trashDays),
  keptOutputs: () => String(maxFiles),
  checkpointMegabytes: () => String(defaultMaxBytes / 1024 / 1024),
  editedMegabytes: () => String(maxEditedBytes / 1024 / 1024),
  ruleKilobytes: () => String(maxFileBytes / 1024),
  rulesKilobytes: () => String(maxTotalBytes / 1024),
  fixedTokens: () => {
    const of = (mode: ChatMode) => fixedTokens(mode).all.toLocaleString('en-US');
    return `${of('ask')} tokens in Ask, ${of('plan')} in Plan, ${of('edit')} in Edit, and ${of('agent')} in Agent`;
  },
  examples,
  failures,
  statuses,
  secretFiles: () =>
    table(
      ['files', 'names'],
      fileTable.flatMap(([because, reason, names]) =>
        because === 'secret'
          ? [
              [
                reason,
                names
                  .split(' ')
                  .map((name) => `\`${name}\``)
                  .join(' '),
              ],
            ]
          : [],
      ),
    ),
  settings: () => groups.map(settingsOf).join('\n\n'),
  commands: () => table(['command', 'ID'], commandRows()),
  keys: () => table(['key', 'macOS', 'does', 'works'], keyRows()),
  tools: () => table(['tool', 'Ask', 'Plan', 'Edit', 'Agent', 'what the model is told of it'], toolRows()),
};

/** What the card says of a bare answer with each status, and the section that has more. */
function statuses(): string {
  const rows = [400, 401, 402, 403, 404, 405, 408, 413, 422, 429, 500, 502, 503, 504, 522].map((status) => {
    const answer = { status, contentType: '', body: '', headers: { get: () => null } };
    const about = { modelIds: [], endpoint: '/chat/completions', at: '', redact: (text: string) => text };
    const { kind, ...failure } = classifyResponse({ ...answer, ...about });
    const { title } = describeFailure({ kind, ...failure }, (id) => id);
    const section = kinds[kind].help;
    return [String(status), title, `[${section.replaceAll('-', ' ')}](#${section})`];
  });
  return table(['status', 'card', 'more'], rows);
}

/** Tokens of a turn: every request sends again what the requests before it sent and brought. */
function turnTokens({ mode, question, steps: count, added, answer }: Example): number {
  const first = fixedTokens(mode).all + estimateTokens(question);
  const sent = (count + 1) * first + added * ((count * (count + 1)) / 2);
  return sent + answer;
}

interface Example {
  what: string;
  mode: ChatMode;
  question: string;
  steps: number;
  /** By each step: the call and its result. */
  added: number;
  answer: number;
}

function examples(): string {
  const all: Example[] = [
    {
      what: 'a question that needs no files',
      mode: 'ask',
      question: 'Explain the difference between a mutex and a semaphore, with an example in Go.',
      steps: 0,
      added: 0,
      answer: 400,
    },
    {
      what: 'a question for which three files are read',
      mode: 'ask',
      question: 'Where is the shipping cost decided?',
      steps: 3,
      added: 1500,
      answer: 300,
    },
    {
      what: 'a small change with its tests, 10 steps',
      mode: 'agent',
      question: 'Make the discount apply only once, and add a test for it.',
      steps: 10,
      added: 1200,
      answer: 1500,
    },
    {
      what: 'a long task, 40 steps',
      mode: 'agent',
      question: 'Move the store from callbacks to promises, and keep all tests green.',
      steps: 40,
      added: 1500,
      answer: 8000,
    },
  ];
  const rows = all.map((one) => {
    const tokens = turnTokens(one);
    return [
      `${one.what[0]?.toUpperCase()}${one.what.slice(1)}`,
      one.mode[0]?.toUpperCase() + one.mode.slice(1),
      String(one.steps + 1),
      one.steps === 0 ? '–' : one.added.toLocaleString('en-US'),
      tokens.toLocaleString('en-US'),
      usd(costMicroUsd(tokens)),
    ];
  });
  return table(['what you ask', 'mode', 'requests', 'tokens of a call and its result', 'tokens in all', 'USD'], rows);
}

/** Every kind of failure that a section of the help is about, in its own words. */
function failures(section: string): string {
  const own = failureKinds.filter((kind) => kinds[kind].help === section);
  if (own.length === 0) throw new Error(`no failure belongs to ${section}`);
  return table(['card', 'what to do', 'charged'], own.map(failureRow));
}

const charges = { no: 'no', none: 'nothing was sent', maybe: 'possibly', yes: 'yes' } as const;

/** For those that are known by their number. */
const status: Partial<Record<FailureKind, number>> = {
  forbidden: 403,
  'rate-limited': 429,
  'server-error': 500,
  'bad-request': 400,
};

function failureRow(kind: FailureKind): string[] {
  const facts = { steps: '8', repeated: 'the same edit and its undoing', microUsd: '20000' };
  const failure = { kind, model: 'MODEL', message: '', at: '', facts, ...(status[kind] && { status: status[kind] }) };
  const { title, detail } = describeFailure(failure, (id) => id);
  const { charge } = kinds[kind];
  return [title, detail, charge === 'maybe-if-silent' ? 'possibly; not if an error came' : charges[charge]];
}

/** In the settings editor a link runs a command, in a page it leads to a page. */
const helpLink = /\(command:svc\.help\?([^)]+)\)/;

function settingsOf({ title, properties }: (typeof groups)[number]): string {
  const own = Object.entries(properties).map(([id, setting]) => {
    const values = setting.enum?.map((value, at) => {
      const told = inEnglish((setting.markdownEnumDescriptions ?? setting.enumDescriptions)?.[at]);
      return `- \`${value}\`${told === '' ? '' : `: ${told}`}`;
    });
    const said = inEnglish(setting.markdownDescription ?? setting.description).replace(
      helpLink,
      (_link, page: string) => {
        const [name, section] = JSON.parse(decodeURIComponent(page))[0].split('#');
        return `(${name}.md#${section})`;
      },
    );
    const kept = `Default: \`${JSON.stringify(setting.default)}\`.`;
    return [`#### ${id}`, '', `${said} ${kept}`, ...(values === undefined ? [] : ['', ...values])].join('\n');
  });
  return [`### ${inEnglish(title)}`, ...own].join('\n\n');
}

const titleOf = (id: string) => {
  const found = commands.find(({ command }) => command === id);
  return found === undefined ? undefined : inEnglish(found.title);
};

function commandRows(): string[][] {
  const listed = commands.filter(({ command }) => !command.endsWith('InSideBar'));
  return listed.map(({ command, title }) => [inEnglish(title), `\`${command}\``]);
}

/** Where a key works, by the first of these that its condition names; a condition that is none of them has to be added. */
const places: readonly [condition: RegExp, place: string][] = [
  [/^$/, 'everywhere'],
  [/(?:^|[^!])svc\.chatFocused.*requestInProgress/, 'in the chat, while it answers'],
  [/(?:^|[^!])svc\.chatFocused/, 'in the chat'],
  [/hasPendingApproval/, 'while something asks'],
  [/svc\.conversations/, 'in the list of conversations'],
  [/inlineEditInput/, 'in the box for an instruction'],
  [/isCompleting/, 'while a completion is asked for'],
  [/inlineSuggestionVisible/, 'where a completion is shown'],
  [/inlineEditRunning/, 'while an inline edit is written'],
  [/cursorInInlineEdit/, 'in an inline edit'],
  [/cursorInEdit/, 'in a change'],
  [/hasUndecidedEdits/, 'while edits are undecided'],
  [/^editorTextFocus/, 'in an editor'],
];

function placeOf(when = ''): string {
  const place = places.find(([condition]) => condition.test(when))?.[1];
  if (place === undefined) throw new Error(`nothing says where a key with "${when}" works`);
  return place;
}

function keyRows(): string[][] {
  const shown = (key: string) =>
    `\`${key
      .split('+')
      .map((part) => (part.length === 1 ? part.toUpperCase() : `${part[0]?.toUpperCase()}${part.slice(1)}`))
      .join('+')}\``;
  return keys.map(({ command, key, mac, when }) => [
    shown(key),
    shown(mac ?? key),
    titleOf(command) ?? command.replace(/^svc\./, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    placeOf(when),
  ]);
}

function toolRows(): string[][] {
  const specs = toolSpecs as readonly Tool[];
  const offered = (mode: ChatMode) => new Set(offeredTools(mode, specs, () => true).map(({ name }) => name));
  const modes = chatModes.map(offered);
  const mark = (has: boolean) => (has ? 'yes' : '');
  return specs.map(({ name, description }) => [
    `\`${name}\``,
    ...modes.map((names) => mark(names.has(name))),
    description,
  ]);
}

const made = /<!-- made: (\w+)(?: ([\w-]+))? -->[\s\S]*?<!-- \/made -->/g;

/**
 * A document with its made parts as code and manifest have them now. A part in a paragraph stays in its line, one that begins a line
 * and holds several is a block. Throws for a part that nobody makes.
 */
export function withMadeParts(text: string): string {
  return text.replace(made, (_whole, name: string, of = '') => {
    const make = madeParts[name];
    if (make === undefined) throw new Error(`nothing makes ${name}`);
    const part = make(of);
    const isBlock = part.includes('\n');
    const opener = `<!-- made: ${name}${of === '' ? '' : ` ${of}`} -->`;
    return isBlock ? `${opener}\n${part}\n<!-- /made -->` : `${opener}${part}<!-- /made -->`;
  });
}
