import type { CreateSection } from '../chat/panel-sections.ts';
import type { Service } from '../vscode/account/create-service.ts';
import type { Chat } from '../vscode/chat-panel/create-chat.ts';
import { selectMode } from '../vscode/chat-panel/mode-picker.ts';
import type { Register } from '../vscode/host/disposable-store.ts';
import { contestSections } from './best-of/vscode/contest-section.ts';
import { createPlanDocuments, unsavedPlan } from './plan/vscode/plan-documents.ts';
import { planSection } from './plan/vscode/plan-section.ts';
import { commentsSection } from './review-comments/vscode/comments-section.ts';
import { worktreeSection } from './worktrees/vscode/worktree-section.ts';

/** Lists the strips of features, which the first screen of the chat has; `features.ts` adds their commands afterwards. */
export function featureSections(service: Service, chat: Chat, register: Register): readonly CreateSection[] {
  return [
    planStrip(service, chat, register),
    commentsSection(chat.tools.comments),
    ...contestSections({
      contests: chat.conversations.contests,
      conversations: chat.conversations.open,
      nameOf: service.models.nameOf,
    }),
    worktreeSection(chat.conversations.tasks),
  ];
}

function planStrip({ settings, onboarding, log }: Service, chat: Chat, register: Register): CreateSection {
  const { plans, customizations, turnContext } = chat.tools;
  const { historyOf, store } = chat.conversations;
  const documents = register(createPlanDocuments(plans, (error) => log.error('The plan could not be shown', error)));
  return planSection({
    ...{ plans, documents, historyOf },
    estimator: chat.money.estimator,
    toSent: turnContext.toSent,
    starting: new Set(),
    unsaved: unsavedPlan,
    isStored: store.has,
    ensureReady: onboarding.ensureReady,
    setMode: async (mode) => void (await selectMode(settings.chatMode(), mode, customizations)),
    defaultModel: settings.model,
  });
}
