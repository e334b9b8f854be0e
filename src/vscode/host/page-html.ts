import { pagePolicy } from './page-policy.ts';

export interface PageParts {
  language: string;
  title: string;
  nonce: string;
  own: string;
  style: string;
  script: string;
  early?: string | undefined;
  translations?: Record<string, string> | undefined;
}

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
 * VS Code shows and focuses a page once it has loaded, so style and script are requested only then, and the early
 * HTML can be typed into meanwhile. The script runs when the style is there or has failed.
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

/** No policy runs a data block; `<` is escaped so that no text can close it. */
function translationsBlock(translations: Record<string, string>): string {
  const contents = JSON.stringify(translations).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="translations">${contents}</script>\n`;
}
