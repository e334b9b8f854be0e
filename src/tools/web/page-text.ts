import { setImmediate as nextTurn } from 'node:timers/promises';
import { streamHtmlToMarkdown } from '@mdream/js/core';
import { filterPlugin } from '@mdream/js/plugins';

const leftOut =
  'nav footer svg img picture video audio canvas iframe object button select option textarea dialog template';

const pieceLength = 32 * 1024;

/**
 * Converts a page to Markdown, with its links resolved against `base`. The time grows linearly with the length,
 * whatever the page contains, and the event loop is yielded. Rejects with the signal's reason.
 */
export async function htmlToText(html: string, base: string, signal: AbortSignal): Promise<string> {
  return convert(html, base, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    if (!(error instanceof TypeError)) throw error;
    // The converter fails at a row that stands in no table; without tables their text is left.
    return convert(html.replace(tableTags, '$1div'), base, signal);
  });
}

const tableTags = /(<\/?)(?:table|thead|tbody|tfoot|tr|td|th)\b/gi;

async function convert(html: string, base: string, signal: AbortSignal): Promise<string> {
  let at = 0;
  const pieces = new ReadableStream<string>(
    {
      async pull(controller) {
        await nextTurn();
        signal.throwIfAborted();
        if (at >= html.length) return controller.close();
        controller.enqueue(html.slice(at, at + pieceLength));
        at += pieceLength;
      },
    },
    { highWaterMark: 0 },
  );
  const texts: string[] = [];
  const options = { origin: base, plugins: [filterPlugin({ exclude: leftOut.split(' ') })] };
  for await (const text of streamHtmlToMarkdown(pieces, options)) texts.push(text);
  return texts.join('');
}
