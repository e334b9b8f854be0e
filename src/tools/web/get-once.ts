import { createPublicLookup, type LookupDeps, notPublicCode } from '../../base/public-address.ts';
import { isProxied, type ProxyFacts, type Transport, type TransportInit } from '../../service/wire/transport.ts';
import type { GetOnce } from './get-page.ts';

export interface GetOnceDeps extends ProxyFacts, LookupDeps {
  /** Loads our own network stack, which resolves names with `lookup`. It is called with the first page. */
  loadDirect(lookup: ReturnType<typeof createPublicLookup>): Promise<Transport>;
  editorFetch(): (url: string, init: TransportInit & { credentials: 'omit' }) => ReturnType<Transport>;
}

const headers = {
  'user-agent': 'svc-assistant',
  accept: 'text/markdown, text/html;q=0.9, text/*;q=0.8, application/json;q=0.8, */*;q=0.1',
};

/**
 * Requests a page directly, and the address is checked at the moment of connecting. Where a proxy is set, the proxy
 * makes the connection; then a name is refused that leads to a closed address from here, and one that is not known
 * here is left to the proxy. A direct attempt that fails is never repeated with the editor's `fetch`, which would
 * connect without that check.
 */
export function createGetOnce(deps: GetOnceDeps): GetOnce {
  const lookup = createPublicLookup(deps);
  let direct: Promise<Transport> | undefined;
  const isClosedHere = (host: string) =>
    new Promise<boolean>((resolve) => {
      lookup(host, { all: true }, (error) => resolve(error?.code === notPublicCode));
    });
  return async (url, signal) => {
    if (isProxied(deps)) {
      if (await isClosedHere(new URL(url).hostname)) {
        throw Object.assign(new Error('The name is not public here'), { code: notPublicCode });
      }
      signal.throwIfAborted();
      return deps.editorFetch()(url, { method: 'GET', headers, redirect: 'manual', credentials: 'omit', signal });
    }
    direct ??= deps.loadDirect(lookup);
    return (await direct)(url, { method: 'GET', headers, signal });
  };
}
