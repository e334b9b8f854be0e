import * as vscode from 'vscode';
import { nextPreview, type PriceRow, sentPreview } from '../../agent/request-preview.ts';
import { capabilitiesMarkdown } from '../../service/check/capabilities.ts';
import { type CheckReport, checkService } from '../../service/check/check.ts';
import type { CheckAction } from '../../service/check/check-diagnosis.ts';
import { checkReportText, toMarkdown } from '../../service/check/check-page.ts';
import { modelsMarkdown } from '../../service/check/models-page.ts';
import { supportReport, type Versions } from '../../service/check/report.ts';
import { formatMicroUsd } from '../../shared/money.ts';
import type { NextPrice } from '../../shared/panel/next-price.ts';
import { costMicroUsd } from '../../spend/price.ts';
import type { ChatSession } from '../chat/chat-session.ts';
import { relativeTime } from '../host/relative-time.ts';
import { openSetting } from '../host/settings.ts';
import { accessibilityHelp } from './accessibility-help.ts';
import type { ReportDeps, ReportPages } from './reports.ts';

interface PageDeps extends ReportDeps {
  versions(): Versions;
}

/** What `reports.ts` loads when the first page is asked for. */
export function createReportPages(deps: PageDeps): ReportPages {
  return {
    showCapabilities: () =>
      deps.pages.showMarkdown(vscode.l10n.t('Service Capabilities'), capabilitiesMarkdown(deps.learned)),
    showAccessibilityHelp: () =>
      deps.pages.showText(vscode.l10n.t('Accessibility Help'), accessibilityHelp(process.platform === 'darwin')),
    async checkService() {
      const report = await vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          title: vscode.l10n.t('Checking the service…'),
          cancellable: true,
        },
        (_progress, token) => {
          const abort = new AbortController();
          token.onCancellationRequested(() => abort.abort());
          return checkService(deps.check, abort.signal);
        },
      );
      await deps.pages.showMarkdown(vscode.l10n.t('Service Check'), toMarkdown(report));
      // Not waited for: the message may stay open as long as the page is read.
      void offerAfterCheck(deps, report, checkReportText(report, deps.versions()));
    },
    async showSent(request) {
      if (!request) {
        void vscode.window.showInformationMessage(
          vscode.l10n.t('Nothing of this conversation was sent from this window yet.'),
        );
        return;
      }
      const text = sentPreview(request, deps.learned.get(request.model));
      await deps.pages.showText(vscode.l10n.t('Sent Request'), deps.check.redact(text));
    },
    async showNext({ request, price, running, empty }) {
      const { learned, check, pages } = deps;
      const notes = [vscode.l10n.t('This is what Send would send now. Nothing was sent to make this page.')];
      if (empty) notes.push(vscode.l10n.t('The message is empty so far; what you write stands at the end.'));
      if (running) notes.push(vscode.l10n.t('An answer is being written: what it adds is sent too.'));
      const facts = learned.get(request.model);
      const baseUrl = check.baseUrl() || vscode.l10n.t('(no service address yet)');
      const text = nextPreview({ request, facts, baseUrl, prices: priceRows(price), notes });
      await pages.showText(vscode.l10n.t('Next Request'), check.redact(text));
    },
    async copyReport(turnId) {
      const { state, attempts } = pickTurn(deps.session(), turnId);
      const report = supportReport({
        failure: state?.failure,
        attempts,
        ...deps.versions(),
        redact: deps.check.redact,
        now: deps.check.clock.epochMs(),
      });
      await share(deps, report);
    },
    async showModels() {
      const { order, isSet } = deps.tryOrder();
      const now = deps.check.clock.epochMs();
      const page = modelsMarkdown({
        models: deps.models.models(),
        learned: deps.learned,
        board: deps.board,
        order,
        orderIsSet: isSet,
        formatTime: (at) => relativeTime(at, now, vscode.env.language),
      });
      await deps.pages.showMarkdown('Models', page);
    },
    share: (report) => share(deps, deps.check.redact(report)),
  };
}

