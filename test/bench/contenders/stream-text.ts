import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { jsonSchema, streamText, tool } from 'ai';
import { benchModel } from '../stream-bodies.ts';
import { type Contender, createFileTool, fakeKey, question } from './contender.ts';

/** `ai` as its documentation shows an agent's step. */
export function createContender(): Contender {
  const { description, parameters } = createFileTool;
  const inputSchema = jsonSchema({ ...parameters, required: [...parameters.required] });
  return {
    read: async (baseURL, onDelta) => {
      let textLength = 0;
      let argumentsLength = 0;
      const result = streamText({
        model: createOpenAICompatible({ name: 'svc', baseURL, apiKey: fakeKey })(benchModel),
        prompt: question,
        tools: { create_file: tool({ description, inputSchema }) },
        maxRetries: 0,
      });
      for await (const part of result.fullStream) {
        if (part.type === 'text-delta') {
          textLength += part.text.length;
          onDelta();
        } else if (part.type === 'tool-input-delta') {
          argumentsLength += part.delta.length;
          onDelta();
        } else if (part.type === 'error') throw part.error;
      }
      return { textLength, argumentsLength };
    },
  };
}
