import * as vscode from 'vscode';
import { nextPreview, type PriceRow, sentPreview } from '../../agent/request-preview.ts';
import type { NextRequest } from '../../chat/next-message.ts';
import type { ChatViewModel } from '../../chat/view-model.ts';
import { capabilitiesMarkdown } from '../../service/check/capabilities.ts';
import { type CheckReport, checkService } from '../../service/check/check.ts';
import type { CheckAction } from '../../service/check/check-diagnosis.ts';
import { checkReportText, toMarkdown } from '../../service/check/check-page.ts';
import { modelsMarkdown } from '../../service/check/models-page.ts';
import { supportReport, type Versions } from '../../service/check/report.ts';
import type { ChatRequest } from '../../service/contract.ts';
import { formatMicroUsd } from '../../shared/money.ts';
import type { NextPrice } from '../../shared/panel/panel-info.ts';
import { relativeTime } from '../../shared/relative-time.ts';
import { costMicroUsd } from '../../spend/price.ts';
import type { Service } from '../account/create-service.ts';
import { resetLearnedFacts } from '../account/learned-facts.ts';
import { cancellable } from '../host/cancellable.ts';
import type { CommandHandlers, CommandId } from '../host/command-ids.ts';
import type { Pages } from '../host/pages.ts';
import { openSetting } from '../host/settings.ts';
import { showMessage } from '../host/show-message.ts';
import { accessibilityHelp } from './accessibility-help.ts';

export interface ReportDeps {
  pages: Pages;
  viewModel(): ChatViewModel;
  model(): string;
}

export interface Reports {
  /** Shows exactly what a request carried. */
  showSent(request: ChatRequest | undefined): Promise<void>;
  /** Shows the request that Send would make now, with its price by part, and then the last one that was sent. */
  showNext(next: NextRequest): Promise<void>;
  /** Reports on one turn, by default the last one; the report is shown and copied to the clipboard. */
  copyReport(turnId?: string): Promise<void>;
  /** Copies a report to the clipboard, shows it, and asks whether to send it to support. Resolves once it is shown. */
  share(report: string): Promise<void>;
  versions(): Versions;
  commands: Pick<
    CommandHandlers,
    | 'svc.showService'
    | 'svc.resetLearnedFacts'
    | 'svc.checkService'
    | 'svc.showCapabilities'
    | 'svc.showModels'
    | 'svc.showAccessibilityHelp'
    | 'svc.copySupportReport'
    | 'svc.toggleInlineSuggestions'
    | 'svc.showLog'
    | 'svc.openSettings'
    | 'svc.help'
  >;
}

export function createReports(service: Service, report: ReportDeps): Reports {
  const { access, learned } = service;
  const { pages } = report;
  const showService = createServicePage(service, report);
  const shareText = (text: string) => share(service, pages, text);
  const sentText = (request: ChatRequest) => access.redact(sentPreview(request, learned.get(request.model)));
  const copyReport = async (turnId?: string) => {
    const { state, attempts } = pickTurn(report.viewModel(), turnId);
    const text = supportReport({
      failure: state?.failure,
      attempts,
      ...versionsOf(service),
      redact: access.redact,
      now: access.clock.epochMs(),
    });
    await shareText(text);
  };
  return {
    async showSent(request) {
      if (!request) {
        return showMessage(vscode.l10n.t('Nothing from this conversation has been sent from this window yet.'));
      }
      await pages.showText(vscode.l10n.t('Sent Request'), sentText(request));
    },
    async showNext({ request, price, running, empty, sent }) {
      const notes = [vscode.l10n.t('This is what Send would send right now. Nothing was sent to create this page.')];
      if (empty) notes.push(vscode.l10n.t('The message is still empty. Your text will appear at the end.'));
      if (running) notes.push(vscode.l10n.t('An answer is in progress. Whatever it adds is also sent.'));
      const facts = learned.get(request.model);
      const baseUrl = access.baseUrl() || vscode.l10n.t('(no service address set)');
      const next = access.redact(nextPreview({ request, facts, baseUrl, prices: priceRows(price), notes }));
      const last =
        sent === undefined ? [] : [`${'═'.repeat(8)} ${vscode.l10n.t('What was sent last')}`, sentText(sent)];
      await pages.showText(vscode.l10n.t('Next Request'), [next, ...last].join('\n\n'));
    },
    copyReport,
    share: (text) => shareText(access.redact(text)),
    versions: () => versionsOf(service),
    commands: {
      'svc.showService': () => showService('models'),
      'svc.checkService': () => showService('check'),
      'svc.showCapabilities': () => showService('capabilities'),
      'svc.showModels': () => showService('models'),
      'svc.resetLearnedFacts': () => resetLearnedFacts(learned, service.record, service.models.nameOf),
      'svc.showAccessibilityHelp': () =>
        pages.showText(vscode.l10n.t('Accessibility Help'), accessibilityHelp(process.platform === 'darwin')),
      'svc.copySupportReport': () => copyReport(),
      'svc.toggleInlineSuggestions': () => explainInlineSuggestions(),
      'svc.showLog': () => service.log.show(),
      'svc.help': (page) => openHelp(service.context.extensionUri, page),
      'svc.openSettings': () =>
        vscode.commands.executeCommand('workbench.action.openSettings', '@ext:svc.svc-assistant'),
    },
  };
}