async function share(deps: PageDeps, report: string): Promise<void> {
  await vscode.env.clipboard.writeText(report);
  await deps.pages.showText(vscode.l10n.t('Support Report'), report);
  // Not waited for: the message may stay open as long as the report is read.
  void offerToSend(deps, report);
}

const checkActions: Record<CheckAction, { label(): string; run(deps: PageDeps): Thenable<unknown> }> = {
  'set-address': { label: () => vscode.l10n.t('Set Address'), run: ({ run }) => run('svc.setBaseUrl') },
  'set-key': { label: () => vscode.l10n.t('Enter New Key'), run: ({ run }) => run('svc.setApiKey') },
  'select-model': { label: () => vscode.l10n.t('Select Model'), run: ({ run }) => run('svc.selectModel') },
  'open-dashboard': { label: () => vscode.l10n.t('Open Dashboard'), run: ({ run }) => run('svc.openDashboard') },
  'open-proxy-settings': {
    label: () => vscode.l10n.t('Check Proxy'),
    run: () => vscode.commands.executeCommand('workbench.action.openSettings', 'http.proxy'),
  },
  'check-again': { label: () => vscode.l10n.t('Check Again'), run: ({ run }) => run('svc.checkService') },
};

/** The diagnosis with its next step, and the report for support. */
async function offerAfterCheck(deps: PageDeps, { diagnosis }: CheckReport, report: string): Promise<void> {
  const action = diagnosis.action && checkActions[diagnosis.action];
  const copy = vscode.l10n.t('Copy Report');
  const buttons = [...(action ? [action.label()] : []), copy];
  const text = `${diagnosis.text} ${diagnosis.next}`;
  const show = action ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const answer = await show(text, ...buttons);
  if (answer === undefined) return;
  if (answer !== copy) return void (await action?.run(deps));
  await share(deps, deps.check.redact(report));
}

/** The report is read first; the user's own mail program sends it. */
async function offerToSend({ supportEmail }: PageDeps, report: string): Promise<void> {
  const send = vscode.l10n.t('Send to Support');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t('The report is on the clipboard. It is shown so that you can read it before you send it.'),
    send,
  );
  if (answer !== send) return;
  const address = supportEmail();
  if (!/^[^\s@<>"?&]+@[^\s@<>"?&]+$/.test(address)) {
    const open = vscode.l10n.t('Open Setting');
    const choice = await vscode.window.showInformationMessage(
      vscode.l10n.t('The address of support is not set. It stands in the documentation of your service.'),
      open,
    );
    if (choice === open) await openSetting('supportEmail');
    return;
  }
  const query = `subject=${encodeURIComponent('svc Assistant report')}&body=${encodeURIComponent(report)}`;
  await vscode.env.openExternal(vscode.Uri.from({ scheme: 'mailto', path: address, query }));
}

/** Each part is rounded by itself; the last row is the price of the whole. */
function priceRows({ parts, tokens, microUsd, error }: NextPrice): PriceRow[] {
  const row = (name: string, count: number, price = costMicroUsd(count)): PriceRow => [
    name,
    count === 0 ? '0' : `≈ ${count.toLocaleString(vscode.env.language)}`,
    formatMicroUsd(price, true, vscode.env.language),
  ];
  const whole =
    error === undefined
      ? vscode.l10n.t('Together')
      : vscode.l10n.t('Together, ±{0} %', Math.max(1, Math.round(error * 100)));
  return [
    row(vscode.l10n.t('Draft'), parts.draft),
    row(vscode.l10n.t('Attachments'), parts.attachments),
    row(vscode.l10n.t('History'), parts.history),
    row(vscode.l10n.t('Rules'), parts.rules),
    row(vscode.l10n.t('Tools and instructions'), parts.tools),
    row(whole, tokens, microUsd),
  ];
}

function pickTurn(session: ChatSession, turnId: string | undefined) {
  const answers = session.state().items.filter((item) => item.kind === 'answer');
  const state = turnId === undefined ? answers.at(-1) : answers.find((answer) => answer.turnId === turnId);
  return { state, attempts: state ? session.conversation().attempts(state.turnId) : [] };
}
