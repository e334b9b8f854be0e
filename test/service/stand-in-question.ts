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

const fence = /(`{3,}|~{3,})([^\n]*)\n([\s\S]*?)\n?\1/g;
const tagBlock = /<([a-z][\w-]*)(?:\s[^>]*)?>([\s\S]*?)<\/\1>/gi;
const fileName = /(?:[\w@.-]+\/)*[\w@-][\w@.-]*\.[A-Za-z][A-Za-z0-9]{0,7}\b/g;

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
  const attachments: Attachment[] = [];
  const withoutFences = whole.replace(fence, (_match, _marks, label: string, code: string) => {
    attachments.push({ label: label.trim(), code });
    return ' ';
  });
  const text = withoutFences.replace(tagBlock, (_match, label: string, code: string) => {
    if (code.trim() !== '') attachments.push({ label, code });
    return ' ';
  });
  const question = text.trim();
  return { text: question, attachments, files: findFiles(question), words: findWords(question) };
}

function findFiles(text: string): string[] {
  const names = [...new Set(text.match(fileName) ?? [])].filter((name) => !/^(e\.g|i\.e|etc)$/i.test(name));
  return names.sort((a, b) => depth(b) - depth(a));
}

function depth(name: string): number {
  return name.split('/').length;
}

function findWords(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`\n]+)`|"([^"\n]+)"/g)].map((match) => match[1] ?? match[2] ?? '');
  const plain = text.match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu) ?? [];
  const words = [...new Set([...quoted.filter((word) => word.trim() !== ''), ...plain])];
  const useful = words.filter((word) => !commonWords.has(word.toLowerCase()));
  return useful
    .map((word, index) => ({ word, score: specificity(word) + (quoted.includes(word) ? 100 : 0), index }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .map(({ word }) => word);
}

/** Identifiers before plain words, long before short. */
function specificity(word: string): number {
  const isIdentifier = /[a-z][A-Z]|_|\d|^[A-Z0-9_]{3,}$/.test(word);
  return (isIdentifier ? 50 : 0) + Math.min(word.length, 20);
}
