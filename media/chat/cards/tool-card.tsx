import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { ApprovalAnswer, ApprovalScope } from '../../../src/shared/approval.ts';
import type { ToolPart } from '../../../src/shared/chat/chat-state.ts';
import type { Decided } from '../../../src/shared/events.ts';
import type { PanelInfo } from '../../../src/shared/panel/panel-info.ts';
import type { ToolPresentation } from '../../../src/shared/tool-presentation.ts';
import { CopyButton, TextButton } from '../controls/buttons.tsx';
import { formatDuration } from '../controls/format.ts';
import { Icon } from '../controls/icon.tsx';
import { memo } from '../controls/memo.ts';
import { ScrollBox } from '../controls/scroll-box.tsx';
import { linkTarget } from '../markdown/links.ts';
import { plainText } from '../markdown/plain-text.ts';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';
import { Folding } from '../transcript/folding.tsx';
import { ApprovalCard, ExpiredApproval } from './approval-card.tsx';
import { ApprovalFacts, FactList } from './approval-facts.tsx';
import { DiffView } from './diff-view.tsx';
import { EditHunks } from './edit-hunks.tsx';
import { Elapsed } from './live-output.tsx';
import { QuestionCard } from './question-card.tsx';
import { SubagentLine } from './subagent-line.tsx';
import { targetTexts } from './target-texts.ts';
import { titleOf } from './tool-words.ts';
import { asks, waitsForConsent } from './waiting-alert.ts';

const shownOutputLines = 200;

type EditOutcome = NonNullable<PanelInfo['editOutcomes']>[string];
type EditParts = NonNullable<PanelInfo['editParts']>[string];

export const ToolCard = memo(({ id, part }: { id: string; part: ToolPart }) => {
  if (part.approval && waitsForConsent(part)) return <ApprovalCard request={part.approval.request} />;
  if (part.approval?.answer?.decision === 'expired') return <ExpiredApproval request={part.approval.request} />;
  if (part.question && asks(part)) return <QuestionCard question={part.question.question} />;
  return (
    <>
      <CallLine id={id} part={part} />
      {part.sub && <SubagentLine part={part} sub={part.sub} />}
      {part.state === 'done' && <EditHunks callId={part.id} />}
      {part.appeared && <LeftFiles callId={part.id} paths={part.appeared} action="remove" />}
      {part.loaded && <LeftFiles callId={part.id} paths={part.loaded} action="restore" />}
    </>
  );
});

interface LeftFilesProps {
  callId: string;
  paths: readonly string[];
  action: 'remove' | 'restore';
}

