import * as l10n from '@vscode/l10n';
import { useId, useRef, useState } from 'preact/hooks';
import type {
  ApprovalAnswer,
  ApprovalRequest,
  ApprovalScope,
  ApprovalSubject,
  ReadScope,
} from '../../../src/shared/approval.ts';
import type { ToolPresentation } from '../../../src/shared/tool-presentation.ts';
import { TextForm } from '../composer/text-form.tsx';
import { KeyHint, TextButton } from '../controls/buttons.tsx';
import { Icon, type IconName } from '../controls/icon.tsx';
import { keyNames } from '../controls/keys.ts';
import { memo } from '../controls/memo.ts';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';
import { ApprovalFacts, hiddenLines } from './approval-facts.tsx';
import { Card } from './card.tsx';

type Answer = Exclude<ApprovalAnswer, { decision: 'expired' }>;

export const ApprovalCard = memo(({ request }: { request: ApprovalRequest }) => {
  const panel = usePanel();
  const [whole, setWhole] = useState(false);
  const [answered, setAnswered] = useState(false);
  const { subject, warnings } = request;
  const hidden = whole ? 0 : hiddenLines(subject);
  const answer = (choice: Answer) => {
    if (answered) return;
    setAnswered(true);
    panel.post({ type: 'answer', answer: { id: request.callId, kind: 'approval', value: choice } });
  };
  return (
    <Card
      icon={icons[subject.kind]}
      title={questionOf(subject, panel.presentationOf(request.tool))}
      name={l10n.t('Approval needed: {0}', visibleText(request.tool))}
      className={answered ? '' : 'waiting'}
    >
      <ApprovalFacts subject={subject} whole={whole} />
      {hidden > 0 && (
        <button type="button" class="show-all" onClick={() => setWhole(true)}>
          {hidden === 1 ? l10n.t('Show the Whole Line') : l10n.t('Show All {0} Lines', hidden)}
        </button>
      )}
      <Warnings texts={warnings} />
      {answered ? (
        <p class="quiet">{l10n.t('Answered')}</p>
      ) : (
        <Choices request={request} unseen={hidden > 0} answer={answer} />
      )}
    </Card>
  );
});

/** Shows a request that was waiting when the window closed or reloaded: nothing ran, and nothing will by itself. */
export const ExpiredApproval = memo(({ request }: { request: ApprovalRequest }) => (
  <Card
    icon={icons[request.subject.kind]}
    title={visibleText(request.title)}
    name={l10n.t('Approval expired: {0}', visibleText(request.tool))}
    className=""
  >
    <p class="quiet">{l10n.t('Expired before you answered. Nothing was done.')}</p>
  </Card>
));

function Warnings({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <ul class="warnings" aria-label={l10n.t('Warnings')}>
      {texts.map((text) => (
        <li key={text}>
          <Icon name="alert" />
          <span>{visibleText(text)}</span>
        </li>
      ))}
    </ul>
  );
}

interface ChoicesProps {
  request: ApprovalRequest;
  /** Says that part of what will happen has not been shown yet. */
  unseen: boolean;
  answer: (choice: Answer) => void;
}

function Choices({ request, unseen, answer }: ChoicesProps) {
  const panel = usePanel();
  const [more, setMore] = useState(false);
  const [denying, setDenying] = useState(false);
  const moreButton = useRef<HTMLButtonElement>(null);
  const moreId = useId();
  const allow = (scope: ApprovalScope) => () => {
    if (unseen) panel.announce(l10n.t('Show all lines first'));
    else answer({ decision: 'allow', scope });
  };
  const asksForConversation = request.scopes.includes('review');
  if (denying) {
    const cancel = () => {
      setDenying(false);
      setMore(true);
    };
    const deny = (reason: string) => answer(reason === '' ? { decision: 'skip' } : { decision: 'deny', reason });
    return (
      <TextForm
        label={l10n.t('Why not? The model sees your reason.')}
        submit={l10n.t('Deny')}
        maxLength={2000}
        onSubmit={deny}
        onCancel={cancel}
      />
    );
  }
  return (
    <>
      {unseen && <p class="quiet">{l10n.t('Show all lines before you allow this.')}</p>}
      <div class="actions">
        <button
          type="button"
          class={isQuietAction(request) ? 'button allow primary' : 'button allow'}
          aria-disabled={unseen || undefined}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={allow('once')}
        >
          {l10n.t('Allow Once')}
          <KeyHint text={keyNames.allow} />
        </button>
        <button
          type="button"
          class="button skip"
          aria-keyshortcuts="Control+Alt+Enter Meta+Alt+Enter"
          onClick={() => answer({ decision: 'skip' })}
        >
          {l10n.t('Skip')}
          <KeyHint text={keyNames.skip} />
        </button>
        {asksForConversation && (
          <TextButton
            title={l10n.t('For this conversation. Each edit stays pending until you keep or undo it.')}
            onPress={allow('conversation')}
            disabled={unseen}
          >
            {l10n.t('Allow in This Chat')}
          </TextButton>
        )}
        <button
          type="button"
          class="button more"
          ref={moreButton}
          aria-label={l10n.t('More Choices')}
          title={l10n.t('More Choices')}
          aria-expanded={more}
          aria-controls={more ? moreId : undefined}
          onClick={() => setMore(!more)}
        >
          <Icon name="chevron" />
        </button>
        {request.subject.kind === 'read' && <AllowReads callId={request.callId} />}
      </div>
      {more && (
        <MoreChoices
          {...{ request, unseen, answer, allow }}
          id={moreId}
          deny={() => setDenying(true)}
          close={() => {
            setMore(false);
            moreButton.current?.focus();
          }}
        />
      )}
    </>
  );
}

