import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { bundlePath, extractBundle, messagesOf } from '../../l10n/extract.ts';

describe('the texts for translators', () => {
  it('ux 1.10: the bundle holds exactly the texts of the code', () => {
    const inCode = extractBundle();
    const inBundle = JSON.parse(readFileSync(bundlePath, 'utf8'));
    const without = (one: object, other: object) => Object.keys(one).filter((key) => !Object.hasOwn(other, key));
    assert.deepEqual(
      { missing: without(inCode, inBundle), unused: without(inBundle, inCode) },
      { missing: [], unused: [] },
      'l10n/bundle.l10n.json is not what the code says: run `npm run l10n` and commit the file',
    );
    assert.deepEqual(inBundle, inCode);
  });

  it('ux 1.10: a text is found with its comment, and one that is not a literal is a fault', () => {
    const source = [
      "l10n.t('One {0}', x);",
      "vscode.l10n.t({ message: 'Two', args: [], comment: ['a ', 'verb'] });",
      'l10n.t(three);',
      "other.t('Four');",
    ].join('\n');
    assert.deepEqual(
      messagesOf('a.ts', source).map(({ message }) => message),
      [
        { key: 'One {0}', entry: 'One {0}' },
        { key: 'Two/a verb', entry: { message: 'Two', comment: ['a ', 'verb'] } },
        undefined,
      ],
    );
  });
});
