import { once } from '../base/once.ts';
import { assumedImageTokens } from '../shared/image.ts';
import type { HistoryMessage, ImageRef } from '../shared/messages.ts';
import type { ChatRequest, Reply } from './contract.ts';
import { knownShape, type TokenFeatures } from './token-features.ts';
import { add, addShape, type ClassTokens, noTokens, sum } from './token-rates.ts';
import { imagesIn } from './wire/images.ts';
import { echoesReasoning } from './wire/normalise-history.ts';

export type Counted = Pick<ChatRequest, 'model' | 'messages' | 'tools' | 'expects'>;
type CountedForAny = Omit<Counted, 'model'> & { model?: string };

const tokensPerMessage = 4;

const anyModel = '';

export function estimateTokens(text: string, model = anyModel): number {
  return Math.ceil(sum(textTokens(text, model)));
}

export function textTokens(
  text: string,
  model: string,
  shape: (text: string) => TokenFeatures = knownShape,
): ClassTokens {
  const tokens = noTokens();
  addShape(tokens, shape(text), model);
  return tokens;
}

export function estimatePromptTokens({ model = anyModel, ...request }: CountedForAny): number {
  return Math.ceil(sum(promptTokens({ model, ...request }))) + assumedTokens(imagesIn(request.messages));
}

export interface PromptParts {
  texts: readonly string[];
  echoes: readonly string[];
  messages: number;
}

export function promptParts({ model, messages, tools }: Counted): PromptParts {
  const texts = tools !== undefined && tools.length > 0 ? [toolsText(tools)] : [];
  const echoes: string[] = [];
  for (const message of messages) {
    if (message.text !== '') texts.push(message.text);
    if (message.role !== 'assistant') continue;
    for (const { name, arguments: written } of message.toolCalls) texts.push(`${name} ${written}`);
    const echoed = echoOf(message, model);
    if (echoed !== '') echoes.push(echoed);
  }
  return { texts, echoes, messages: messages.length };
}

export function partTokens(
  { texts, echoes, messages }: PromptParts,
  model: string,
  shape: (text: string) => TokenFeatures = knownShape,
): ClassTokens {
  const tokens = noTokens();
  for (const text of texts) addShape(tokens, shape(text), model);
  for (const echo of echoes) add(tokens, 'reasoning', sum(textTokens(echo, model, shape)));
  if (messages > 0) add(tokens, 'frame', messages * tokensPerMessage);
  return tokens;
}

export function promptTokens(request: Counted, shape: (text: string) => TokenFeatures = knownShape): ClassTokens {
  return partTokens(promptParts(request), request.model, shape);
}

function echoOf(
  { model: writer, reasoning = '' }: Extract<HistoryMessage, { role: 'assistant' }>,
  model: string,
): string {
  return model === anyModel || (writer === model && echoesReasoning(model)) ? reasoning : '';
}

const toolsText = once((tools: NonNullable<ChatRequest['tools']>) => JSON.stringify(tools));

export function replyTokens({ model, text, reasoning, toolCalls }: Omit<Reply, 'usage'>): number {
  const calls = toolCalls.map((call) => call.name + call.arguments);
  return [text, reasoning, ...calls].reduce((total, part) => total + estimateTokens(part, model), 0);
}

export function assumedTokens(images: readonly Pick<ImageRef, 'width' | 'height'>[]): number {
  return images.reduce((total, image) => total + assumedImageTokens(image), 0);
}
