import type { Block, Case } from './case.ts';
import { type Intent, resultOf } from './intent.ts';

/** One line of a block as the model writes it: it may get it differently wrong on the two sides. */
export interface Written {
  role: 'same' | 'old' | 'new';
  search: string;
  replace: string;
  /** Index in the file; that of the line before which it comes for a new one. */
  at: number;
}

/** A case in the making: damages change what is written, or what the file holds, never what is meant. */
export interface Draft {
  intent: Intent;
  parts: Written[][];
  /** Both sides end in a line end, or neither does. */
  endsInNewline: boolean;
  /** Of each whole block, after its lines were joined. */
  blockSteps: ((block: Block) => Block)[];
  /** Of the file before and after alike. */
  fileStep: (text: string) => string;
}

export function createDraft(intent: Intent, endsInNewline: boolean): Draft {
  const parts = intent.parts.map(({ start, pieces }) => {
    let next = start;
    return pieces.map(({ role, text }) => {
      const written = { role, search: text, replace: text, at: next };
      if (role !== 'new') next++;
      return written;
    });
  });
  const lines = [...intent.lines];
  return { intent: { ...intent, lines }, parts, endsInNewline, blockSteps: [], fileStep: (text) => text };
}

/** Undefined when the damages cancelled out what was to be changed. */
export function finish(kind: string, { intent, parts, endsInNewline, blockSteps, fileStep }: Draft): Case | undefined {
  const end = endsInNewline ? '\n' : '';
  const side = (lines: string[]) => (lines.length === 0 ? '' : `${lines.join('\n')}${end}`);
  const blocks = parts.map((part) => {
    const search = side(part.filter(({ role }) => role !== 'new').map((line) => line.search));
    const replace = side(part.filter(({ role }) => role !== 'old').map((line) => line.replace));
    return blockSteps.reduce((block, step) => step(block), { search, replace });
  });
  const text = fileStep(intent.lines.join('\n'));
  const expected = fileStep(resultOf(intent).join('\n'));
  const isEdit = text !== expected && blocks.every(({ search, replace }) => search !== replace);
  return isEdit ? { kind, source: intent.source, text, blocks, expected } : undefined;
}

/** Changes what is written of every line on both sides. */
export function rewrite(draft: Draft, change: (line: string) => string): void {
  for (const line of draft.parts.flat()) {
    line.search = change(line.search);
    line.replace = change(line.replace);
  }
}

/** All that the model wrote, line by line. */
export function writtenLines(draft: Draft): string[] {
  return draft.parts
    .flat()
    .flatMap(({ role, search, replace }) =>
      role === 'old' ? [search] : role === 'new' ? [replace] : [search, replace],
    );
}

/** Lines that stay as they are, or go without any coming instead: of others nobody could say how they are to be spelt. */
export function unmixed(draft: Draft): Written[] {
  return draft.parts.flatMap((part) => {
    const hasNew = part.some(({ role }) => role === 'new');
    return part.filter(({ role }) => role === 'same' || (role === 'old' && !hasNew));
  });
}

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

export function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** Changes what is meant: the file's own lines, those to come, and what the model copies of both. */
export function changeText(draft: Draft, change: (line: string, role: Written['role']) => string): void {
  const { intent } = draft;
  const shown = new Map(
    draft.parts
      .flat()
      .map(({ at, role }) => [at, role] as const)
      .filter(([, role]) => role !== 'new'),
  );
  const lines = intent.lines.map((line, at) => {
    const role = shown.get(at);
    return role === undefined ? line : change(line, role);
  });
  const parts = intent.parts.map((part) => ({
    ...part,
    pieces: part.pieces.map(({ role, text }) => ({ role, text: change(text, role) })),
  }));
  draft.intent = { ...intent, lines, parts };
  for (const line of draft.parts.flat()) {
    line.search = change(line.search, line.role);
    line.replace = change(line.replace, line.role);
  }
}
