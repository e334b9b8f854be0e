import type { Contender } from './contender.ts';
import { post } from './http-request.ts';

/** The floor: bytes are taken from the socket and dropped. */
export function createContender(): Contender {
  return {
    read: async (baseUrl, onDelta) => {
      const response = await post(baseUrl);
      await new Promise<void>((resolve, reject) => {
        response.on('data', onDelta).once('end', resolve).once('error', reject);
      });
      return { textLength: undefined, argumentsLength: undefined };
    },
  };
}
