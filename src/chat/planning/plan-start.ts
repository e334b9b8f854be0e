import type { Conversation } from '../../conversation/conversation.ts';
import type { Plans } from '../../conversation/store/plans.ts';
import type { ChatMode } from '../../shared/approval.ts';
import type { UserItem } from '../../shared/chat/chat-state.ts';
import type { Attachment } from '../../shared/messages.ts';
import type { Seat } from '../seat.ts';
import { goOnMessage, type PlanPrice, runMessage } from './plan-price.ts';

export interface PlanStartDeps {
  plans: Pick<Plans, 'read' | 'started'>;
  /** Typed into the document by its user and not saved. */
  unsaved(conversationId: string): string | undefined;
  price(conversation: Conversation): PlanPrice | undefined;
  isStored(conversationId: string): Promise<boolean>;
  /** Asks for what is missing to send at all. */
  ensureReady(): Promise<boolean>;
  setMode(mode: ChatMode): Promise<void>;
  defaultModel(): string;
}

/** The two ways from a plan to what it says. Neither gives consent to anything: each call asks as ever. */
export interface PlanStart {
  /** In a new conversation that holds the task and the plan alone and stops at its cap. Once for each text of the plan. */
  start(seat: Seat): Promise<void>;
  /** In the conversation that planned. */
  goOnHere(seat: Seat): Promise<void>;
}

export function createPlanStart(deps: PlanStartDeps): PlanStart {
  const starting = new Set<string>();
  const current = async (id: string) => {
    const plan = await deps.plans.read(id);
    return plan && { ...plan, text: deps.unsaved(id) ?? plan.text };
  };

  async function run(seat: Seat, planned: Conversation): Promise<void> {
    const plan = await current(planned.id);
    const price = deps.price(planned);
    if (plan === undefined || price === undefined) return;
    const { text, started } = plan;
    if (started?.text === text && (await deps.isStored(started.conversationId)))
      return seat.open(started.conversationId);
    if (!(await deps.ensureReady())) return;
    await deps.setMode('agent');
    // Another conversation was opened while something was asked.
    if (seat.conversation() !== planned) return;
    const task = taskOf(planned);
    seat.startOver();
    const conversation = seat.conversation();
    conversation.setBudget(price.capMicroUsd);
    const message = { text: runMessage(task.text, text), attachments: task.attachments };
    const turn = conversation.send({ ...message, model: planned.model() || deps.defaultModel() });
    await conversation.stored();
    await deps.plans.started(planned.id, text, conversation.id);
    await turn;
  }

  return {
    async start(seat) {
      const planned = seat.conversation();
      if (planned.running || starting.has(planned.id)) return;
      starting.add(planned.id);
      try {
        await run(seat, planned);
      } finally {
        starting.delete(planned.id);
      }
    },
    async goOnHere(seat) {
      const planned = seat.conversation();
      const plan = await current(planned.id);
      if (plan === undefined || planned.running || !(await deps.ensureReady())) return;
      await deps.setMode('agent');
      if (seat.conversation() !== planned || planned.running) return;
      const text = goOnMessage(plan.text, plan.seen);
      await planned.send({ text, attachments: [], model: planned.model() || deps.defaultModel() });
    },
  };
}

/** The first message, with what was attached to it. */
export function taskOf(conversation: Conversation): { text: string; attachments: Attachment[] } {
  const first = conversation.state().items.find((item): item is UserItem => item.kind === 'user');
  return { text: first?.text ?? '', attachments: [...(first?.attachments ?? [])] };
}
