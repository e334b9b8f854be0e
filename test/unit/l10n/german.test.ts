import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

type Texts = Record<string, string | { message: string }>;

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string): Texts => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const plain = (entry: Texts[string] | undefined) => (typeof entry === 'object' ? entry.message : (entry ?? ''));

/** What a translation must hold as often as the text: placeholders, icons, code, targets of links, and whether more is asked for. */
const kept = /\{\d+\}|\$\([\w~-]+\)|`[^`]*`|\]\([^)]*\)|@svc|svc\.[\w.]*\w|\/v1|…$/g;
const keptIn = (text: string) => [...(text.match(kept) ?? [])].sort();

const pairs = {
  'l10n/bundle.l10n.json': 'l10n/bundle.l10n.de.json',
  'package.nls.json': 'package.nls.de.json',
};

for (const [english, german] of Object.entries(pairs)) {
  describe(`the German texts of ${english}`, () => {
    const texts = read(english);
    const translated = read(german);

    it('ux 1.10: translate every text, and none that is gone', () => {
      const missing = Object.keys(texts).filter((key) => !Object.hasOwn(translated, key));
      const unused = Object.keys(translated).filter((key) => !Object.hasOwn(texts, key));
      assert.deepEqual(
        { missing: missing.map((key) => `${key} → ${plain(texts[key])}`), unused },
        { missing: [], unused: [] },
        `${german}: translate what is missing, and remove what is unused`,
      );
    });

    it('ux 1.10: keep placeholders, icons, code, and links', () => {
      const wrong = Object.keys(texts).filter((key) => {
        const text = plain(translated[key]);
        return text !== '' && keptIn(text).join('\0') !== keptIn(plain(texts[key])).join('\0');
      });
      assert.deepEqual(
        wrong.map((key) => `${plain(texts[key])} → ${plain(translated[key])}`),
        [],
      );
    });

    it('ux 1.10: leave no sentence in English, and none empty', () => {
      // A word of both languages, a name, or a format.
      const alike = Object.keys(texts).filter((key) => plain(translated[key]) === plain(texts[key]));
      const english = alike.filter((key) =>
        /\b(?:the|of|and|is|this|your|to|for|with|not|was)\b/i.test(plain(texts[key])),
      );
      assert.deepEqual(english, []);
      const empty = Object.keys(translated).filter((key) => plain(translated[key]).trim() === '');
      assert.deepEqual(empty, []);
    });
  });
}
