// What the tests of the local service share: one service for a file, reset before each test, and small ways to call it.
import { connect } from 'node:net';
import { after, before, beforeEach } from 'mocha';
import {
  demoKey,
  type LocalService,
  type LocalServiceOptions,
  type ServiceScript,
  startLocalService,
} from '../../service/local-service.ts';

export interface Harness {
  service(): LocalService;
  /** POST to the chat path with the demo key; `overrides` replace fields of a minimal request. */
  chat(overrides?: object, init?: RequestInit): Promise<Response>;
  /** Like `chat`, with `stream: true` and usage asked for. */
  stream(overrides?: object): Promise<StreamedReply>;
  get(path: string, init?: RequestInit): Promise<Response>;
  script(script: ServiceScript): void;
}

export interface StreamedReply {
  status: number;
  /** Body as received, also when the connection broke. */
  raw: string;
  events: WireChunk[];
  done: boolean;
  broken: boolean;
}

interface WireChunk {
  model?: string;
  choices: {
    delta: {
      role?: string;
      content?: string;
      reasoning_content?: string;
      tool_calls?: { index: number; id?: string; type?: string; function: { name?: string; arguments: string } }[];
    };
    finish_reason: string | null;
  }[];
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
  error?: { code: number; message: string };
}

export interface WholeReply {
  id: string;
  object: string;
  model: string;
  choices: {
    message: {
      role: string;
      content: string | null;
      reasoning_content?: string;
      tool_calls?: { id: string; function: { name: string; arguments: string } }[];
    };
    finish_reason: string;
  }[];
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

export interface ErrorBody {
  error: { code: number; message: string; type: string };
}

export const minimal = { model: 'svc/glm-5.3', messages: [{ role: 'user', content: 'Hello' }] };

export function useService(options: LocalServiceOptions = {}): Harness {
  let current: LocalService | undefined;
  const service = (): LocalService => {
    if (!current) throw new Error('The service runs only inside tests.');
    return current;
  };
  before(async () => {
    current = await startLocalService(options);
  });
  beforeEach(() => service().reset());
  after(() => service().close());
  const chat = (overrides: object = {}, init: RequestInit = {}): Promise<Response> =>
    fetch(`${service().baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${demoKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...minimal, ...overrides }),
      ...init,
    });
  return {
    service,
    chat,
    stream: async (overrides = {}) =>
      readStream(await chat({ stream: true, stream_options: { include_usage: true }, ...overrides })),
    get: (path, init) => fetch(`http://127.0.0.1:${service().port}${path}`, init),
    script: (script) => service().script(script),
  };
}

export async function readStream(response: Response): Promise<StreamedReply> {
  const decoder = new TextDecoder();
  let raw = '';
  let broken = false;
  try {
    for await (const bytes of response.body ?? []) raw += decoder.decode(bytes, { stream: true });
  } catch {
    broken = true; // the fetch of Node throws TypeError "terminated" when the connection breaks
  }
  const data = raw.split('\n\n').flatMap((event) => event.match(/^data: (.*)$/m)?.[1] ?? []);
  const complete = data.filter((text) => text !== '[DONE]' && isComplete(text));
  return {
    status: response.status,
    raw,
    events: complete.map((text) => JSON.parse(text)),
    done: data.includes('[DONE]'),
    broken,
  };
}

function isComplete(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export function textOf(reply: StreamedReply): string {
  return reply.events.map((event) => event.choices[0]?.delta.content ?? '').join('');
}

export async function json<T>(response: Response): Promise<T> {
  return (await response.json()) as T;
}

/** Sends bytes as they are and resolves what came back until the service closed or `until` appeared. */
export function sendRaw(port: number, bytes: string, until?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let received = '';
    socket.on('data', (data) => {
      received += data.toString();
      if (until !== undefined && received.includes(until)) {
        socket.destroy();
        resolve(received);
      }
    });
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
  });
}
