import * as vscode from 'vscode';
import { groupConversations } from '../../conversation/groups.ts';
import type { ConversationStore, ConversationSummary } from '../../conversation/store/store.ts';
import { pickFrom } from '../host/pick-one.ts';
import { detailsOfRow, groupTexts, titleOfRow } from './conversation-row.ts';

interface Row extends vscode.QuickPickItem {
  conversationId?: string;
}

const pauseMs = 200;
const maxHits = 50;

const separator = (label: string): Row => ({ label, kind: vscode.QuickPickItemKind.Separator });

/** Opens at once with the known rows, by day; a typed text is searched in titles and in all messages. */
export function pickConversation(store: ConversationStore, currentId: string): Promise<string | undefined> {
  const picker = vscode.window.createQuickPick<Row>();
  picker.placeholder = vscode.l10n.t('Open a conversation (searches titles and messages)');
  picker.matchOnDescription = true;
  picker.keepScrollPosition = true;
  let summaries: readonly ConversationSummary[] = [];
  let rows: readonly Row[] = [];
  let found: Row[] = [];
  let search = new AbortController();
  let pause: NodeJS.Timeout | undefined;
  let searching = false;
  let listing = true;

  const rowOf = (summary: ConversationSummary): Row => ({
    conversationId: summary.id,
    label: titleOfRow(summary),
    description: `${detailsOfRow(summary, Date.now())}${summary.id === currentId ? ` · ${vscode.l10n.t('current')}` : ''}`,
  });
  const draw = () => {
    picker.busy = searching || listing;
    const texts = found.length === 0 ? [] : [separator(vscode.l10n.t('Found in Messages')), ...found];
    picker.items = [...rows, ...texts];
  };
  const show = (next: readonly ConversationSummary[]) => {
    summaries = next;
    rows = groupConversations(summaries, new Date()).flatMap(({ name, conversations }) => [
      separator(groupTexts[name]()),
      ...conversations.map(rowOf),
    ]);
    draw();
  };
  const filled = fill();
  const look = async (query: string, signal: AbortSignal): Promise<void> => {
    await filled;
    for await (const { summary, snippet } of store.search(query, summaries, signal)) {
      if (snippet === undefined) continue;
      // The picker's own filter does not know what was found in a text.
      found.push({ ...rowOf(summary), detail: snippet, alwaysShow: true });
      // Each drawing sends all rows to the window.
      if (Number.isInteger(Math.log2(found.length))) draw();
      if (found.length >= maxHits) return;
    }
  };
  const typed = (query: string) => {
    search.abort();
    clearTimeout(pause);
    search = new AbortController();
    const { signal } = search;
    found = [];
    searching = query.trim() !== '';
    draw();
    if (!searching) return;
    pause = setTimeout(() => {
      void look(query, signal).finally(() => {
        if (signal.aborted) return;
        searching = false;
        draw();
      });
    }, pauseMs);
  };

  picker.onDidChangeValue(typed);
  picker.onDidHide(() => {
    search.abort();
    clearTimeout(pause);
  });
  return pickFrom(picker, () => picker.activeItems[0]?.conversationId);

  async function fill(): Promise<void> {
    show(await store.listCached().catch(() => []));
    const all = await store
      .list((some) => {
        if (some.length > summaries.length) show(some);
      })
      .catch(() => summaries);
    listing = false;
    show(all);
  }
}
