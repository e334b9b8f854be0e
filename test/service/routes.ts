// Which path and method leads where. Paths match exactly; everything that is not listed is a 404 page.
import { answerHtml, answerJson, answerText } from './answers.ts';
import { type KeyRing, unauthorizedBody } from './auth.ts';
import type { Account } from './billing.ts';
import { answerInstead, type ChatDeps, handleChat } from './chat-route.ts';
import { handleDashboard } from './dashboard.ts';
import { type Exchange, readBody } from './exchange.ts';
import { modelList } from './models.ts';
import { connectionTimedOutPage, methodNotAllowedPage, notFoundPage } from './pages.ts';
import { chatPath, dashboardPath, modelsPath } from './paths.ts';

export interface RouteDeps {
  keys: KeyRing;
  account: Account;
  chat: ChatDeps;
}

export async function route(exchange: Exchange, deps: RouteDeps): Promise<void> {
  const { method, path: target } = exchange.record;
  const path = target.split('?', 1)[0] ?? '';
  if (path === dashboardPath || path.startsWith(`${dashboardPath}/`)) {
    return handleDashboard(exchange, path, deps);
  }
  const facts = { method, path };
  if (deps.chat.rules.takeFrontEffect(facts).page522) return answerHtml(exchange, 522, connectionTimedOutPage);
  if (path === modelsPath) return handleModels(exchange, deps);
  if (path !== chatPath) return answerHtml(exchange, 404, notFoundPage);
  if (method === 'OPTIONS' && exchange.request.headers.origin !== undefined) {
    return answerText(exchange, 400, 'text/plain; charset=utf-8', 'Disallowed CORS origin');
  }
  if (method !== 'POST') return answerHtml(exchange, 405, methodNotAllowedPage, { allow: 'POST' });
  if (!deps.keys.accepts(exchange.request.headers)) return refuseKey(exchange);
  return handleChat(exchange, facts, deps.chat);
}

async function handleModels(exchange: Exchange, { chat }: RouteDeps): Promise<void> {
  const { method } = exchange.record;
  if (method !== 'GET') return answerHtml(exchange, 405, methodNotAllowedPage, { allow: 'GET' });
  const effect = chat.rules.takeEffect({ method, path: modelsPath });
  if (!(await answerInstead(exchange, effect, ''))) answerJson(exchange, 200, modelList());
}

/** The key is checked before the body is read: the answer leaves first, then the body is taken in for the record. */
async function refuseKey(exchange: Exchange): Promise<void> {
  answerJson(exchange, 401, unauthorizedBody);
  await readBody(exchange);
}
