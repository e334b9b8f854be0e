import * as l10n from '@vscode/l10n';
import type { PanelInfo } from '../../../src/shared/panel/panel-info.ts';
import { keyProblemText } from '../../../src/shared/panel/panel-info.ts';
import type { PanelMessage } from '../../../src/shared/panel/protocol.ts';
import { IconButton, TextButton } from '../controls/buttons.tsx';
import { Icon } from '../controls/icon.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';

interface BannerContent {
  name: string;
  text: string;
  actions?: { label: string; message: PanelMessage }[];
}

/** Shows at most one line above the conversation: the most urgent problem of the assistant. */
export function Banner({ info, empty }: { info: PanelInfo; empty: boolean }) {
  const panel = usePanel();
  const content = bannerOf(info, empty);
  if (!content || panel.dismissed.value.includes(content.name)) return null;
  return (
    <section class="banner" aria-label={l10n.t('Notice')}>
      <Icon name="alert" />
      <p>{content.text}</p>
      {content.actions ? (
        <div class="actions">
          {content.actions.map(({ label, message }) => (
            <TextButton key={label} onPress={() => panel.post(message)}>
              {label}
            </TextButton>
          ))}
        </div>
      ) : (
        <IconButton icon="close" name={l10n.t('Dismiss')} onPress={() => panel.dismiss(content.name)} />
      )}
    </section>
  );
}

/** Chooses the banner. In an empty conversation the onboarding says that an address or a key is missing. */
function bannerOf(info: PanelInfo, empty: boolean): BannerContent | undefined {
  if (info.unsaved) return unsaved(info.unsaved);
  if (!info.hasAddress || !info.hasKey) return empty ? undefined : missing(info);
  if (!info.trusted) {
    return {
      name: 'restricted',
      text: l10n.t("Restricted Mode: the model can't read files until you trust this workspace."),
    };
  }
  if (!info.hasFolder)
    return { name: 'no-folder', text: l10n.t("No folder is open, so the model can't read any files.") };
  if (info.virtualFolders !== undefined) {
    return {
      name: `virtual-${info.virtualFolders}`,
      text:
        info.virtualFolders === 'all'
          ? l10n.t("This workspace is virtual. Files can be read and edited, but commands and Git aren't available.")
          : l10n.t(
              "Some folders are virtual. Their files can be read and edited, but commands and Git aren't available there.",
            ),
    };
  }
  return undefined;
}

function unsaved(problem: NonNullable<PanelInfo['unsaved']>): BannerContent {
  return {
    name: 'unsaved',
    text: unsavedTexts[problem.reason](problem.detail),
    actions: [
      { label: l10n.t('Retry'), message: { type: 'unsaved', action: 'retry' } },
      { label: l10n.t('Export'), message: { type: 'unsaved', action: 'export' } },
    ],
  };
}

const unsavedTexts: Readonly<Record<NonNullable<PanelInfo['unsaved']>['reason'], (detail: string) => string>> = {
  full: () => l10n.t('Not saved: the disk is full. The conversation is kept in memory until there is room.'),
  'read-only': () => l10n.t("Not saved: the storage folder can't be written to. The conversation is kept in memory."),
  'in-use': () => l10n.t('Not saved yet: another window is writing to this conversation. It is kept in memory.'),
  other: (detail) => visibleText(l10n.t('Not saved: {0}. The conversation is kept in memory.', detail)),
};

function missing(info: PanelInfo): BannerContent {
  return info.hasAddress
    ? {
        name: 'no-key',
        text: info.keyProblem ? visibleText(keyProblemText(info.keyProblem)) : l10n.t('No API key is set.'),
        actions: [{ label: l10n.t('Enter API Key'), message: { type: 'setApiKey' } }],
      }
    : {
        name: 'no-address',
        text: l10n.t('No service address is set.'),
        actions: [{ label: l10n.t('Set Service Address'), message: { type: 'setBaseUrl' } }],
      };
}
