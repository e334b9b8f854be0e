import type { Service } from '../vscode/account/create-service.ts';
import { selectMode } from '../vscode/chat-panel/chat-commands.ts';
import type { Chat } from '../vscode/chat-panel/create-chat.ts';
import type { Contribution } from '../vscode/host/contribution.ts';
import type { Register } from '../vscode/host/disposable-store.ts';
import { createPlanDocuments, unsavedPlan } from './plan/vscode/plan-documents.ts';
import { planSection } from './plan/vscode/plan-section.ts';
import { commentsSection } from './review-comments/vscode/comments-section.ts';
import { worktreeSection } from './worktrees/vscode/worktree-section.ts';

/** Lists what features add to the first screen of the chat; `features.ts` has what they add once it has been drawn. */
export function earlyContributions(service: Service, chat: Chat, register: Register): readonly Contribution[] {
  return [
    planContribution(service, chat, register),
    { id: 'review-comments', section: commentsSection(chat.tools.comments) },
    { id: 'worktrees', section: worktreeSection(chat.conversations.tasks) },
  ];
}

function planContribution({ settings, onboarding, log }: Service, chat: Chat, register: Register): Contribution {
  const { plans, customizations, turnContext } = chat.tools;
  const { historyOf, store } = chat.conversations;
  const documents = register(createPlanDocuments(plans, (error) => log.error('The plan could not be shown', error)));
  const section = planSection({
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
  return { id: 'plan', section };
}
