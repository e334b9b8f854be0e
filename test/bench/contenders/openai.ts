import OpenAI from 'openai';
import { benchModel } from '../stream-bodies.ts';
import { type Contender, createFileTool, fakeKey, question } from './contender.ts';

/** `openai` as its README shows streaming. */
export function createContender(): Contender {
  return {
    read: async (baseURL, onDelta) => {
      let textLength = 0;
      let argumentsLength = 0;
      const client = new OpenAI({ baseURL, apiKey: fakeKey, maxRetries: 0 });
      const stream = await client.chat.completions.create({
        model: benchModel,
        messages: [{ role: 'user', content: question }],
        tools: [{ type: 'function', function: { ...createFileTool, parameters: { ...createFileTool.parameters } } }],
        stream: true,
      });
      for await (const chunk of stream) {
        const delta = chunk.choices[0]?.delta;
        if (delta?.content) {
          textLength += delta.content.length;
          onDelta();
        }
        for (const call of delta?.tool_calls ?? []) {
          argumentsLength += call.function?.arguments?.length ?? 0;
          onDelta();
        }
      }
      return { textLength, argumentsLength };
    },
  };
}
