/** How the reading of a 200 ended. Whether the reply is complete is in `reply.evidence`. */
export type ReplyEnd =
  /** `[DONE]` or the end of the body; also a body that broke off or fell silent after its finish reason. */
  | { kind: 'ended' }
  /** The caller's signal. */
  | { kind: 'stopped' }
  /** An error inside the 200; `body` is the JSON value or, when it is none, the text. */
  | { kind: 'error-body'; body: unknown }
  /** A web page instead of a reply. */
  | { kind: 'html'; title: string }
  | { kind: 'timeout'; phase: 'first-event' | 'idle' }
  /** The connection broke. */
  | { kind: 'reset'; cause: unknown }
  | { kind: 'repetition' }
  | { kind: 'too-big' }
  /** Neither events nor JSON nor a page. */
  | { kind: 'protocol'; message: string };
