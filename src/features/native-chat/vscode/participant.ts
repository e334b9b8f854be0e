import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { createConsent } from '../../../agent/consent.ts';
import { toHistory } from '../../../agent/history.ts';
import type { TurnInput, TurnResult } from '../../../agent/turn.ts';
import { readCommand } from '../../../conversation/composing/slash-commands.ts';
import { chargeWords } from '../../../shared/charge-words.ts';
import type { Failure } from '../../../shared/failure/failure.ts';
import type { About, Answer, Ask, Asked, InteractionKind } from '../../../shared/interaction.ts';
import type { Attachment, Cost, HistoryMessage } from '../../../shared/messages.ts';
import { cutAttachment } from '../../../vscode/composer/attachments.ts';
import { NothingToAttach, type ReadContext } from '../../../vscode/composer/read-context.ts';
import type { Settings } from '../../../vscode/host/settings.ts';
import { withSignal } from '../../../vscode/host/with-signal.ts';
import { createParticipantListener } from './participant-stream.ts';

export interface ParticipantDeps {
  read: ReadContext;
  settings: Pick<Settings, 'request' | 'autoApprove'>;
  defaultModel(): string;
  nameOf(model: string): string;
  runTurn(input: TurnInput): Promise<TurnResult>;
  failureText(failure: Failure): string;
  /** Resolves with URIs of the instruction files that every turn carries anyway; there are none in Restricted Mode. */
  carriedRules(): Promise<ReadonlySet<string>>;
}

export function createParticipant(deps: ParticipantDeps): vscode.ChatRequestHandler {
  return async (request, context, stream, token) => {
    const model = request.model.vendor === 'svc' ? request.model.id : deps.defaultModel();
    const text = request.command === undefined ? request.prompt : `/${request.command} ${request.prompt}`;
    const command = readCommand(text, []);
    const said = command.do === 'send' ? command.text : text;
    const attachments = await attachmentsOf(deps, request, command.do === 'send' ? command.subject : undefined, stream);
    const turnId = randomUUID();
    const emit = createParticipantListener(toStream(stream), deps.nameOf);
    const result = await withSignal(token, (signal) =>
      deps.runTurn({
        turnId,
        history: [...historyOf(context, model), ...messageOf(said, attachments)],
        model,
        request: { ...deps.settings.request(), surface: 'native-chat' },
        emit,
        signal,
        person: {
          consent: createConsent({ autoApprove: deps.settings.autoApprove }),
          ask: cannotAsk((asked) => emit({ ...asked, turnId })),
        },
      }),
    );
    const cost = costLineOf(result.cost, vscode.env.language);
    if (cost !== '') stream.markdown(`${costMark}${cost}*`);
    return {
      metadata: { cost },
      ...(result.failure !== undefined && { errorDetails: { message: deps.failureText(result.failure) } }),
    };
  };
}

/** There is no stable way to ask in the middle of an answer: what would need consent is refused, and a wait is only shown. */
function cannotAsk(show: (asked: { type: 'asked'; step: number } & Asked<'wait'>) => void): Ask {
  const answers: {
    [Kind in InteractionKind]?: (about: About<Kind>, how: Parameters<Ask>[2]) => Answer<Kind> | undefined;
  } = {
    approval: () => ({ decision: 'deny', reason: notHere }),
    wait(about, { id, step }) {
      show({ type: 'asked', step, id, kind: 'wait', about });
      return undefined;
    },
  };
  return async (kind, about, how) => answers[kind]?.(about, how);
}

const notHere = "This chat can't ask for approval. Use the svc Assistant chat to approve it.";

const costMark = '\n\n*';

function messageOf(text: string, attachments: Attachment[]): HistoryMessage[] {
  return toHistory([{ type: 'userMessage', id: 'm', at: 0, text, attachments }]);
}

