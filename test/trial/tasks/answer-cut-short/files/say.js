import { words } from './words.js';

export const say = (number) => words[number] ?? String(number);
