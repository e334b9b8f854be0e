import assert from 'node:assert/strict';
import { linkTarget, misleadingHost } from '../../../../media/chat/markdown/links.ts';

const dead = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file://host/share/a.ts',
  'file:////host/share/a.ts',
  'file:///w/%2e%2e/%2e%2e/etc/passwd',
  'command:workbench.action.terminal.new',
  'vscode:extension/evil.evil',
  'vscode-insiders://x',
  'vscode-webview-resource://x/y',
  'vscode-resource:/etc/passwd',
  'blob:https://example.com/1',
  'ftp://example.com/',
  'mailto:a@example.com?body=secret',
  'ws://example.com',
  'about:blank',
  '//example.com/path',
  '\\\\example.com\\share',
  '../../etc/passwd',
  'src/../../x',
  'src/%2e%2e/%2e%2e/x',
  'c:/windows/system32',
  'https://user:password@example.com/',
  'https://user@example.com/',
  'https://:password@example.com/',
  'https://example.com\\@evil.com',
  'https://',
  'http://[::1',
  'https:example.com',
  '?query=only',
  '#fragment',
  '',
  `https://example.com/${'a'.repeat(5000)}`,
];

describe('where a link may lead', () => {
  for (const href of dead) {
    it(`X18 leads nowhere from ${JSON.stringify(href.slice(0, 60))}`, () => {
      assert.equal(linkTarget(href).kind, 'none');
    });
  }

  it('X18 opens web pages and shows the whole decoded target', () => {
    assert.deepEqual(linkTarget('https://example.com/a%20b?c=1'), {
      kind: 'web',
      href: 'https://example.com/a%20b?c=1',
      shown: 'https://example.com/a b?c=1',
    });
  });

  it('X18 shows a host of look-alike letters as the network sees it', () => {
    assert.match(linkTarget('https://gіthub.com/').shown, /^https:\/\/xn--/);
  });

  it('opens files of the workspace at a line', () => {
    assert.deepEqual(linkTarget('src/a.ts#L12-L20'), {
      kind: 'file',
      path: 'src/a.ts',
      line: 12,
      shown: 'src/a.ts:12',
    });
    assert.deepEqual(linkTarget('src/a%20b.ts:7'), {
      kind: 'file',
      path: 'src/a b.ts',
      line: 7,
      shown: 'src/a b.ts:7',
    });
    assert.deepEqual(linkTarget('README.md'), { kind: 'file', path: 'README.md', shown: 'README.md' });
  });

  it('F1 leads to files whatever their address looks like (omnigent-ai/omnigent#4644)', () => {
    for (const [href, path, line] of [
      ['docs/my notes.md', 'docs/my notes.md'],
      ['docs/c%23/a.md', 'docs/c#/a.md'],
      ['src/a.ts#L10C5', 'src/a.ts', 10],
      ['src/a.ts#L10C5-L12C1', 'src/a.ts', 10],
      ['README.md#install', 'README.md'],
      ['img/logo.png?raw=true', 'img/logo.png'],
      ['file:///w/src/a.ts#L3', '/w/src/a.ts', 3],
      ['vscode-remote://ssh-remote%2Bhost/w/a.ts', '/w/a.ts'],
      ['/w/src/a.ts:7', '/w/src/a.ts', 7],
    ] as const) {
      const target = linkTarget(href);
      assert.deepEqual(target.kind === 'file' && [target.path, target.line], [path, line], href);
    }
  });

  it('X18 names the real host when the text pretends another', () => {
    const target = linkTarget('https://evil.example/login');
    assert.equal(misleadingHost('https://github.com/login', target), 'evil.example');
    assert.equal(misleadingHost('github.com', target), 'evil.example');
    assert.equal(misleadingHost('the docs', target), undefined);
    assert.equal(misleadingHost('https://evil.example/login', target), undefined);
  });
});