/** Earlier turns are sent as their texts, without attachments and tool calls. */
function historyOf({ history }: vscode.ChatContext, model: string): HistoryMessage[] {
  return history.flatMap((turn): HistoryMessage[] => {
    if (turn instanceof vscode.ChatRequestTurn) {
      return [{ role: 'user', text: turn.command === undefined ? turn.prompt : `/${turn.command} ${turn.prompt}` }];
    }
    const shown = turn.response
      .flatMap((part) => (part instanceof vscode.ChatResponseMarkdownPart ? [part.value.value] : []))
      .join('');
    // What it cost is for the user; the model would pay for it again.
    const cost: unknown = turn.result.metadata?.cost;
    const line = typeof cost === 'string' && cost !== '' ? `${costMark}${cost}*` : '';
    const text = line !== '' && shown.endsWith(line) ? shown.slice(0, -line.length) : shown;
    return text === '' ? [] : [{ role: 'assistant', text, model, toolCalls: [] }];
  });
}

/**
 * VS Code attaches references with these ids by itself, in Restricted Mode too: instruction and prompt files of the
 * folder, and their list.
 */
const instructionId = /^vscode\.(?:instructions|prompt|customizations)\./;

async function attachmentsOf(
  { read, carriedRules }: ParticipantDeps,
  { references }: vscode.ChatRequest,
  subject: 'selection' | 'changes' | undefined,
  stream: vscode.ChatResponseStream,
): Promise<Attachment[]> {
  const attachments: Attachment[] = [];
  const take = async (pick: Parameters<ReadContext>[0]) => {
    try {
      const found = await read(pick);
      if (found !== undefined && 'id' in found) attachments.push(found);
    } catch (error) {
      if (!(error instanceof NothingToAttach)) throw error;
      stream.markdown(`> ${error.message}\n\n`);
    }
  };
  const rules = references.some(({ id }) => instructionId.test(id)) ? await carriedRules() : undefined;
  // Nothing of a folder that is not trusted, and nothing twice: each token is paid for.
  const isLeftOut = ({ id, value }: vscode.ChatPromptReference) =>
    instructionId.test(id) &&
    (!vscode.workspace.isTrusted || (value instanceof vscode.Uri && rules?.has(value.toString()) === true));
  for (const reference of references) {
    if (isLeftOut(reference)) continue;
    const { id, value } = reference;
    if (typeof value === 'string') attachments.push(cutAttachment('text', id, value));
    else if (value instanceof vscode.Uri) {
      stream.reference(value);
      await take({ kind: 'file', uri: value.toString() });
    } else if (value instanceof vscode.Location) {
      stream.reference(value);
      const { start, end } = value.range;
      await take({ kind: 'file', uri: value.uri.toString(), startLine: start.line + 1, endLine: end.line + 1 });
    }
  }
  if (attachments.length === 0 && subject !== undefined) await take({ kind: subject });
  return attachments;
}

function toStream(stream: vscode.ChatResponseStream): Parameters<typeof createParticipantListener>[0] {
  return {
    markdown: (text) => stream.markdown(text),
    progress: (text) => stream.progress(text),
    showRead(path) {
      const folders = vscode.workspace.workspaceFolders ?? [];
      const [first, ...rest] = path.split('/');
      const named = folders.length > 1 ? folders.find(({ name }) => name === first) : undefined;
      const folder = named ?? folders[0];
      if (folder) stream.reference(vscode.Uri.joinPath(folder.uri, named ? rest.join('/') : path));
    },
  };
}

function costLineOf(cost: Cost, locale: string): string {
  if (cost.requests === 0) return '';
  const count = new Intl.NumberFormat(locale);
  const tokens = (figure: number) => `${cost.estimated ? '≈ ' : ''}${count.format(figure)}`;
  const hasTokens = cost.promptTokens > 0 || cost.completionTokens > 0;
  return [
    ...(hasTokens
      ? [l10n.t('{0} in', tokens(cost.promptTokens)), l10n.t('{0} out', tokens(cost.completionTokens))]
      : []),
    chargeWords(cost, locale),
  ].join(' · ');
}
