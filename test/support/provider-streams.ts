import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../fixtures/provider-streams');

/** A streamed reply that somebody else recorded from a real provider, and what that provider plainly meant by it. */
export interface Recording {
  file: string;
  model: string | null;
  source: { repository: string; path: string; commit?: string };
  meant: {
    text: string;
    reasoning: string;
    calls: { name: string; arguments: string }[];
    /** As sent; null when none was. */
    finish: string | null;
    usage: { prompt: number; completion: number; total: number } | null;
    /** The message of an error that ended the stream. */
    error?: string;
  };
}

/** Their origin is in the README beside them. */
export function readRecordings(): Recording[] {
  return JSON.parse(readFileSync(join(folder, 'recordings.json'), 'utf8')) as Recording[];
}

export function bodyOf({ file }: Recording): string {
  return readFileSync(join(folder, file), 'utf8');
}