const run = (command: CommandId) => vscode.commands.executeCommand(command);

function versionsOf({ context }: Service): Versions {
  const remote = vscode.env.remoteName ? `, remote ${vscode.env.remoteName}` : '';
  return {
    extensionVersion: context.extension.packageJSON.version,
    vscodeVersion: vscode.version,
    platform: `${process.platform} ${process.arch}${remote}`,
  };
}

type Part = 'check' | 'models' | 'capabilities';

/**
 * Shows the single page about the service with the requested part first. A check is made only on request; the last
 * one of this window stays on the page.
 */
function createServicePage(service: Service, { pages, model }: ReportDeps): (first: Part) => Promise<void> {
  let last: CheckReport | undefined;
  return async (first) => {
    if (first === 'check') last = await check(service, model);
    const parts: Record<Part, string> = {
      check: last === undefined ? '' : toMarkdown(last),
      models: modelsPart(service),
      capabilities: capabilitiesMarkdown(),
    };
    const { [first]: asked, ...others } = parts;
    const more = vscode.l10n.t("Check Service and Forget Learned Model Limits are in the status bar's menu.");
    const shown = [asked, ...Object.values(others), more].filter((part) => part !== '');
    await pages.showMarkdown(vscode.l10n.t('Service'), shown.join('\n\n---\n\n'));
    // Not waited for: the message may stay open as long as the page is read.
    if (first === 'check' && last) {
      const text = service.access.redact(checkReportText(last, versionsOf(service)));
      void offerAfterCheck(last, () => share(service, pages, text));
    }
  };
}

/** The check is free and sends no content. */
async function check({ access }: Service, model: () => string): Promise<CheckReport> {
  return cancellable(vscode.l10n.t('Checking the service…'), (signal) => checkService({ ...access, model }, signal));
}

function modelsPart({ models, learned, board, record, settings, access, fallback }: Service): string {
  const now = access.clock.epochMs();
  return modelsMarkdown({
    models: models.models(),
    learned,
    board,
    onProject: (id) => record.words(id, vscode.env.language),
    order: fallback().order,
    orderIsSet: settings.fallback().order.length > 0,
    formatTime: (at) => relativeTime(at, now, vscode.env.language),
  });
}

async function explainInlineSuggestions(): Promise<void> {
  const show = vscode.l10n.t('Show What the Service Offers');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t("Completions as you type aren't available. Autocomplete at Cursor (Alt+\\) asks once."),
    show,
  );
  if (answer === show) await run('svc.showCapabilities');
}

async function share(service: Service, pages: Pages, report: string): Promise<void> {
  await vscode.env.clipboard.writeText(report);
  await pages.showText(vscode.l10n.t('Support Report'), report);
  // Not waited for: the message may stay open as long as the report is read.
  void offerToSend(service, report);
}

