import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const source = join(import.meta.dirname, '../../../src');

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(join(source, name), 'utf8') }));

describe('links that would run commands', () => {
  it('X19 work in no text that is shown: nothing of ours is trusted', () => {
    assert.ok(files.length > 100);
    for (const { name, text } of files) {
      assert.doesNotMatch(text, /\.isTrusted\s*=[^=]|isTrusted:\s*(?:true|\{)|supportHtml:\s*true/, name);
    }
  });

  it('X19 a link that would run a command works in no panel', () => {
    const panels = files.filter(({ text }) => /enableScripts:\s*true/.test(text));
    assert.ok(panels.length >= 2);
    for (const { name, text } of panels) {
      const [scripts, off] = [/enableScripts:\s*true/g, /enableCommandUris:\s*false/g].map(
        (one) => text.match(one)?.length,
      );
      assert.equal(off, scripts, name);
    }
    for (const { name, text } of files) assert.doesNotMatch(text, /enableCommandUris:(?!\s*false)/, name);
  });
});
