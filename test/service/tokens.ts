// A deterministic stand-in for a tokenizer: four UTF-8 bytes are one token, rounded up; each message costs four more and each
// image 256, whatever its size. Real models count differently, by up to a third: do not compare with them.
import type { ChatRequest } from './chat-request.ts';
import { countImages, messageText } from './chat-request.ts';

const bytesPerToken = 4;
const tokensPerMessage = 4;
const tokensPerImage = 256;

export function countTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

/** System text, history, tool definitions and images: all input is counted on every request. */
export function countPromptTokens(request: ChatRequest): number {
  const messages = request.messages.reduce((sum, message) => {
    const calls = (message.tool_calls ?? []).map((call) => call.function.name + call.function.arguments).join('');
    return sum + tokensPerMessage + countTokens(messageText(message) + (message.reasoning_content ?? '') + calls);
  }, 0);
  const tools = request.tools?.length ? countTokens(JSON.stringify(request.tools)) : 0;
  return messages + tools + countImages(request) * tokensPerImage;
}

/** The longest beginning of `text` within `tokens` that does not split a character. */
export function takeTokens(text: string, tokens: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > tokens * bytesPerToken) break;
    end += character.length;
  }
  return text.slice(0, end);
}
