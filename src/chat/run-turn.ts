import { addToLast, changesNote, outsideChangesNote } from '../agent/history.ts';
import { runTurn } from '../agent/loop.ts';
import { withoutSpentLoads } from '../agent/spent-loads.ts';
import type { EditChecks, RequestWindow, TurnInput } from '../agent/turn.ts';
import { firstRequest } from '../agent/turn-request.ts';
import type { Clock } from '../base/clock.ts';
import { dropOldest } from '../base/drop-oldest.ts';
import type { RunTurn, TurnHost } from '../conversation/turns/turns.ts';
import type { CommandJournal } from '../edits/apply/edit-ports.ts';
import type { SubagentPurse, Subagents } from '../features/subagents/core/subagents.ts';
import type { ChatRequest, ServiceClient } from '../service/contract.ts';
import type { ChangesSinceTurn, CheckpointTaken, Notice } from '../shared/events.ts';
import type { HistoryMessage } from '../shared/messages.ts';
import { toolDialect, toolKind } from '../tools/all-tools.ts';
import type { OutsideChangeWatch } from './meanwhile/outside-changes.ts';
import type { TurnContext } from './turn-context.ts';
import { turnFactsNotice } from './turn-facts/turn-facts-notice.ts';

export interface ConversationEdits {
  laterChanges(conversationId: string, how: 'peek' | 'take'): Promise<ChangesSinceTurn | undefined>;
  /** `onTaken` is called for each checkpoint of this conversation until the returned function is called. */
  begin(conversationId: string, onTaken: (event: CheckpointTaken) => void): () => void;
  journal(conversationId: string, onTaken: (event: CheckpointTaken) => void): CommandJournal;
}

export interface TurnRunnerDeps {
  turnContext: TurnContext;
  refreshRules(): Promise<void>;
  edits: ConversationEdits;
  outsideChanges: OutsideChangeWatch;
  commands: {
    ready(): Promise<void>;
    begin(turnId: string, turn: { conversationId: string; journal: CommandJournal }): () => void;
  };
  subagents: Pick<Subagents, 'begin'>;
  size(request: ChatRequest): number;
  settings: { maxSteps(): number };
  checks(): EditChecks | undefined;
  clock: Clock;
  log(line: string): void;
}

export interface TurnOwner {
  conversationId: string;
  client(turn: PaidTurn): Pick<ServiceClient, 'stream'>;
  newCallId(): string;
  window(turn: PaidTurn, host: TurnHost): RequestWindow;
  subagent?(turn: PaidTurn, host: TurnHost): SubagentPurse;
  /** Is called when a turn begins. With true the turn may read the workspace, and change or run nothing. */
  readsOnly(): boolean;
}

export type PaidTurn = Pick<TurnInput, 'turnId' | 'overBudget' | 'limit'>;

export interface TurnRunner {
  runFor(owner: TurnOwner): RunTurn;
  /** Resolves with exactly what a turn over `history` would send first. It reads the rules anew and sends nothing. */
  next(input: Pick<TurnInput, 'history' | 'model' | 'request'> & { conversationId: string }): Promise<ChatRequest>;
  last(conversationId: string): ChatRequest | undefined;
}

const maxLastRequests = 10;

export function createTurnRunner(deps: TurnRunnerDeps): TurnRunner {
  const { turnContext, edits, commands } = deps;
  const lastRequests = new Map<string, ChatRequest>();
  const remember = (id: string, client: Pick<ServiceClient, 'stream'>): Pick<ServiceClient, 'stream'> => ({
    stream: (request, onEvent, signal) => {
      lastRequests.delete(id);
      lastRequests.set(id, request);
      dropOldest(lastRequests, maxLastRequests);
      return client.stream(request, onEvent, signal);
    },
  });
  const meanwhile = async (conversationId: string, before: readonly HistoryMessage[], how: 'peek' | 'take') => {
    const [later, outsideChanges] = await Promise.all([
      edits.laterChanges(conversationId, how),
      deps.outsideChanges.changes(conversationId, before, how),
    ]);
    const history = [...withoutSpentLoads(before, toolKind)];
    if (later !== undefined) addToLast(history, changesNote(later));
    if (outsideChanges !== undefined) addToLast(history, outsideChangesNote(outsideChanges));
    const notices: Notice[] = [
      ...(later === undefined ? [] : [{ kind: 'later-changes' as const, ...later }]),
      ...(outsideChanges === undefined ? [] : [{ kind: 'world-changes' as const, ...outsideChanges }]),
    ];
    return { notices, history };
  };
  const beginSubagents = (owner: TurnOwner, input: TurnInput, host: TurnHost) => {
    const purse = owner.subagent?.(input, host);
    if (purse === undefined) return () => undefined;
    const { surface: _surface, ...request } = input.request;
    return deps.subagents.begin(input.turnId, {
      ...purse,
      request,
      message: input.history.findLast(({ role }) => role === 'user')?.text ?? '',
      model: () => host.state().running?.model ?? input.model,
      sentTokens: () => {
        const sent = lastRequests.get(owner.conversationId);
        return sent === undefined ? 0 : deps.size(sent);
      },
      begins: turnContext.subagent,
    });
  };
  return {
    runFor: (owner) => async (input, host) => {
      const { conversationId, newCallId } = owner;
      // As it is when the turn begins: what is chosen later is for the next message.
      const access = turnContext.access();
      await Promise.all([deps.refreshRules(), commands.ready()]);
      const offered = turnContext.tools(conversationId, input.history);
      const isReadOnly = owner.readsOnly();
      const tools = offered
        .filter(({ access }) => !isReadOnly || access === 'read')
        .filter(({ kind }) => kind !== 'subagent' || owner.subagent !== undefined);
      const { notices, history } = await meanwhile(conversationId, input.history, 'take');
      for (const notice of notices) input.emit({ type: 'notice', turnId: input.turnId, step: 1, notice });
      const checks = deps.checks();
      const ends = [
        beginSubagents(owner, input, host),
        edits.begin(conversationId, host.checkpointTaken),
        commands.begin(input.turnId, { conversationId, journal: edits.journal(conversationId, host.checkpointTaken) }),
      ];
      const loop = {
        ...turnContext.parts(tools, history),
        access,
        dialect: toolDialect,
        client: remember(conversationId, owner.client(input)),
        clock: deps.clock,
        maxSteps: deps.settings.maxSteps,
        newCallId,
        ...(checks && { checks }),
        window: owner.window(input, host),
        log: deps.log,
      };
      try {
        const result = await runTurn(loop, { ...input, history });
        if (result.outcome === 'finished') {
          const canEdit = tools.some(({ kind }) => kind === 'edit');
          const facts = turnFactsNotice(host.state(), input.turnId, canEdit);
          if (facts) input.emit(facts);
        }
        return result;
      } finally {
        for (const end of ends) end();
      }
    },
    async next({ conversationId, ...input }) {
      await deps.refreshRules();
      const tools = turnContext.tools(conversationId, input.history);
      const { history } = await meanwhile(conversationId, input.history, 'peek');
      return firstRequest(turnContext.parts(tools, history), { ...input, history });
    },
    last: (id) => lastRequests.get(id),
  };
}
