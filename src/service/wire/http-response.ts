/**
 * The part of `Response` that is read here. Node's own class, or only its `Headers`, loads a whole HTTP client when it is
 * first touched (40 ms, 14 MB), so the direct connection answers with less.
 */
export interface HttpResponse {
  readonly ok: boolean;
  readonly status: number;
  /** `opaqueredirect` in stacks that hide a redirect. */
  readonly type?: string;
  readonly headers: HttpHeaders;
  readonly body: HttpBody | null;
}

export interface HttpHeaders {
  /** Several values of one name are joined with `, `. */
  get(name: string): string | null;
}

export interface HttpBody {
  getReader(): HttpBodyReader;
}

export interface HttpBodyReader {
  /** Rejects when the body broke, after everything that came before. */
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  /** The body is not wanted any more: closes the connection, ends a pending read. */
  cancel(reason?: unknown): Promise<void>;
}
