import { type Tool, ToolError } from './tool.ts';

export interface CappedText {
  text: string;
  cutBytes: number;
}

/**
 * Returns the longest beginning of `text` that is at most `maxBytes` of UTF-8 and ends between two code points. Lone
 * surrogates become U+FFFD, so the result is always well-formed.
 */
export function capText(text: string, maxBytes: number): CappedText {
  const bytes = Buffer.from(text.toWellFormed(), 'utf8');
  if (bytes.length <= maxBytes) return { text: text.toWellFormed(), cutBytes: 0 };
  let end = Math.max(0, Math.floor(maxBytes));
  // A byte 10xxxxxx belongs to the code point before it.
  while (end > 0 && ((bytes[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end--;
  return { text: bytes.toString('utf8', 0, end), cutBytes: bytes.length - end };
}

export function withinTokens(tool: Tool, room: { left: number }, maxOfOne = Infinity): Tool {
  return {
    ...tool,
    async plan(args, context) {
      // The highest price that the user was shown holds.
      if (room.left <= 0) throw new ToolError('Nothing more can be looked at now.');
      const plan = await tool.plan(args, context);
      return {
        ...plan,
        async run(agreed) {
          const output = await plan.run(agreed);
          const max = Math.max(0, Math.min(maxOfOne, room.left));
          room.left -= Math.min(max, output.forModel.length);
          return { ...output, forModel: cutForModel(output.forModel, max) };
        },
      };
    },
  };
}

function cutForModel(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).toWellFormed()}\n[cut here: ask for less at once]`;
}
