// A small dashboard page: balance, top-up, new key, recent usage. Says that it belongs to the local stand-in; nothing here is money.
import { answerHtml } from './answers.ts';
import type { KeyRing } from './auth.ts';
import type { Account } from './billing.ts';
import { type Exchange, readBody } from './exchange.ts';
import { methodNotAllowedPage, notFoundPage } from './pages.ts';
import { dashboardPath } from './paths.ts';

export interface DashboardDeps {
  keys: KeyRing;
  account: Account;
}

const keysPath = `${dashboardPath}/keys`;
const topUpPath = `${dashboardPath}/top-up`;
const shownCharges = 20;

export async function handleDashboard(exchange: Exchange, path: string, deps: DashboardDeps): Promise<void> {
  const method = { [dashboardPath]: 'GET', [keysPath]: 'POST', [topUpPath]: 'POST' }[path];
  if (method === undefined) return answerHtml(exchange, 404, notFoundPage);
  if (exchange.record.method !== method) return answerHtml(exchange, 405, methodNotAllowedPage, { allow: method });
  if (!isOwnPage(exchange))
    return answerHtml(exchange, 403, '<!doctype html>\n<title>403</title>\n<h1>Forbidden</h1>\n');
  if (path === keysPath) return answerHtml(exchange, 200, page(deps, createKey(deps.keys)));
  if (path === topUpPath) return answerHtml(exchange, 200, page(deps, await topUp(exchange, deps.account)));
  return answerHtml(exchange, 200, page(deps));
}

/** Pages of other sites must not create keys: the host must be this machine, and forms must come from this page. */
function isOwnPage({ request }: Exchange): boolean {
  const { host = '', origin } = request.headers;
  return /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host) && (origin === undefined || origin === `http://${host}`);
}

function createKey(keys: KeyRing): string {
  const key = `sk-svc-${crypto.randomUUID()}`;
  keys.add(key);
  return `New API key, shown once: <code>${key}</code>`;
}

async function topUp(exchange: Exchange, account: Account): Promise<string> {
  await readBody(exchange);
  try {
    account.topUp(Number(new URLSearchParams(exchange.record.rawBody).get('usd')));
    return 'Topped up.';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function page({ account, keys }: DashboardDeps, notice = ''): string {
  const rows = account.charges.slice(-shownCharges).reverse();
  const cells = rows.map(
    ({ model, promptTokens, completionTokens, microUsd }) =>
      `<tr><td>${model}</td><td>${promptTokens}</td><td>${completionTokens}</td><td>$${usd(microUsd)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>svc dashboard (local stand-in)</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
td,th{text-align:left;padding:.2rem 1rem .2rem 0}form{display:inline-block;margin-right:1rem}</style></head>
<body>
<h1>svc dashboard</h1>
<p><strong>This is the local stand-in</strong>: no account, no sign-in, no card, no money. It runs on this machine only.</p>
<p role="status">${notice}</p>
<h2>Balance: $${usd(account.balanceMicroUsd())}</h2>
<p>0.33 USD per 1,000,000 tokens on every model, input and output alike. Failed and empty calls are free.</p>
<form method="post" action="${topUpPath}"><label>USD <input name="usd" type="number" min="5" value="5"></label> <button>Top up</button></form>
<form method="post" action="${keysPath}"><button>Create API key</button></form>
<p>${keys.count()} API keys are accepted.</p>
<h2>Recent usage</h2>
<table><thead><tr><th>Model</th><th>Input tokens</th><th>Output tokens</th><th>Cost</th></tr></thead>
<tbody>${cells.join('\n') || '<tr><td colspan="4">No charged calls yet.</td></tr>'}</tbody></table>
</body>
</html>
`;
}

function usd(microUsd: number): string {
  return (microUsd / 1_000_000).toFixed(6);
}
