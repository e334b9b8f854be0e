import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { pagePolicy } from '../../../src/vscode/host/page-policy.ts';

const own = 'https://own.example';
const rules = new Map(
  pagePolicy(own, 'N')
    .split('; ')
    .map((rule) => {
      const [name = '', ...sources] = rule.split(' ');
      return [name, sources];
    }),
);
/** As the standard says: a kind that is not named falls back to the default. */
const sourcesOf = (kind: string) => rules.get(kind) ?? rules.get('default-src') ?? ['*'];

describe('what a page of ours may load', () => {
  it('X17 pictures are its own files or data, never those of a server', () => {
    assert.deepEqual(sourcesOf('img-src'), [own, 'data:']);
    assert.deepEqual(sourcesOf('media-src'), ["'none'"]);
  });

  it('X20 only the script with the nonce of the page runs, none that stands in markup', () => {
    for (const kind of ['script-src', 'script-src-elem', 'script-src-attr', 'worker-src']) {
      const sources = rules.get(kind) ?? sourcesOf('script-src');
      assert.deepEqual(sources, ["'nonce-N'"], kind);
    }
    assert.doesNotMatch(pagePolicy(own, 'N'), /unsafe|strict-dynamic|wasm/);
  });

  it('X21 nothing is fetched, framed, sent or taken for the base, and styles and fonts are its own', () => {
    for (const kind of ['connect-src', 'frame-src', 'object-src', 'manifest-src', 'default-src']) {
      assert.deepEqual(sourcesOf(kind), ["'none'"], kind);
    }
    // These do not fall back.
    for (const kind of ['form-action', 'base-uri']) assert.deepEqual(rules.get(kind), ["'none'"], kind);
    assert.deepEqual([sourcesOf('style-src'), sourcesOf('font-src')], [[own, "'nonce-N'"], [own]]);
  });
});
