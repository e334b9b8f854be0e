import { createParser } from 'eventsource-parser';
import type { Contender } from './contender.ts';
import { post } from './http-request.ts';

interface Chunk {
  choices: { delta: { content?: string | null; tool_calls?: { function: { arguments?: string } }[] } }[];
}

/** The least that gives deltas: events split, parsed and trusted blindly. */
export function createContender(): Contender {
  return {
    read: async (baseUrl, onDelta) => {
      let textLength = 0;
      let argumentsLength = 0;
      const parser = createParser({
        onEvent: ({ data }) => {
          if (data === '[DONE]') return;
          const delta = (JSON.parse(data) as Chunk).choices[0]?.delta;
          if (delta?.content) {
            textLength += delta.content.length;
            onDelta();
          }
          for (const call of delta?.tool_calls ?? []) {
            argumentsLength += call.function.arguments?.length ?? 0;
            onDelta();
          }
        },
      });
      const response = await post(baseUrl);
      response.setEncoding('utf8');
      await new Promise<void>((resolve, reject) => {
        response
          .on('data', (text: string) => parser.feed(text))
          .once('end', resolve)
          .once('error', reject);
      });
      return { textLength, argumentsLength };
    },
  };
}
