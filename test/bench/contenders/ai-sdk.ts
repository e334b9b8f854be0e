import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { benchModel } from '../stream-bodies.ts';
import { type Contender, createFileTool, fakeKey, question } from './contender.ts';

/** The provider alone, below `ai`: what a client that only wants the wire would use. */
export function createContender(): Contender {
  return {
    read: async (baseURL, onDelta) => {
      let textLength = 0;
      let argumentsLength = 0;
      const model = createOpenAICompatible({ name: 'svc', baseURL, apiKey: fakeKey })(benchModel);
      const { name, description, parameters } = createFileTool;
      const inputSchema = { ...parameters, required: [...parameters.required] };
      const { stream } = await model.doStream({
        prompt: [{ role: 'user', content: [{ type: 'text', text: question }] }],
        tools: [{ type: 'function', name, description, inputSchema }],
      });
      for await (const part of stream) {
        if (part.type === 'text-delta') {
          textLength += part.delta.length;
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
