import http from 'node:http';
import { benchModel } from '../stream-bodies.ts';
import { createFileTool, fakeKey, question } from './contender.ts';

const agent = new http.Agent({ keepAlive: true });

const body = JSON.stringify({
  model: benchModel,
  messages: [{ role: 'user', content: question }],
  tools: [{ type: 'function', function: createFileTool }],
  stream: true,
});

/** The least that Node can do: one POST on a kept connection. Resolves with the response, its body unread. */
export function post(baseUrl: string): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      `${baseUrl}/chat/completions`,
      {
        agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          authorization: `Bearer ${fakeKey}`,
        },
      },
      resolve,
    );
    request.once('error', reject);
    request.end(body);
  });
}
