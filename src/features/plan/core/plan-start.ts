import type { ChatViewModel } from '../../../chat/view-model.ts';
import type { Conversation } from '../../../conversation/conversation.ts';
import type { Plans } from '../../../conversation/store/plans.ts';
import type { ChatMode } from '../../../shared/approval.ts';
import type { UserItem } from '../../../shared/chat/chat-state.ts';
import type { Attachment } from '../../../shared/messages.ts';
import { goOnMessage, type PlanPrice, runMessage } from './plan-price.ts';

export interface PlanStartDeps {
  plans: Pick<Plans, 'read' | 'started'>;
  starting: Set<string>;
  unsaved(conversationId: string): string | undefined;
  price(conversation: Conversation): PlanPrice | undefined;
  isStored(conversationId: string): Promise<boolean>;
  ensureReady(): Promise<boolean>;
  setMode(mode: ChatMode): Promise<void>;
  defaultModel(): string;
}

/** Neither method gives consent to anything: each call asks as usual. */
export interface PlanStart {
  /**
   * Starts in a new conversation that holds only the task and the plan and stops at its cap. Each text of the plan is
   * started at most once.
   */
  start(viewModel: ChatViewModel): Promise<void>;
  goOnHere(viewModel: ChatViewModel): Promise<void>;
}

export function createPlanStart(deps: PlanStartDeps): PlanStart {
  const { starting } = deps;
  const current = async (id: string) => {
    const plan = await deps.plans.read(id);
    return plan && { ...plan, text: deps.unsaved(id) ?? plan.text };
  };

  async function run(viewModel: ChatViewModel, planned: Conversation): Promise<{ ends: Promise<unknown> } | undefined> {
    const plan = await current(planned.id);
    const price = deps.price(planned);
    if (plan === undefined || price === undefined) return undefined;
    const { text, started } = plan;
    if (started?.text === text && (await deps.isStored(started.conversationId))) {
      await viewModel.open(started.conversationId);
      return undefined;
    }
    if (!(await deps.ensureReady())) return undefined;
    await deps.setMode('agent');
    // Another conversation was opened while something was asked.
    if (viewModel.conversation() !== planned) return undefined;
    const task = taskOf(planned);
    viewModel.startOver();
    const conversation = viewModel.conversation();
    conversation.setBudget(price.capMicroUsd, price);
    const message = { text: runMessage(task.text, text), attachments: task.attachments };
    const ends = conversation.send({ ...message, model: planned.model() || deps.defaultModel() });
    await conversation.stored();
    await deps.plans.started(planned.id, text, conversation.id);
    return { ends };
  }

  return {
    async start(viewModel) {
      const planned = viewModel.conversation();
      if (planned.running || starting.has(planned.id)) return;
      starting.add(planned.id);
      const turn = await run(viewModel, planned).finally(() => starting.delete(planned.id));
      await turn?.ends;
    },
    async goOnHere(viewModel) {
      const planned = viewModel.conversation();
      const plan = await current(planned.id);
      if (plan === undefined || planned.running || !(await deps.ensureReady())) return;
      await deps.setMode('agent');
      if (viewModel.conversation() !== planned || planned.running) return;
      const text = goOnMessage(plan.text, plan.seen);
      await planned.send({ text, attachments: [], model: planned.model() || deps.defaultModel() });
    },
  };
}

export function taskOf(conversation: Conversation): { text: string; attachments: Attachment[] } {
  const first = conversation.state().items.find((item): item is UserItem => item.kind === 'user');
  return { text: first?.text ?? '', attachments: [...(first?.attachments ?? [])] };
}
