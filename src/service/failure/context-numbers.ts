export interface ContextNumbers {
  limit?: number;
  maxTokensLimit?: number;
}

const limits: readonly RegExp[] = [
  // The prompt, and what was kept free for the reply.
  /\d\s*\+\s*[\d,]{1,12}\s*>\s*([\d,]{3,12})/,
  /range of input length should be \[\s*\d+\s*,\s*([\d,]+)/i,
  /max_(?:model_|seq_)?len(?:gth)?[^\d]{0,10}([\d,]{3,12})/i,
  /(?:context (?:length|window|size|limit)|token limit|maximum)[^\d]{0,40}?([\d,]{3,12})/i,
  /must be <= ([\d,]{3,12})/i,
  /(?:less|fewer) than ([\d,]{3,12}) tokens/i,
  /> ([\d,]{3,12}) maximum/i,
  /with ([\d,]{3,12}) maximum context/i,
  /max(?:imum)? (?:size|length):? ?([\d,]{3,12})/i,
  /limit of ([\d,]{3,12})/i,
  /tokens supported is ([\d,]{3,12})/i,
  /n_ctx[ =(:]{1,4}([\d,]{3,12})/i,
];

/** Ignores values under 256, which cannot be token counts. */
export function contextNumbers(text: string): ContextNumbers {
  const [least, most, ...more] = largeNumbers(text);
  const isPair = least !== undefined && most !== undefined && more.length === 0;
  const limit = firstOf(text, limits) ?? (isPair ? least : undefined);
  return {
    limit,
    maxTokensLimit: maxTokensLimit(text, limit),
  };
}

const ofReply = /max(?:imum)?_(?:\w{1,12}_)?tokens|(?:output|completion) tokens|maximum tokens (?:you|value)/i;

/** Says that a refusal is about the reply's limit. A number below nothing is what a prompt that is too long left of it. */
export function isOfReplyAlone(text: string): boolean {
  return ofReply.test(text) && !/\b(?:context|prompt|inputs?|messages?|conversation|n_ctx)\b|\s-\d/i.test(text);
}

/** Needs no wording: of two numbers that count what was written, one is larger. */
export function exceedsLength(text: string): boolean {
  const counts = /tokens\b|token (?:limit|count)|\bseq|\blen(?:gth)?\b|context|too long|prompt/i.test(text);
  return counts && !ofReply.test(text) && largeNumbers(text).length > 1;
}

const leastLimit = 1000;
const mostLimit = 100_000_000;

function largeNumbers(text: string): number[] {
  const numbers = [...text.matchAll(/(?<![\w.-])\d[\d,]{2,12}\b|(?<==)\d[\d,]{2,12}\b/g)].map(([digits]) =>
    Number(digits.replaceAll(',', '')),
  );
  return [...new Set(numbers)].filter((one) => one >= leastLimit && one <= mostLimit).sort((a, b) => a - b);
}

function firstOf(text: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const number = firstNumber(text, pattern);
    if (number !== undefined) return number;
  }
  return undefined;
}

function maxTokensLimit(text: string, limit: number | undefined): number | undefined {
  if (!ofReply.test(text)) return undefined;
  if (isOfReplyAlone(text)) return largeNumbers(text)[0];
  const input = firstNumber(text, /([\d,]{1,12}) (?:input|prompt) tokens/i, 1);
  return limit !== undefined && input !== undefined && limit - input >= 256 ? limit - input : undefined;
}

function firstNumber(text: string, pattern: RegExp, min = 256): number | undefined {
  const digits = pattern.exec(text)?.[1]?.replaceAll(',', '');
  const value = Number(digits);
  return digits !== undefined && digits !== '' && Number.isSafeInteger(value) && value >= min ? value : undefined;
}
