/** One way to read a reply of the service, from the call up to the delta that an agent loop would be handed. */
export interface Contender {
  /** Loads what the first request will need, where the contender can do that earlier. */
  prepare?(): Promise<unknown>;
  /**
   * Asks `baseUrl` (ends in `/v1`) for one streamed reply and reads it to its end. `onDelta` runs for each delta of text or
   * of tool arguments. Rejects when the reply failed.
   */
  read(baseUrl: string, onDelta: () => void): Promise<Outcome>;
}

/** What was handed over, to prove that the work was done; `undefined` where the contender does not look at the content. */
export interface Outcome {
  textLength: number | undefined;
  argumentsLength: number | undefined;
}

/** Each is a bundle of its own, so that loading it can be measured too. */
export const contenderNames = ['raw-drain', 'bare-parser', 'ours', 'ai-sdk', 'stream-text', 'openai'] as const;
export type ContenderName = (typeof contenderNames)[number];

export const question = 'What does the cart do?';
export const fakeKey = 'sk-svc-bench';

/** What every contender offers to the model: the tool that the `tools-…` scenarios call. */
export const createFileTool = {
  name: 'create_file',
  description: 'Creates a file.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, content: { type: 'string' } },
    required: ['path', 'content'],
    additionalProperties: false,
  },
} as const;
