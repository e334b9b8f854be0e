import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import type { ChatEvent } from '../../src/shared/events.ts';
import { earlyTextBox } from '../../src/shared/panel/early-text-box.ts';
import type { HostMessage, PanelMessage } from '../../src/shared/panel/protocol.ts';
import type { SpendHostMessage } from '../../src/shared/panel/spend-report.ts';
import { pageHtml } from '../../src/vscode/host/page-html.ts';
import { pseudoBundle } from '../l10n/pseudo.ts';
import { openBrowser, type TestBrowser } from '../vscode/browser.ts';
import { fonts, type ThemeName, themes } from './themes.ts';

/** The panel in a page of its own, with a host that the test plays. */
export interface PanelPage {
  page: Page;
  log: Locator;
  input: Locator;
  /** Delivers messages of the host, one after the other, and waits for the frame that draws them. */
  send(...messages: (HostMessage | SpendHostMessage)[]): Promise<void>;
  events(...events: ChatEvent[]): Promise<void>;
  /** What the panel posted, without the messages that only report focus, drafts and the page or ask for colours and names. */
  posted(): Promise<PanelMessage[]>;
  /** Unfolds the line for the steps of the last answer. */
  showSteps(): Promise<void>;
  allPosted(): Promise<PanelMessage[]>;
  forgetPosted(): Promise<void>;
  /** Changes the theme of the page as it is, the way VS Code does it. */
  changeTheme(theming: Theming): Promise<void>;
  /** Addresses that were asked for, other than the panel's own three files. */
  foreignRequests(): string[];
  /** Errors of scripts and of the content security policy. */
  problems(): string[];
  close(): Promise<void>;
}

export interface Theming {
  theme: ThemeName;
  forcedColors?: 'active';
}

export interface PanelOptions extends Partial<Theming> {
  /** Which of our pages; the chat unless given. */
  piece?: 'chat' | 'spend' | undefined;
  width?: number;
  height?: number;
  /** Added to the body's classes, e.g. `vscode-using-screen-reader`. */
  bodyClass?: string;
  /** 4 is the zoom of 400 %: a quarter of the width and height in CSS pixels. */
  zoom?: number;
  fakeClock?: boolean;
  /** A page that no other panel was in: what is measured in it owes nothing to what ran before. */
  fresh?: boolean;
  /** Every text of ours in the pseudo-locale. */
  pseudo?: boolean;
  /** Every text of ours in this translation. */
  language?: 'de';
}

/** A page that one panel after the other is loaded into: a new page is a new process, and costs five times as much. */
interface Place {
  page: Page;
  foreign: string[];
  problems: string[];
}

interface Shared {
  browser: TestBrowser;
  /** Those whose panel was closed. */
  idle: Place[];
  server: Server;
  address: string;
}

const root = path.resolve(import.meta.dirname, '../..');
const nonce = 'panel-test';
let shared: Promise<Shared> | undefined;
let opened = 0;

/** Call once after the last test. */
export async function closeShared(): Promise<void> {
  const parts = await shared;
  shared = undefined;
  await parts?.browser.close();
  parts?.server.close();
}

export async function openPanel(options: PanelOptions = {}): Promise<PanelPage> {
  shared ??= start();
  const { browser, address, idle } = await shared;
  const { theme = 'dark', width = 380, height = 720, zoom = 1, fakeClock = false, fresh = fakeClock } = options;
  const place =
    (fresh ? undefined : idle.pop()) ?? (await newPlace(fakeClock ? await apart(browser) : browser.context, address));
  const { page, foreign, problems } = place;
  await page.setViewportSize({ width: Math.round(width / zoom), height: Math.round(height / zoom) });
  await page.emulateMedia({ forcedColors: options.forcedColors ?? null });
  if (fakeClock) await page.clock.install();
  // What the panel before this one still did is not of this one.
  page.once('framenavigated', () => {
    foreign.length = 0;
    problems.length = 0;
  });
  opened += 1;
  await page.goto(
    `${address}/?nth=${opened}&piece=${options.piece ?? 'chat'}&theme=${theme}&class=${encodeURIComponent(options.bodyClass ?? '')}${options.pseudo ? '&texts=pseudo' : ''}${options.language ? `&texts=${options.language}` : ''}`,
  );
  await page.evaluate(() => (globalThis as unknown as FakeHost).ready);
  return panelPage(place, async () => {
    if (fakeClock) return page.context().close();
    if (fresh) return page.close();
    // Out of the window, so that the next panel begins with nothing hovered.
    await page.mouse.move(-1, -1);
    idle.push(place);
  });
}

/** A clock is that of all pages of a context, also of those that come later. */
async function apart({ context }: TestBrowser): Promise<BrowserContext> {
  const own = await context.browser()?.newContext();
  if (own === undefined) throw new Error('the profile of this browser is kept: no other can be had');
  own.setDefaultTimeout(180_000);
  return own;
}

async function newPlace(context: BrowserContext, address: string): Promise<Place> {
  const page = await context.newPage();
  const foreign: string[] = [];
  const problems: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(address)) foreign.push(request.url());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.addInitScript(playHost);
  return { page, foreign, problems };
}

