/** Says how the reading of a 200 ended. `reply.evidence` says whether the reply is complete. */
export type ReplyEnd =
  /** Includes a body that broke off or fell silent after its finish reason. */
  | { kind: 'ended' }
  | { kind: 'stopped' }
  /** `body` is the JSON value or, if the error was none, the text. */
  | { kind: 'error-body'; body: unknown }
  | { kind: 'html'; title: string }
  | { kind: 'timeout'; phase: 'first-event' | 'idle' }
  | { kind: 'reset'; cause: unknown }
  | { kind: 'repetition' }
  | { kind: 'too-big' }
  | { kind: 'protocol'; message: string };
