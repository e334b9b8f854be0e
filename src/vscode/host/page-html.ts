import { pagePolicy } from './page-policy.ts';

export interface PageParts {
  language: string;
  title: string;
  /** Lets its own scripts and inline styles pass the page's policy. */
  nonce: string;
  /** Where its files come from, as a policy names it. */
  own: string;
  /** Addresses of its style and of its script. */
  style: string;
  script: string;
  /** HTML that stands there until the script draws. */
  early?: string | undefined;
  /** By the English text; none in English. */
  translations?: Record<string, string> | undefined;
}

/** A page of ours, which may load what `pagePolicy` says. */
export function pageHtml({ language, title, nonce, own, style, script, early, translations }: PageParts): string {
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${pagePolicy(own, nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
</head>
<body>
${early ?? ''}
<div id="root"></div>
${translations ? translationsBlock(translations) : ''}<script nonce="${nonce}" data-style="${style}" data-script="${script}">${loadFiles}</script>
</body>
</html>`;
}

/**
 * VS Code shows a page and gives it the focus once it has loaded, so style and script are asked for only then: what the page
 * has by itself can be typed into meanwhile. Both come at once; the script runs when the style is there, or cannot be had.
 */
const loadFiles = `{
const { nonce, dataset: { style, script } } = document.currentScript;
const add = (name, properties) => document.head.appendChild(Object.assign(document.createElement(name), { nonce }, properties));
const run = () => add('script', { src: script });
addEventListener('load', () => {
  add('link', { rel: 'preload', as: 'script', href: script });
  add('link', { rel: 'stylesheet', href: style, onload: run, onerror: run });
}, { once: true });
}`;

/** A block of data, which no policy runs; `<` is escaped so that no text can end it. */
function translationsBlock(translations: Record<string, string>): string {
  const contents = JSON.stringify(translations).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="translations">${contents}</script>\n`;
}
