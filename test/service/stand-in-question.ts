// What the stand-in makes of the last user message: the question, what is attached to it, and what to look for.
import type { ChatRequest } from './chat-request.ts';
import { messageText } from './chat-request.ts';

export interface Attachment {
  /** Fence language or tag name; may be empty. */
  label: string;
  code: string;
}

export interface Question {
  /** The message without attached blocks. */
  text: string;
  attachments: Attachment[];
  /** Names with an extension, as the user wrote them, most specific first. */
  files: string[];
  /** Words worth searching for, most specific first. */
  words: string[];
}

export interface PlannedCall {
  name: string;
  arguments: string;
}

/** A call made since the last user message, with what it returned. */
export interface FinishedStep {
  name: string;
  arguments: string;
  result: string;
}

const fileName = /(?:[\w@.-]+\/)*[\w@-][\w@.-]*\.[A-Za-z][A-Za-z0-9]{0,7}\b/g;
/** Whatever could hold the name of a file; a longer run of letters is none. */
const pathLike = /[\w@./-]+/g;
const longestPath = 256;
/** The user's message is as long as the user likes; what is asked stands at its beginning. */
const longestQuestion = 4000;
const mostWords = 50;
const maxFiles = 20;

const commonWords = new Set(
  `a about above after again all also an and any are as at be because been but by can change code could defined define do does
  each explain file files find folder for from function get give go has have help here how i if in into is it its just know let like
  line lines list look made make many me more much my name need no not of on one or our out over please project read repo
  repository search see should show so some summarise summarize summary tell than that the their them then there these they this
  those to under up use used uses using want was we were what when where which who why will with work workspace would you your`.split(
    /\s+/,
  ),
);

export function readQuestion(request: ChatRequest): Question {
  const message = request.messages.findLast(({ role }) => role === 'user');
  const whole = message ? messageText(message) : '';
  const fences = takeFences(whole);
  const tags = takeTags(fences.rest);
  const text = tags.rest.trim();
  return {
    text: text.slice(0, longestQuestion),
    attachments: [...fences.taken, ...tags.taken],
    files: findFiles(text),
    words: findWords(text),
  };
}

interface Taken {
  taken: Attachment[];
  rest: string;
}

/** Fenced blocks, line by line: expressions for them take a time that grows with the square of a text that never closes one. */
function takeFences(whole: string): Taken {
  const taken: Attachment[] = [];
  const rest: string[] = [];
  let open: { marks: string; label: string; lines: string[] } | undefined;
  for (const line of whole.split('\n')) {
    const at = line.search(/```|~~~/);
    if (open !== undefined && line.trimStart().startsWith(open.marks)) {
      taken.push({ label: open.label, code: open.lines.join('\n') });
      rest.push(' ');
      open = undefined;
    } else if (open !== undefined) open.lines.push(line);
    else if (at < 0) rest.push(line);
    else {
      const marks = line.slice(at).match(/^(?:`+|~+)/)?.[0] ?? '';
      rest.push(line.slice(0, at));
      open = { marks, label: line.slice(at + marks.length).trim(), lines: [] };
    }
  }
  if (open !== undefined) rest.push(`${open.marks}${open.label}`, ...open.lines);
  return { taken, rest: rest.join('\n') };
}

/** Blocks between a tag and its end, each end looked up instead of searched for. */
function takeTags(whole: string): Taken {
  const ends = new Map<string, number[]>();
  for (const { 1: name = '', index } of whole.matchAll(/<\/([a-z][\w-]{0,60})>/gi)) {
    const known = ends.get(name.toLowerCase());
    if (known === undefined) ends.set(name.toLowerCase(), [index]);
    else known.push(index);
  }
  const taken: Attachment[] = [];
  const rest: string[] = [];
  let from = 0;
  for (const { 0: tag, 1: label = '', index } of whole.matchAll(/<([a-z][\w-]{0,60})(?:\s[^<>]{0,400})?>/gi)) {
    if (index < from) continue;
    const places = ends.get(label.toLowerCase()) ?? [];
    while ((places[0] ?? index) < index) places.shift();
    const end = places[0];
    if (end === undefined) continue;
    const code = whole.slice(index + tag.length, end);
    if (code.trim() !== '') taken.push({ label, code });
    rest.push(whole.slice(from, index), ' ');
    from = end + label.length + '</>'.length;
  }
  return { taken, rest: rest.join('') + whole.slice(from) };
}

function findFiles(text: string): string[] {
  const tokens = (text.match(pathLike) ?? []).filter((token) => token.length <= longestPath && token.includes('.', 1));
  const names = [...new Set(tokens.flatMap((token) => token.match(fileName) ?? []))];
  const real = names.filter((name) => !/^(e\.g|i\.e|etc)$/i.test(name));
  return real.sort((a, b) => depth(b) - depth(a)).slice(0, maxFiles);
}

function depth(name: string): number {
  return name.split('/').length;
}

function findWords(text: string): string[] {
  const quoted = new Set([...text.matchAll(/`([^`\n]+)`|"([^"\n]+)"/g)].map((match) => match[1] ?? match[2] ?? ''));
  const plain = text.match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu) ?? [];
  const words = [...new Set([...[...quoted].filter((word) => word.trim() !== ''), ...plain])];
  const useful = words.filter((word) => !commonWords.has(word.toLowerCase()));
  return useful
    .map((word, index) => ({ word, score: specificity(word) + (quoted.has(word) ? 100 : 0), index }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, mostWords)
    .map(({ word }) => word);
}

/** Identifiers before plain words, long before short. */
function specificity(word: string): number {
  const isIdentifier = /[a-z][A-Z]|_|\d|^[A-Z0-9_]{3,}$/.test(word);
  return (isIdentifier ? 50 : 0) + Math.min(word.length, 20);
}