const checkActions: Record<CheckAction, { label(): string; run(): Thenable<unknown> }> = {
  'set-address': { label: () => vscode.l10n.t('Set Address'), run: () => run('svc.setBaseUrl') },
  'set-key': { label: () => vscode.l10n.t('Enter New Key'), run: () => run('svc.setApiKey') },
  'select-model': { label: () => vscode.l10n.t('Select Model'), run: () => run('svc.selectModel') },
  'open-dashboard': { label: () => vscode.l10n.t('Open Dashboard'), run: () => run('svc.openDashboard') },
  'open-proxy-settings': {
    label: () => vscode.l10n.t('Check Proxy'),
    run: () => vscode.commands.executeCommand('workbench.action.openSettings', 'http.proxy'),
  },
  'check-again': { label: () => vscode.l10n.t('Check Again'), run: () => run('svc.checkService') },
};

async function offerAfterCheck({ diagnosis }: CheckReport, shareReport: () => Promise<void>): Promise<void> {
  const action = diagnosis.action && checkActions[diagnosis.action];
  const copy = vscode.l10n.t('Copy Report');
  const buttons = [...(action ? [action.label()] : []), copy];
  const text = `${diagnosis.text} ${diagnosis.next}`.trim();
  const show = action ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const answer = await show(text, ...buttons);
  if (answer === undefined) return;
  if (answer !== copy) return void (await action?.run());
  await shareReport();
}

/** The user reads the report first, and the user's own mail program sends it. */
async function offerToSend({ settings }: Service, report: string): Promise<void> {
  const send = vscode.l10n.t('Send to Support');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t('The report is on the clipboard. It is shown so that you can read it before you send it.'),
    send,
  );
  if (answer !== send) return;
  const address = settings.supportEmail();
  if (!/^[^\s@<>"?&]+@[^\s@<>"?&]+$/.test(address)) {
    const open = vscode.l10n.t('Open Setting');
    const choice = await vscode.window.showInformationMessage(
      vscode.l10n.t("No support address is set. Look in your service's documentation."),
      open,
    );
    if (choice === open) await openSetting('supportEmail');
    return;
  }
  const query = `subject=${encodeURIComponent('svc Assistant report')}&body=${encodeURIComponent(report)}`;
  await vscode.env.openExternal(vscode.Uri.from({ scheme: 'mailto', path: address, query }));
}

/**
 * Returns the rows of the price table. Each part is rounded by itself, while the last row prices the whole, so the
 * parts need not add up.
 */
function priceRows({ parts, tokens, microUsd, error }: NextPrice): PriceRow[] {
  const row = (name: string, count: number, price = costMicroUsd(count)): PriceRow => [
    name,
    count === 0 ? '0' : `≈ ${count.toLocaleString(vscode.env.language)}`,
    formatMicroUsd(price, true, vscode.env.language),
  ];
  const whole =
    error === undefined ? vscode.l10n.t('Total') : vscode.l10n.t('Total, ±{0}%', Math.max(1, Math.round(error * 100)));
  return [
    row(vscode.l10n.t('Draft'), parts.draft),
    row(vscode.l10n.t('Attachments'), parts.attachments),
    row(vscode.l10n.t('History'), parts.history),
    row(vscode.l10n.t('Instruction files'), parts.rules),
    row(vscode.l10n.t('Tools and instructions'), parts.tools),
    row(whole, tokens, microUsd),
  ];
}

function pickTurn(viewModel: ChatViewModel, turnId: string | undefined) {
  const answers = viewModel.state().items.filter((item) => item.kind === 'answer');
  const state = turnId === undefined ? answers.at(-1) : answers.find((answer) => answer.turnId === turnId);
  return { state, attempts: state ? viewModel.conversation().attempts(state.turnId) : [] };
}

/**
 * Opens a page of the user documentation in VS Code's preview: `costs`, or one section, `costs#limits`. Anything else
 * opens the table of contents, because links and other extensions may pass anything. The pages are packaged and in
 * English.
 */
async function openHelp(extension: vscode.Uri, page: unknown): Promise<void> {
  const [, name = 'index', section = ''] = (typeof page === 'string' && /^([a-z-]+)(?:#([a-z-]+))?$/.exec(page)) || [];
  const file = vscode.Uri.joinPath(extension, 'docs/user', `${name}.md`);
  await vscode.commands.executeCommand('markdown.showPreview', file.with({ fragment: section }));
}
