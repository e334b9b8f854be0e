import { isLoopback } from '../base-url.ts';
import type { HttpResponse } from './http-response.ts';

/**
 * Behaves like `fetch` but never follows a redirect: a 3xx is returned, so that its `Location` can be named and the
 * key goes nowhere else. Only the signal limits the time.
 */
export type Transport = (url: string, init: TransportInit) => Promise<HttpResponse>;

export interface TransportInit {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal: AbortSignal;
  redirect?: 'manual';
}

export interface ProxyFacts {
  hasProxySetting(): boolean;
  env: Readonly<Record<string, string | undefined>>;
}

export interface TransportDeps extends ProxyFacts {
  loadDirect(): Promise<Transport>;
  /**
   * Returns the editor's `fetch`, which knows proxies and the certificates of the system. It is called for every
   * request.
   */
  editorFetch?(): Transport;
  log(line: string): void;
}

export interface NetworkTransport extends Transport {
  /** Forgets the routes that were found, because proxy or certificate settings have changed. */
  networkChanged(): void;
  warm(): Promise<void>;
}

type Route = 'direct' | 'editor';

const proxyVariables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];

/**
 * Connects directly unless a proxy is configured. A request that could not leave (name, refusal, route, certificate)
 * is tried once through the editor. When that is answered, the host keeps this route until `networkChanged`.
 */
export function createTransport(deps: TransportDeps): NetworkTransport {
  const { log } = deps;
  const editorFetch = deps.editorFetch ?? (() => globalThis.fetch);
  const found = new Map<string, Route>();
  let loading: Promise<Transport> | undefined;

  const load = (): Promise<Transport> => {
    loading ??= deps.loadDirect().catch((error: unknown) => {
      log(`The direct connection cannot be loaded, the editor's is used: ${String(error)}`);
      return (url, init) => editorFetch()(url, init);
    });
    return loading;
  };

  const choose = (url: URL): Route => {
    const known = found.get(url.origin);
    if (known || isLoopback(url.hostname)) return known ?? 'direct';
    return isProxied(deps) ? 'editor' : 'direct';
  };

  const transport: Transport = async (address, given) => {
    const url = new URL(address);
    const init: TransportInit = { ...given, redirect: 'manual' };
    if (choose(url) === 'editor') return editorFetch()(address, init);
    const direct = await load();
    try {
      return await direct(address, init);
    } catch (error) {
      if (init.signal.aborted || !wasNotSent(error)) throw error;
      log(`${url.host} cannot be reached directly (${causeCode(error)}); trying the editor's connection.`);
      const response = await editorFetch()(address, init);
      found.set(url.origin, 'editor');
      return response;
    }
  };
  return Object.assign(transport, {
    networkChanged: () => found.clear(),
    warm: async () => {
      await load();
    },
  });
}

export function isProxied({ hasProxySetting, env }: ProxyFacts): boolean {
  return hasProxySetting() || proxyVariables.some((name) => (env[name] ?? '').trim() !== '');
}

function wasNotSent(error: unknown): boolean {
  return error instanceof Error && 'notSent' in error && error.notSent === true;
}

function causeCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'no code';
}