interface MoreProps extends ChoicesProps {
  id: string;
  allow: (scope: ApprovalScope) => () => void;
  deny: () => void;
  close: () => void;
}

function MoreChoices({ request, unseen, answer, id, allow, deny, close }: MoreProps) {
  const asksForEdits = request.scopes.includes('review');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what the button before it opened.
    <div
      class="choices"
      id={id}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
    >
      {request.scopes.includes('conversation') && !asksForEdits && (
        <TextButton onPress={allow('conversation')} disabled={unseen}>
          {conversationTexts[request.subject.kind]?.() ?? l10n.t('Allow for This Conversation')}
        </TextButton>
      )}
      {request.scopes.includes('always') && (
        <TextButton onPress={allow('always')} disabled={unseen}>
          {l10n.t('Always Allow Here')}
        </TextButton>
      )}
      {request.beginning !== undefined && (
        <TextButton
          title={l10n.t(
            'Lines of plain words that begin like this. Quotes, variables, and further commands still ask.',
          )}
          onPress={allow('arguments')}
          disabled={unseen}
        >
          {visibleText(l10n.t('Always Allow {0} with Any Arguments', request.beginning))}
        </TextButton>
      )}
      {/* Nothing is written before the diff was seen, so nothing has to be seen here. */}
      {asksForEdits && (
        <TextButton onPress={() => answer({ decision: 'allow', scope: 'review' })}>
          {l10n.t('Review Each Edit in the Diff')}
        </TextButton>
      )}
      <TextButton onPress={deny}>{l10n.t('Deny and Tell the Model…')}</TextButton>
    </div>
  );
}

/** The button names the scope where the answer applies to more than the card shows. */
const conversationTexts: Readonly<Partial<Record<ApprovalSubject['kind'], () => string>>> = {
  delete: () => l10n.t('Allow Deleting Files in This Conversation'),
  rename: () => l10n.t('Allow Renaming Files in This Conversation'),
  external: () => l10n.t('Allow This Tool for This Conversation'),
  fetch: () => l10n.t('Allow This Domain for This Conversation'),
};

/** Offers to allow all waiting reads together, and never anything that writes or runs. */
function AllowReads({ callId }: { callId: string }) {
  const panel = usePanel();
  const reads = panel.waitingReads.value.split('\n');
  if (reads.length < 2 || reads[0] !== callId) return null;
  const allowAll = () => {
    const answer = { kind: 'approval', value: { decision: 'allow', scope: 'once' } } as const;
    for (const id of reads) panel.post({ type: 'answer', answer: { id, ...answer } });
  };
  return <TextButton onPress={allowAll}>{l10n.t('Allow All {0} Reads', reads.length)}</TextButton>;
}

/**
 * Only an ordinary edit or read may have a prominent button. Commands, deletions, protected files and requests with
 * warnings must not invite a click.
 */
function isQuietAction({ subject, warnings }: ApprovalRequest): boolean {
  switch (subject.kind) {
    case 'edit':
    case 'rename':
      return !subject.isProtected && warnings.length === 0;
    case 'read':
      return subject.reason !== 'secret' && subject.scope !== 'below';
    default:
      return false;
  }
}

function questionOf(subject: ApprovalSubject, presentation: ToolPresentation): string {
  switch (subject.kind) {
    case 'command':
      return commandQuestion(subject, presentation);
    case 'edit':
      return subject.isNew ? l10n.t('Create {0}?', nameOf(subject)) : l10n.t('Edit {0}?', nameOf(subject));
    case 'delete':
      return l10n.t('Delete this file?');
    case 'rename':
      return l10n.t('Rename this file?');
    case 'read':
      return readQuestions[subject.scope ?? (presentation.icon === 'folder' ? 'folder' : 'file')]();
    case 'external':
      return l10n.t('Use this tool from another extension?');
    case 'fetch':
      return l10n.t('Fetch this page?');
  }
}

function nameOf({ path }: { path: string }): string {
  return visibleText(path.slice(path.lastIndexOf('/') + 1));
}

function commandQuestion({ place }: Extract<ApprovalSubject, { kind: 'command' }>, { card }: ToolPresentation): string {
  if (card === 'input') return l10n.t('Type this into the program?');
  if (place === 'network') return l10n.t('Run this command with network?');
  return place === 'outside' ? l10n.t('Run this command outside the sandbox?') : l10n.t('Run this command?');
}

const readQuestions: Readonly<Record<ReadScope, () => string>> = {
  below: () => l10n.t('Search everything below this folder?'),
  folder: () => l10n.t('List this folder?'),
  file: () => l10n.t('Read this file?'),
};

const icons: Readonly<Record<ApprovalSubject['kind'], IconName>> = {
  command: 'terminal',
  edit: 'edit',
  delete: 'edit',
  rename: 'edit',
  read: 'file',
  external: 'tool',
  fetch: 'globe',
};
