import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRandom } from './seeded-random.ts';
import { benchModel, buildScenarios, type Scenario } from './stream-bodies.ts';

/**
 * The far end of P1–P4, a process of its own so that its work is nobody's measurement. Everything is rendered before the
 * first request. `POST /<scenario>/v1/chat/completions` streams it. Prints its port as the first line.
 */
const seed = Number(process.argv[2] ?? 1);
const scenarios = new Map(buildScenarios(seed).map((scenario) => [scenario.name, prepare(scenario)]));

interface Prepared {
  /** As written to the socket: a burst in packets of the sizes that a busy connection gives, else one event each. */
  writes: readonly Buffer[];
  everyMs: number;
}

function prepare({ events, everyMs, name }: Scenario): Prepared {
  if (everyMs > 0 || name === 'first') return { writes: events.map((event) => Buffer.from(event)), everyMs };
  const whole = Buffer.from(events.join(''));
  const random = createRandom(seed + 1);
  const writes: Buffer[] = [];
  for (let from = 0; from < whole.length; ) {
    const size = 4096 + Math.floor(random() * 28_672);
    writes.push(whole.subarray(from, from + size));
    from += size;
  }
  return { writes, everyMs };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  for await (const _ of request);
  const [, name = '', , ...rest] = (request.url ?? '').split('/');
  const scenario = scenarios.get(name);
  if (rest[0] === 'models') {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: [{ id: benchModel, object: 'model', created: 1, owned_by: 'svc' }] }));
  } else if (scenario === undefined) {
    response.statusCode = 404;
    response.end('<html><body>Not Found</body></html>');
  } else {
    response.setHeader('content-type', 'text/event-stream; charset=utf-8');
    if (scenario.everyMs > 0) paced(scenario, response);
    else await burst(scenario, response);
  }
}

async function burst({ writes }: Prepared, response: ServerResponse): Promise<void> {
  for (const packet of writes) {
    if (!response.write(packet)) await new Promise<void>((resolve) => response.once('drain', resolve));
  }
  response.end();
}

/** One event a tick, also when a tick is late: the reader must never be given two in one packet. */
function paced({ writes, everyMs }: Prepared, response: ServerResponse): void {
  let next = 0;
  response.socket?.setNoDelay(true);
  const timer = setInterval(() => {
    const packet = writes[next++];
    if (packet !== undefined) response.write(packet);
    else {
      clearInterval(timer);
      response.end();
    }
  }, everyMs);
  response.once('close', () => clearInterval(timer));
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' ? address?.port : '');
});
// Ends with the process that started it, however that ended.
process.stdin.once('end', () => process.exit()).resume();
