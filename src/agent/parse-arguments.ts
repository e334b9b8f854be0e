import * as z from 'zod/mini';
import type { Tool } from './tool.ts';

/** Arguments as the tool wants them, or a sentence that the model can act on. */
export type ParsedArguments = { ok: true; value: unknown } | { ok: false; sentence: string };

/**
 * Rule 2: strict JSON, an object, and the tool's schema; nothing is repaired. Two habits of servers are undone, because
 * neither can change what is meant: an empty text for "no arguments" and an object encoded twice. `null` for
 * an argument means that it is absent.
 */
export function parseArguments(tool: Tool, raw: string): ParsedArguments {
  const decoded = decodeArguments(raw);
  if (!decoded.ok) return decoded;
  const present = Object.fromEntries(Object.entries(decoded.value).filter(([, value]) => value !== null));
  const checked = z.safeParse(tool.parameters, present);
  if (checked.success) return { ok: true, value: checked.data };
  const issues = checked.error.issues
    .slice(0, 5)
    .map((issue) => describeIssue(issue, present))
    .join('; ');
  return { ok: false, sentence: `The arguments of ${tool.name} do not fit: ${issues}.` };
}

/** The first half: JSON that is one object, whatever the tool. What else was written the normaliser shows the model. */
export function decodeArguments(raw: string): { ok: true; value: object } | { ok: false; sentence: string } {
  let value: unknown;
  try {
    value = raw.trim() === '' ? {} : JSON.parse(raw);
    if (typeof value === 'string') value = JSON.parse(value);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, sentence: `The arguments are not valid JSON (${reason}).` };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ok: true, value };
  return { ok: false, sentence: 'The arguments must be one JSON object.' };
}

function describeIssue(issue: z.core.$ZodIssue, args: Record<string, unknown>): string {
  const where = issue.path.length === 0 ? 'the object' : `\`${issue.path.join('.')}\``;
  if (issue.code === 'invalid_type') {
    const missing = issue.path.length === 1 && args[String(issue.path[0])] === undefined;
    return missing ? `${where} is required (${issue.expected})` : `${where} must be ${issue.expected}`;
  }
  const unit = issue.code === 'too_small' || issue.code === 'too_big' ? unitOf(issue.origin) : '';
  if (issue.code === 'too_small') return `${where} must be at least ${issue.minimum}${unit}`;
  if (issue.code === 'too_big') return `${where} must be at most ${issue.maximum}${unit}`;
  return `${where}: ${issue.message}`;
}

/** What the bound counts. */
function unitOf(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' entries long' : '';
}
