import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { priceText } from '../../../src/shared/money.ts';
import type { PanelInfo, WelcomeInfo } from '../../../src/shared/panel/panel-info.ts';
import { keyProblemText } from '../../../src/shared/panel/panel-info.ts';
import { relativeTime } from '../../../src/shared/relative-time.ts';
import { TextButton } from '../controls/buttons.tsx';
import { Icon } from '../controls/icon.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';

/** Shows, until there is an address and a key, what to do, what it costs, and what happens to what is sent. */
export function Onboarding({ info }: { info: PanelInfo }) {
  const { post } = usePanel();
  return (
    <section class="welcome" aria-labelledby="welcome-title">
      <h2 id="welcome-title">{l10n.t('Set up svc Assistant')}</h2>
      <p>{l10n.t('Connect your service to start chatting about your code.')}</p>
      <ol class="steps">
        <Step done={info.hasAddress} title={l10n.t('Enter the service address')}>
          <p>{l10n.t('The address ends in /v1.')}</p>
          <TextButton primary onPress={() => post({ type: 'setBaseUrl' })}>
            {l10n.t('Set Service Address')}
          </TextButton>
        </Step>
        <Step done={info.hasKey} title={l10n.t('Get a key')}>
          <p>
            {info.hasDashboard
              ? l10n.t("Create it in the service's dashboard. The full key is shown only once.")
              : l10n.t("Create a key in the service's dashboard. If you don't know its address, ask the provider.")}
          </p>
          <TextButton onPress={() => post({ type: 'openDashboard' })}>
            {info.hasDashboard ? l10n.t('Open Dashboard') : l10n.t('Set Dashboard Address')}
          </TextButton>
        </Step>
        <Step done={info.hasKey} title={l10n.t('Paste the key')}>
          {info.keyProblem && <p class="key-problem">{visibleText(keyProblemText(info.keyProblem))}</p>}
          <p>{l10n.t("Checking it is free. The key is kept in VS Code's secret storage.")}</p>
          <TextButton primary={info.hasAddress} onPress={() => post({ type: 'setApiKey' })}>
            {l10n.t('Enter API Key')}
          </TextButton>
        </Step>
        <Step done={!info.offersLimit} title={l10n.t('Set a daily limit')}>
          <DailyLimit />
        </Step>
      </ol>
      <p class="fine">{l10n.t('Prepaid: {0}, top-ups from 5 USD.', priceText)}</p>
      <p class="fine">
        {l10n.t(
          "Your messages, your attachments, and the files the model reads go to the service. The service doesn't say whether it logs or keeps them.",
        )}
      </p>
      <button type="button" class="link-button" onClick={() => post({ type: 'showCapabilities' })}>
        {l10n.t("What the service offers and what it doesn't")}
      </button>
      <p class="fine">
        {l10n.t(
          "VS Code's own AI entries, such as its Chat view and the sign-in button, belong to another product. Where its chat asks you to sign in, use this chat, or @svc there.",
        )}
      </p>
      <button type="button" class="link-button" onClick={() => post({ type: 'hideVsCodeAi' })}>
        {l10n.t("Hide VS Code's AI Entries…")}
      </button>
    </section>
  );
}

/** A dollar pays a day of steady work for most, and is not much to lose. */
const suggestedUsd = 1;

/** Asks for a daily limit. Each of the three buttons is a decision, so that nobody is asked twice. */
function DailyLimit() {
  const { post } = usePanel();
  return (
    <>
      <p>{l10n.t('Stops for the day at this amount, even if a task runs away. You can change it later.')}</p>
      <div class="actions">
        <TextButton onPress={() => post({ type: 'setDailyLimit', usd: suggestedUsd })}>
          {l10n.t('{0} a Day', `$${suggestedUsd}`)}
        </TextButton>
        <TextButton onPress={() => post({ type: 'setDailyLimit' })}>{l10n.t('Other Amount…')}</TextButton>
        <TextButton onPress={() => post({ type: 'setDailyLimit', usd: null })}>{l10n.t('No Limit')}</TextButton>
      </div>
    </>
  );
}

function Step({ done, title, children }: { done: boolean; title: string; children: ComponentChildren }) {
  return (
    <li class={done ? 'done' : undefined}>
      <h3>
        {title}
        {done && (
          <span class="step-done">
            <Icon name="check" />
            {l10n.t('Done')}
          </span>
        )}
      </h3>
      {!done && children}
    </li>
  );
}

/** Offers starters for an empty conversation. A starter fills the composer and never sends. */
export function Welcome({ info, focusInput }: { info: PanelInfo; focusInput: () => void }) {
  const panel = usePanel();
  const { starters, recent } = panel.composer.welcome.value;
  const begin = ({ text, pick }: WelcomeInfo['starters'][number]) => {
    // What is being written is not thrown away.
    const written = panel.draft.text.value.trim();
    panel.draft.set(written === '' ? text : `${text}${written}`);
    if (pick) panel.post({ type: 'attach', pick });
    focusInput();
  };
  const format = new Intl.DateTimeFormat(info.locale, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <section class="welcome begin" aria-labelledby="welcome-title">
      <h2 id="welcome-title">{l10n.t('What are you working on?')}</h2>
      <p>
        {!info.trusted || !info.hasFolder
          ? l10n.t('Ask anything about your code. Attach files with Add Context.')
          : info.mode === 'ask'
            ? l10n.t('Ask about your code. {0} can read the files in this workspace.', info.model.name)
            : l10n.t(
                'Ask about your code, or describe a change. {0} can read the files in this workspace.',
                info.model.name,
              )}
      </p>
      {starters.length > 0 && (
        <ul class="starters" aria-label={l10n.t('Suggestions')}>
          {starters.map((starter) => (
            <li key={starter.label}>
              <TextButton onPress={() => begin(starter)}>{visibleText(starter.label)}</TextButton>
            </li>
          ))}
        </ul>
      )}
      {recent.length > 0 && (
        <>
          <h3 id="recent-title">{l10n.t('Recent')}</h3>
          <ul class="recent" aria-labelledby="recent-title">
            {recent.map(({ id, title, at }) => (
              <li key={id}>
                <button type="button" class="recent-chat" onClick={() => panel.post({ type: 'openConversation', id })}>
                  <span class="recent-title">{visibleText(title)}</span>
                  <span class="recent-time" title={format.format(at)}>
                    {relativeTime(at, Date.now(), info.locale)}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {info.offersLimit && (
        <>
          <h3>{l10n.t('Set a daily limit')}</h3>
          <DailyLimit />
        </>
      )}
      <p class="fine">
        {info.sendKey === 'enter'
          ? l10n.t(
              'Tip: @ attaches context, / lists commands. Enter sends, Shift+Enter starts a new line, Escape stops an answer.',
            )
          : l10n.t(
              'Tip: @ attaches context, / lists commands. Ctrl+Enter sends, Enter starts a new line, Escape stops an answer.',
            )}
      </p>
    </section>
  );
}
