import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** What a window was about to keep (`begun`) and what it was told is kept (`done`), for whoever looks after its death. */
export interface Note {
  what: 'event' | 'attempt' | 'value' | 'checkpoint' | 'worktree' | 'review';
  state: 'begun' | 'done';
  of: string;
  text: string;
}

export interface Notes {
  begun: string[];
  done: string[];
}

/** Names a value; large ones by their hash. */
export function textOf(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length < 5000 ? json : createHash('sha256').update(json).digest('hex');
}

export function readNotes(dir: string): readonly Note[] {
  const lines = readFileSync(path.join(dir, 'notes.jsonl'), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Note);
}

/** In the order in which they were written. */
export function select(notes: readonly Note[], what: Note['what'], of?: string): Notes {
  const ours = notes.filter((note) => note.what === what && (of === undefined || note.of === of));
  const textsOf = (state: Note['state']) => ours.filter((note) => note.state === state).map(({ text }) => text);
  return { begun: textsOf('begun'), done: textsOf('done') };
}