function panelPage({ page, foreign, problems }: Place, close: () => Promise<void>): PanelPage {
  const send = (...messages: (HostMessage | SpendHostMessage)[]) => page.evaluate(deliver, messages);
  const allPosted = () => page.evaluate(() => (globalThis as unknown as FakeHost).posted);
  return {
    page,
    log: page.getByRole('log', { name: 'Conversation' }),
    input: page.getByRole('textbox', { name: 'Message' }),
    send,
    events: (...events) => send({ type: 'events', events }),
    posted: async () => {
      const all = await allPosted();
      const told = all.filter(
        ({ type }) => !['focusChanged', 'draftChanged', 'pageChanged', 'colorCode', 'findNames'].includes(type),
      );
      // What the composer holds afterwards is in the tests of the draft.
      return told.map((message) => {
        const { rest: _, ...shown } = message as PanelMessage & { rest?: unknown };
        return shown as PanelMessage;
      });
    },
    showSteps: () => page.locator('.quiet-line > summary').last().click(),
    allPosted,
    forgetPosted: () =>
      page.evaluate(() => {
        (globalThis as unknown as FakeHost).posted = [];
      }),
    changeTheme: async ({ theme, forcedColors = null }) => {
      await page.emulateMedia({ forcedColors });
      await page.evaluate(recolor, { from: themeClasses, to: themes[theme].bodyClass, href: themeAddress(theme) });
    },
    foreignRequests: () => foreign,
    problems: () => problems,
    close,
  };
}

interface FakeHost {
  posted: PanelMessage[];
  /** The script of the page hears what is sent. */
  ready: Promise<void>;
  acquireVsCodeApi(): unknown;
}

/** Runs in the page before any script of it. */
function playHost(): void {
  const host = globalThis as unknown as FakeHost;
  host.posted = [];
  // What a panel kept is there when it is loaded again, and gone for the next one in the page.
  if (sessionStorage.getItem('kept by') !== location.search) sessionStorage.clear();
  sessionStorage.setItem('kept by', location.search);
  const { promise, resolve } = Promise.withResolvers<void>();
  host.ready = promise;
  host.acquireVsCodeApi = () => ({
    postMessage: (message: PanelMessage) => {
      host.posted.push(structuredClone(message));
      if (message.type === 'ready') resolve();
    },
    getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') as unknown,
    setState: (state: unknown) => sessionStorage.setItem('state', JSON.stringify(state)),
  });
}

/** Runs in the page. */
async function deliver(messages: (HostMessage | SpendHostMessage)[]): Promise<void> {
  for (const data of messages) window.dispatchEvent(new MessageEvent('message', { data }));
  for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
}

/** Runs in the page. */
async function recolor({ from, to, href }: { from: string[]; to: string; href: string }): Promise<void> {
  document.body.classList.remove(...from);
  document.body.classList.add(...to.split(' '));
  const link = document.querySelector<HTMLLinkElement>('link[href^="/theme.css"]');
  if (link && link.getAttribute('href') !== href) {
    await new Promise((resolve) => {
      link.onload = resolve;
      link.href = href;
    });
  }
  await new Promise((resolve) => requestAnimationFrame(resolve));
}

async function start(): Promise<Shared> {
  const [files, browser] = await Promise.all([buildPanel(), openBrowser()]);
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const file = files.get(url.pathname);
    // A page is loaded hundreds of times, and nothing it loads changes.
    response.setHeader('Cache-Control', 'max-age=3600');
    if (url.pathname === '/') {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(shell(url.searchParams, `http://${request.headers.host}`));
    } else if (file) {
      response.setHeader('Content-Type', url.pathname.endsWith('.css') ? 'text/css' : 'text/javascript');
      response.end(file);
    } else if (url.pathname === '/theme.css') {
      response.setHeader('Content-Type', 'text/css');
      response.end(themeCss((url.searchParams.get('name') ?? 'dark') as ThemeName));
    } else response.writeHead(url.pathname === '/favicon.ico' ? 204 : 404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { browser, idle: [], server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** The same settings as the product's own build of the panel. */
async function buildPanel(): Promise<Map<string, Uint8Array>> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { chat: 'media/chat/main.tsx', spend: 'media/spend/main.tsx' },
    bundle: true,
    minify: true,
    platform: 'browser',
    target: 'chrome138',
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    outdir: 'dist/media',
    write: false,
  });
  return new Map(outputFiles.map((file) => [`/${path.basename(file.path)}`, file.contents]));
}

/** What the host writes, with VS Code's own additions: body class and variables. */
function shell(query: URLSearchParams, own: string): string {
  const theme = (query.get('theme') ?? 'dark') as ThemeName;
  const piece = query.get('piece') === 'spend' ? 'spend' : 'chat';
  const bodyClass = [themes[theme].bodyClass, query.get('class')].filter(Boolean).join(' ');
  const html = pageHtml({
    language: 'en',
    title: piece,
    nonce,
    own,
    style: `/${piece}.css`,
    script: `/${piece}.js`,
    early: piece === 'chat' ? earlyTextBox({ label: 'Message', placeholder: 'Ask about your code', nonce }) : undefined,
    translations: translations(query.get('texts')),
  });
  return html
    .replace('</head>', `<link rel="stylesheet" href="${themeAddress(theme)}"></head>`)
    .replace('<body>', `<body class="${bodyClass}">`);
}

function translations(language: string | null): Record<string, string> | undefined {
  if (language === null) return undefined;
  if (language === 'pseudo') return pseudoBundle();
  return JSON.parse(readFileSync(path.resolve(import.meta.dirname, `../../l10n/bundle.l10n.${language}.json`), 'utf8'));
}

const themeClasses = Object.values(themes).flatMap(({ bodyClass }) => bodyClass.split(' '));

function themeAddress(name: ThemeName): string {
  return `/theme.css?name=${name}`;
}

function themeCss(name: ThemeName): string {
  const variables = Object.entries({ ...fonts, ...themes[name].variables });
  const lines = variables.map(([variable, value]) => `${variable}: ${value};`).join('\n');
  return `:root { ${lines} }\nhtml { background: var(--vscode-sideBar-background); color-scheme: ${name.includes('light') ? 'light' : 'dark'}; }`;
}
