import path from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import type { TestBrowser } from '../../vscode/browser.ts';
import { installPeers, peersFolder } from '../bundle.ts';

export const peerNames = ['streamdown', '@incremark', 'react-markdown'] as const;
export type PeerName = (typeof peerNames)[number];

const bundles = new Map<PeerName, Promise<string>>();

/** A page that draws the answer with another library, once a frame, and keeps the end in view. */
export async function openPeer(browser: TestBrowser, name: PeerName): Promise<Page> {
  let bundle = bundles.get(name);
  if (!bundle) {
    bundle = bundlePeer(name);
    bundles.set(name, bundle);
  }
  const script = await bundle;
  const page = await browser.newPage();
  await page.setViewportSize({ width: 380, height: 720 });
  await page.setContent(
    '<!DOCTYPE html><style>body { font: 13px sans-serif; height: 100vh; margin: 0; overflow: auto } pre { overflow: auto }</style><div id="root"></div>',
  );
  await page.addScriptTag({ content: script });
  return page;
}

async function bundlePeer(name: PeerName): Promise<string> {
  await installPeers();
  const { outputFiles } = await build({
    stdin: { contents: pageOf(name), resolveDir: peersFolder, loader: 'jsx' },
    absWorkingDir: path.resolve(peersFolder),
    bundle: true,
    minify: true,
    platform: 'browser',
    target: 'chrome138',
    format: 'iife',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.css': 'empty', '.woff': 'empty', '.woff2': 'empty', '.ttf': 'empty' },
    logLevel: 'error',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

const views: Record<PeerName, { imports: string; draw: string }> = {
  streamdown: {
    imports: `import { Streamdown } from 'streamdown';`,
    draw: 'root.render(<Streamdown isAnimating={!ended}>{text}</Streamdown>);',
  },
  'react-markdown': {
    imports: `import Markdown from 'react-markdown'; import gfm from 'remark-gfm'; const plugins = [gfm];`,
    draw: 'root.render(<Markdown remarkPlugins={plugins}>{text}</Markdown>);',
  },
  '@incremark': {
    imports: `import { IncremarkContent } from '@incremark/react'; const options = { gfm: true };`,
    draw: 'root.render(<IncremarkContent content={text} isFinished={ended} incremarkOptions={options} />);',
  },
};

function pageOf(name: PeerName): string {
  return `
    import { createRoot } from 'react-dom/client';
    ${views[name].imports}
    const root = createRoot(document.getElementById('root'));
    let text = '', ended = false, waiting = false;
    const draw = () => {
      waiting = false;
      ${views[name].draw}
      document.body.scrollTop = document.body.scrollHeight;
    };
    const change = () => {
      if (!waiting) requestAnimationFrame(draw);
      waiting = true;
    };
    globalThis.drawing = {
      push(piece) { text += piece; change(); },
      done() { ended = true; change(); },
    };`;
}
