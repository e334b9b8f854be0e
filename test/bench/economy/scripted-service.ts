import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { estimateTokens } from '../../../src/service/tokens.ts';
import type { HistoryMessage } from '../../../src/shared/messages.ts';
import type { Session } from './session.ts';

export interface ScriptedService {
  /** Ends in `/v1`. */
  baseUrl: string;
  /** Every body that came, in order, also those that asked for something else than the next answer. */
  bodies: string[];
  close(): Promise<void>;
}

/** Said in the place of a summary: a request without tools does not ask for the next step. */
const summary = 'The work goes on as it was; nothing else was found out.';

/** Gives the answers of a recorded session one after the other, whatever it is asked, and keeps what it was asked. */
export async function startScriptedService(session: Session): Promise<ScriptedService> {
  const answers = session.messages.filter((message) => message.role === 'assistant');
  const bodies: string[] = [];
  let next = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      bodies.push(text);
      const { stream = false, tools = [] } = JSON.parse(text) as { stream?: boolean; tools?: unknown[] };
      const answer = tools.length === 0 ? { text: summary, toolCalls: [] } : answers[next++];
      if (answer === undefined) {
        response.writeHead(500).end('the recorded session is over');
        return;
      }
      const usage = usageOf(text, JSON.stringify(answer));
      response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
      response.end(stream ? streamed(answer, usage) : whole(answer, usage));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    bodies,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Answer = Pick<Extract<HistoryMessage, { role: 'assistant' }>, 'text' | 'toolCalls'>;

/** Near enough for an agent that watches how full its context is; what is billed is counted afterwards. */
function usageOf(body: string, answer: string) {
  const [promptTokens, completionTokens] = [estimateTokens(body), estimateTokens(answer)];
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

const common = { id: 'chatcmpl-1', created: 1, model: 'svc/kimi-k3' };

function callsOf({ toolCalls }: Answer) {
  return toolCalls.map(({ id, name, arguments: args }, index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: args },
  }));
}

function streamed(answer: Answer, usage: object): string {
  const calls = callsOf(answer);
  const delta = { role: 'assistant', content: answer.text, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
  const reason = calls.length > 0 ? 'tool_calls' : 'stop';
  const chunks = [
    { choices: [{ index: 0, delta, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: reason }] },
    { choices: [], usage },
  ];
  const events = chunks.map((chunk) => JSON.stringify({ ...common, object: 'chat.completion.chunk', ...chunk }));
  return [...events, '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
}

function whole(answer: Answer, usage: object): string {
  const calls = callsOf(answer);
  const message = { role: 'assistant', content: answer.text, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
  const choice = { index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' };
  return JSON.stringify({ ...common, object: 'chat.completion', choices: [choice], usage });
}
