/**
 * `HttpResponse` is the part of `Response` that is used here. Node's own class, even its `Headers` alone, loads a
 * whole HTTP client when it is first touched (40 ms, 14 MB), so the direct connection does not use it.
 */
export interface HttpResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly type?: string;
  readonly headers: HttpHeaders;
  readonly body: HttpBody | null;
}

export interface HttpHeaders {
  get(name: string): string | null;
}

export interface HttpBody {
  getReader(): HttpBodyReader;
}

export interface HttpBodyReader {
  /** Rejects when the body broke, but only after everything before was read. */
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(reason?: unknown): Promise<void>;
}