/** Shows files that a command left without unfolding, because whatever obeys them may have read them already. */
function LeftFiles({ callId, paths, action }: LeftFilesProps) {
  const { post } = usePanel();
  const label =
    action === 'remove'
      ? l10n.t('New files that Git, VS Code, or assistants follow')
      : l10n.t('Changed files that extensions of VS Code may load');
  return (
    <section class="strip appeared" aria-label={label}>
      <p class="quiet">
        <Icon name="alert" />
        {label}
      </p>
      <ul class="strip-list">
        {paths.map((path) => (
          <li key={path}>
            <code>{visibleText(path)}</code>
            <div class="actions">
              <TextButton onPress={() => post({ type: 'appeared', action: 'show', callId, path })}>
                {l10n.t('Show')}
              </TextButton>
              <TextButton onPress={() => post({ type: 'appeared', action, callId, path })}>
                {action === 'remove' ? l10n.t('Remove') : l10n.t('Restore…')}
              </TextButton>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

const shownFromMs = 50;

function CallLine({ id, part }: { id: string; part: ToolPart }) {
  const panel = usePanel();
  const locale = panel.info.value?.locale ?? 'en';
  const presentation = panel.presentationOf(part.name);
  const { durationMs = 0, state } = part;
  // Beside what its user decided, nobody asks how long an edit took, and its name needs the room.
  const isDecided = panel.info.value?.editOutcomes?.[part.id] !== undefined;
  const where = part.place ? [targetTexts[part.place]()] : [];
  const about = visibleText(
    [...where, ...(part.decided ?? []).flatMap(({ word, what }) => decidedTexts[word](what))].join(' · '),
  );
  const summary = (
    <>
      <Icon name={presentation.icon} />
      <span class="tool-words">
        <span class="tool-title" title={visibleText(titleOf(part, presentation))}>
          <Title part={part} />
        </span>
        {about !== '' && (
          <span class={`tool-place ${part.place ?? ''}`} title={about}>
            {about}
          </span>
        )}
      </span>
      <ToolState part={part} />
      {state === 'running' && part.startedAt !== undefined && <Elapsed since={part.startedAt} />}
      {durationMs >= shownFromMs && state !== 'cancelled' && !isDecided && (
        <span class="duration">{formatDuration(durationMs, locale)}</span>
      )}
    </>
  );
  return (
    <Folding id={id} className={`tool ${state}`} summary={summary}>
      {() => <Details part={part} />}
    </Folding>
  );
}

const decidedTexts: Readonly<Record<Decided['word'], (what: string) => string[]>> = {
  allowed: (what) => [l10n.t('Allowed: {0}', what)],
  blocked: (what) => [l10n.t('Blocked: {0}', what)],
  denied: (what) => [l10n.t('Denied: {0}', what)],
  skipped: () => [],
};

function Details({ part }: { part: ToolPart }) {
  const { id, name, approval, question, arguments: text, output } = part;
  const { post, presentationOf } = usePanel();
  const { card } = presentationOf(name);
  const isHeld = part.place !== undefined && part.place !== 'outside' && card === 'command';
  return (
    <>
      <OpenFile part={part} />
      {approval ? <ApprovalFacts subject={approval.request.subject} whole={false} past /> : <Arguments text={text} />}
      {approval?.answer && <p class="quiet">{answerText(approval.answer)}</p>}
      {question?.answer !== undefined && (
        <p class="quiet">{visibleText(l10n.t('You answered: {0}', answerOf(question)))}</p>
      )}
      {output !== undefined && output !== '' && (
        <Output id={id} card={card} text={output} drawn={approval?.request.subject.kind === 'edit'} />
      )}
      {isHeld && part.state === 'failed' && (
        <div class="actions">
          <TextButton onPress={() => post({ type: 'runOutside', callId: id })}>
            {l10n.t('Run Outside the Sandbox…')}
          </TextButton>
        </div>
      )}
    </>
  );
}

/** Returns what the user answered: an option is the model's markdown, any other answer is the user's plain text. */
function answerOf({ question, answer = '' }: NonNullable<ToolPart['question']>): string {
  return question.options.includes(answer) ? plainText(answer) : answer;
}

function answerText(answer: ApprovalAnswer): string {
  switch (answer.decision) {
    case 'allow':
      return allowedTexts[answer.scope]();
    case 'skip':
      return l10n.t('Skipped');
    case 'deny':
      return visibleText(l10n.t('Denied: {0}', answer.reason));
    case 'expired':
      return l10n.t('Expired');
  }
}

const allowedTexts: Readonly<Record<ApprovalScope, () => string>> = {
  once: () => l10n.t('Allowed once'),
  conversation: () => l10n.t('Allowed for this conversation'),
  always: () => l10n.t('Always allowed: this exact command in this folder'),
  arguments: () => l10n.t('Always allowed in this folder, with any arguments'),
  review: () => l10n.t('Each edit of this conversation is reviewed in the diff'),
};

function ToolState({ part }: { part: ToolPart }) {
  const { id, state, approval } = part;
  const info = usePanel().info.value;
  const process = state === 'done' ? startedIn(part) : undefined;
  const outcome = info?.editOutcomes?.[id];
  const decision = approval?.answer?.decision;
  const skipped = decision === 'skip' || part.decided?.some(({ word }) => word === 'skipped');
  if (skipped) return <span class="tool-state">{l10n.t('Skipped')}</span>;
  if (decision === 'deny') return <span class="tool-state">{l10n.t('Denied')}</span>;
  if (process !== undefined) {
    const runs = info?.sections.processes?.some((one) => one.id === process && !one.elsewhere) === true;
    return <span class="tool-state">{runs ? l10n.t('Running') : l10n.t('Ended')}</span>;
  }
  switch (state) {
    case 'done':
      return <DoneState outcome={outcome} parts={info?.editParts?.[id]} />;
    case 'forming':
    case 'running':
      return (
        <span class="tool-state">
          <Icon name="spinner" />
          <span class="visually-hidden">{state === 'running' ? l10n.t('Running') : l10n.t('Being written')}</span>
        </span>
      );
    case 'pending':
    case 'approval':
      return <span class="tool-state">{l10n.t('Waiting')}</span>;
    case 'failed':
      // What was kept from it stands below its title, and is no fault.
      if (part.decided?.some(({ word }) => word !== 'allowed')) return null;
      return (
        <span class="tool-state">
          <Icon name="error" />
          {l10n.t('Failed')}
        </span>
      );
    case 'cancelled':
      return <span class="tool-state">{l10n.t('Cancelled')}</span>;
  }
}

/** Returns the process id of a command that continues in the background, read from the first words of its result. */
function startedIn({ output = '' }: ToolPart): string | undefined {
  return /^(p\d{1,6}) is running: /.exec(output)?.[1];
}

function DoneState({ outcome, parts }: { outcome: EditOutcome | undefined; parts: EditParts | undefined }) {
  const whole = parts?.open ? 'partly' : outcome;
  const words = outcome && (partsText(parts) ?? outcomeTexts[outcome]());
  return (
    <span class={`tool-state${whole ? ` ${whole}` : ''}`}>
      <Icon name={whole === 'undone' ? 'undo' : 'check'} />
      {words ?? <span class="visually-hidden">{l10n.t('Done')}</span>}
    </span>
  );
}

/** Returns undefined where one word suffices: all parts are kept, or all are undone. */
function partsText(parts: EditParts | undefined): string | undefined {
  if (parts === undefined) return undefined;
  const { kept, undone, open } = parts;
  const all = kept + undone + open;
  if (kept === all || undone === all) return undefined;
  if (undone === 0) return l10n.t('{0} of {1} kept', kept, all);
  if (kept === 0) return l10n.t('{0} of {1} undone', undone, all);
  return l10n.t('{0} of {1} kept, {2} undone', kept, all, undone);
}

const outcomeTexts: Readonly<Record<EditOutcome, () => string>> = {
  kept: () => l10n.t('Kept'),
  undone: () => l10n.t('Undone'),
  partly: () => l10n.t('Partly kept'),
};

function Arguments({ text }: { text: string }) {
  const entries = argumentEntries(text);
  if (!entries) return text.trim() === '' ? null : <pre class="raw">{visibleText(text)}</pre>;
  if (entries.length === 0) return null;
  return (
    <FactList
      rows={entries.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])}
    />
  );
}

interface OutputProps {
  id: string;
  card: ToolPresentation['card'];
  text: string;
  drawn: boolean;
}

function Output({ id, card, text, drawn }: OutputProps) {
  const hunk = text.search(/^@@ -\d/m);
  if (hunk >= 0 && card === 'diff') {
    return (
      <>
        <p class="output-line">{visibleText(text.slice(0, hunk).trim())}</p>
        {!drawn && <DiffView diff={text.slice(hunk)} label={l10n.t('Changes')} whole={false} />}
        <OutputFooter id={id} text={text} />
      </>
    );
  }
  return <PlainOutput id={id} text={text} />;
}

function PlainOutput({ id, text }: { id: string; text: string }) {
  const lines = text.split('\n');
  const shown = lines.slice(0, shownOutputLines).join('\n');
  return (
    <div class="tool-output">
      <ScrollBox tag="pre" label={l10n.t('Output')}>
        {visibleText(shown)}
      </ScrollBox>
      <OutputFooter id={id} text={text}>
        {lines.length > shownOutputLines && (
          <span>{l10n.t('The first {0} of {1} lines', shownOutputLines, lines.length)}</span>
        )}
      </OutputFooter>
    </div>
  );
}

function OutputFooter({ id, text, children }: { id: string; text: string; children?: ComponentChildren }) {
  const panel = usePanel();
  return (
    <div class="tool-output-footer">
      {children}
      <button type="button" class="link-button" onClick={() => panel.post({ type: 'showOutput', callId: id })}>
        {children ? l10n.t('Open Full Output') : l10n.t('Open in Editor')}
      </button>
      <CopyButton name={l10n.t('Copy Output')} text={() => text} />
    </div>
  );
}

/** Returns undefined when the text is not a JSON object; then it is shown as the model wrote it. */
function argumentEntries(text: string): [string, unknown][] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the file that a call was about, as it was named; none for a call that failed or deleted it. */
function fileIn(
  { state, arguments: text }: ToolPart,
  { opens }: ToolPresentation,
): { named: string; path: string; line?: number } | undefined {
  if (state !== 'done' || !opens) return undefined;
  const { path, line, start_line = line } = Object.fromEntries(argumentEntries(text) ?? []);
  const target = typeof path === 'string' ? linkTarget(path.split('/').map(encodeURIComponent).join('/')) : undefined;
  if (typeof path !== 'string' || target?.kind !== 'file') return undefined;
  return { named: path, path: target.path, ...(isLine(start_line) && { line: start_line }) };
}

/**
 * Shows the title of a call. The file opens from it by pointer only, because nested controls do not work with the
 * keyboard, which has Open inside.
 */
function Title({ part }: { part: ToolPart }) {
  const { post, presentationOf } = usePanel();
  const presentation = presentationOf(part.name);
  const title = visibleText(titleOf(part, presentation));
  const file = fileIn(part, presentation);
  const at = file ? title.indexOf(file.named) : -1;
  if (!file || at < 0) return <>{title}</>;
  const { named, path, line } = file;
  return (
    <>
      {title.slice(0, at)}
      {/* biome-ignore lint/a11y: what the keyboard presses is inside the line that unfolds. */}
      <span
        class="link"
        onClick={(event) => {
          event.preventDefault();
          post({ type: 'openFile', path, ...(line && { line }) });
        }}
      >
        {named}
      </span>
      {title.slice(at + named.length)}
    </>
  );
}

function OpenFile({ part }: { part: ToolPart }) {
  const { post, presentationOf } = usePanel();
  const file = fileIn(part, presentationOf(part.name));
  if (!file) return null;
  const { named, path, line } = file;
  return (
    <button type="button" class="link-button" onClick={() => post({ type: 'openFile', path, ...(line && { line }) })}>
      {l10n.t('Open {0}', visibleText(named))}
    </button>
  );
}

function isLine(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0;
}
