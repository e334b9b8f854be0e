import { isLoopback } from '../base-url.ts';
import type { HttpResponse } from './http-response.ts';

/**
 * The one way out. Shaped like `fetch`, but never follows a redirect: a 3xx comes back as it is, so
 * that its `Location` can be named and the key goes nowhere else. Has no time limit but the signal.
 */
export type Transport = (url: string, init: TransportInit) => Promise<HttpResponse>;

/** The part of `RequestInit` that is used. */
export interface TransportInit {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal: AbortSignal;
  redirect?: 'manual';
}

export type FetchLike = Transport;

export interface ProxyFacts {
  /** Whether the editor is told to use a proxy (`http.proxy`). */
  hasProxySetting(): boolean;
  env: Readonly<Record<string, string | undefined>>;
}

export interface TransportDeps extends ProxyFacts {
  /** Our own stack; called once, when it is first needed or warmed. */
  loadDirect(): Promise<FetchLike>;
  /** The editor's `fetch`, which knows proxies and the system's certificates. Looked up for every call. */
  editorFetch?(): FetchLike;
  log(line: string): void;
}

export interface NetworkTransport extends Transport {
  /** Proxy or certificate settings are different now: what was found out before says nothing. */
  networkChanged(): void;
  /** Loads what the first request needs, while there is time. Never rejects. */
  warm(): Promise<void>;
}

type Route = 'direct' | 'editor';

const proxyVariables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];

/**
 * Direct unless a proxy is configured. A request that could not leave (name, refusal, route, certificate) is tried once
 * the editor's way; when that gets an answer it is remembered for that host until `networkChanged`.
 */
export function createTransport(deps: TransportDeps): NetworkTransport {
  const { log } = deps;
  const editorFetch = deps.editorFetch ?? (() => globalThis.fetch);
  const found = new Map<string, Route>();
  let loading: Promise<FetchLike> | undefined;

  const load = (): Promise<FetchLike> => {
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

/** Whether the editor or the environment names a proxy. */
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
