import * as l10n from '@vscode/l10n';
import type { ServiceModel } from '../../../service/contract.ts';
import {
  createSettingsChange,
  type GuardedSetting,
  type SettingsChange,
  type SettingsChangeDeps,
} from './settings-change.ts';

/** VS Code is to use `small` for its background requests and `chat` for what the user asks. */
export interface GuardModels {
  small: ServiceModel;
  chat: ServiceModel;
  /** False where the chat's model was seen to refuse tools; settings that need tools are then left out. */
  chatHasTools: boolean;
}

/**
 * VS Code's own chat asks models by itself, for titles, summaries and searches, and takes them from a plan of its own
 * unless configured otherwise. This points the settings that exist here at our models and can restore them exactly.
 */
export interface CreditGuard extends SettingsChange {
  isSupported(): boolean;
  otherHarness(): string | undefined;
  plan(models: GuardModels): GuardedSetting[];
}

export function createCreditGuard(deps: SettingsChangeDeps): CreditGuard {
  const change = createSettingsChange(deps);
  const isOn = (key: string) => deps.inspect(key)?.value === true;
  return {
    ...change,
    isSupported: () => guardedKeys.some(change.exists),
    otherHarness: () => harnessKeys.find(isOn),
    plan: (models) =>
      table(models).flatMap(({ needsTools, unless, ...row }) => {
        if ((needsTools && !models.chatHasTools) || (unless !== undefined && isOn(unless))) return [];
        return change.planned(row) ?? [];
      }),
  };
}

/** Where one of these is on, new chats of VS Code run in a harness that reads none of the settings below. */
const harnessKeys = ['chat.editor.preferCopilotHarness', 'chat.defaultToCopilotHarness'];

interface Row {
  key: string;
  purpose: string;
  next: string;
  needsTools?: true;
  unless?: string;
}

/**
 * The forms are VS Code's own: utility models are `vendor/id`, cut at the first slash; the pickers keep `name (vendor)`;
 * the chat takes an id.
 */
function table({ small, chat }: Pick<GuardModels, 'small' | 'chat'>): Row[] {
  const utility = `${vendor}/${small.id}`;
  const picked = `${chat.name} (${vendor})`;
  return [
    {
      key: 'chat.utilityModel',
      purpose: l10n.t('Summaries, searches, and other background requests'),
      next: utility,
    },
    {
      key: 'chat.utilitySmallModel',
      purpose: l10n.t('Titles, branch names, and other short background requests'),
      next: utility,
    },
    {
      key: 'chat.byokUtilityModelDefault',
      purpose: l10n.t('Used when neither setting above is set.'),
      next: 'mainAgent',
    },
    {
      key: 'chat.exploreAgent.defaultModel',
      purpose: l10n.t('The agent that explores the code for other agents'),
      next: picked,
      needsTools: true,
    },
    { key: 'chat.planAgent.defaultModel', purpose: l10n.t('The planning agent'), next: picked, needsTools: true },
    {
      key: 'inlineChat.defaultModel',
      purpose: l10n.t('Inline chat in the editor'),
      next: picked,
      needsTools: true,
      unless: 'chat.inlineChat.agentHost.enabled',
    },
    { key: 'chat.defaultModel', purpose: l10n.t('The default model in a new chat'), next: chat.id },
  ];
}

const vendor = 'svc';

const guardedKeys = table({ small: { id: '', name: '' }, chat: { id: '', name: '' } }).map(({ key }) => key);
