import * as l10n from '@vscode/l10n';
import type { Token, Tokens } from 'marked';
import type { ComponentChildren, VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { Icon } from '../controls/icon.tsx';
import { memo } from '../controls/memo.ts';
import { ScrollBox } from '../controls/scroll-box.tsx';
import { usePanel } from '../panel.ts';
import { CodeBlock } from './code-block.tsx';
import { fileOf } from './code-file.ts';
import { decodeEntities } from './entities.ts';
import { linkTarget, misleadingHost } from './links.ts';
import { type Block, createLiveMarkdown } from './markdown.ts';
import { ownText, textOf } from './plain-text.ts';
import { closed } from './unfinished.ts';
import { visibleText } from './visible-text.ts';

const maxDepth = 24;

/**
 * Renders a model's markdown as text nodes and a fixed set of tags. HTML is shown as text, images are never loaded,
 * and nothing of the text becomes an id, a class, a style or an address that the browser follows.
 */
export const MarkdownView = memo(({ text, live }: { text: string; live: boolean }) => {
  const markdown = useRef(createLiveMarkdown());
  const draw = useRef(createGroups());
  const blocks = markdown.current.update(text);
  return <div class={live ? 'markdown live' : 'markdown'}>{draw.current(blocks, live)}</div>;
});

/**
 * Blocks of a group are compared, laid out and painted together, so that a growing answer costs its last group in a
 * frame.
 */
const blocksPerGroup = 16;

function createGroups() {
  let known: { held: readonly Block[]; node: VNode }[] = [];
  return (blocks: readonly Block[], live: boolean): VNode[] => {
    const groups: typeof known = [];
    for (let start = 0; start < blocks.length; start += blocksPerGroup) {
      const held = blocks.slice(start, start + blocksPerGroup);
      const before = known[groups.length];
      const same = before?.held.length === held.length && held.every((one, at) => !one.live && one === before.held[at]);
      groups.push(before && same ? before : { held, node: <BlockGroup key={start} held={held} live={live} /> });
    }
    known = groups;
    return groups.map(({ node }) => node);
  };
}

/** This must be a component, because only there does an identical node skip the comparison. */
function BlockGroup({ held, live }: { held: readonly Block[]; live: boolean }) {
  return <div class="blocks">{held.map((block) => (block.live ? drawBlock(block, live) : settledNode(block)))}</div>;
}

const settledNodes = new WeakMap<Block, VNode>();

function settledNode(block: Block): VNode {
  const known = settledNodes.get(block);
  if (known) return known;
  const node = drawBlock(block, false);
  settledNodes.set(block, node);
  return node;
}

function drawBlock(block: Block, live: boolean): VNode {
  return <BlockView key={block.key} block={block} live={live} />;
}

const BlockView = memo(
  ({ block, live }: { block: Block; live: boolean }) => blockOf(block.token, { ...block, live }, 0),
  (a, b) =>
    a.live === b.live &&
    a.block.version === b.block.version &&
    a.block.codeNumber === b.block.codeNumber &&
    a.block.above?.raw === b.block.above?.raw &&
    (a.block.token === b.block.token ||
      (a.block.token.type === b.block.token.type && a.block.token.raw === b.block.token.raw)),
);

const ListItem = memo(
  ({ item, depth, live }: { item: Tokens.ListItem; depth: number; live: boolean }) => (
    <li class={item.task ? 'task' : undefined} dir={directionOf(item)}>
      {blocks(item.tokens, depth, live)}
    </li>
  ),
  (a, b) =>
    a.depth === b.depth &&
    a.live === b.live &&
    a.item.raw === b.item.raw &&
    a.item.loose === b.item.loose &&
    !/[[\]]/.test(a.item.raw),
);

function blocks(tokens: readonly Token[], depth: number, live: boolean): ComponentChildren {
  let above: Token | undefined;
  return tokens.map((token, index) => {
    const node = blockOf(token, { live: live && index === tokens.length - 1, codeNumber: 1, above }, depth);
    if (token.type !== 'space') above = token;
    return node;
  });
}

interface Around {
  live: boolean;
  codeNumber: number;
  above?: Token | undefined;
}

function blockOf(token: Token, { live, codeNumber, above }: Around, depth: number): ComponentChildren {
  if (depth > maxDepth) return <p>{visibleText(token.raw)}</p>;
  switch (token.type) {
    case 'paragraph':
      return <p dir={directionOf(token)}>{inline(shown(token, live), depth)}</p>;
    case 'heading':
      return (
        <h3 class={token.depth <= 2 ? 'large' : undefined} dir={directionOf(token)}>
          {inline(shown(token, live), depth)}
        </h3>
      );
    case 'code':
      return (
        <CodeBlock
          code={live ? String(token.text).replace(/(?<=^|\n)(?:`+|~+)$/, '') : String(token.text)}
          info={String(token.lang ?? '')}
          above={above}
          number={codeNumber}
          live={live}
        />
      );
    case 'blockquote':
      return <blockquote dir={directionOf(token)}>{blocks(token.tokens ?? [], depth + 1, live)}</blockquote>;
    case 'list':
      return list(token as Tokens.List, depth + 1, live);
    case 'table':
      return table(token as Tokens.Table, depth + 1);
    case 'hr':
      return <hr />;
    case 'space':
    case 'def':
      return null;
    case 'html':
      return <p class="source">{visibleText(token.raw.trim())}</p>;
    default:
      return 'tokens' in token && token.tokens ? inline(shown(token, live), depth) : inlineOf(token, depth);
  }
}

function shown(token: Token, live: boolean): readonly Token[] {
  const tokens = ('tokens' in token && token.tokens) || [];
  return live ? closed(tokens) : tokens;
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A block has the direction of its own first letter outside of code, or inherits where all is written left to right. */
function directionOf({ raw }: Pick<Token, 'raw'>): 'rtl' | 'ltr' | undefined {
  if (!rightToLeft.test(raw)) return undefined;
  const first = /\p{L}/u.exec(raw.replace(/`[^`]*`/g, ''))?.[0] ?? '';
  return rightToLeft.test(first) ? 'rtl' : 'ltr';
}

function list(token: Tokens.List, depth: number, live: boolean): ComponentChildren {
  const items = token.items.map((item, index) => (
    <ListItem key={index} item={item} depth={depth} live={live && index === token.items.length - 1} />
  ));
  const start = typeof token.start === 'number' ? token.start : 1;
  const dir = directionOf(token);
  return token.ordered ? (
    <ol start={start} dir={dir}>
      {items}
    </ol>
  ) : (
    <ul dir={dir}>{items}</ul>
  );
}

const alignments = { left: undefined, center: 'center', right: 'right' };

function table(token: Tokens.Table, depth: number): ComponentChildren {
  return (
    <ScrollBox tag="div" className="table" label={l10n.t('Table')}>
      <table dir={directionOf(token)}>
        <thead>
          <tr>
            {token.header.map((cell) => (
              <th scope="col" class={alignments[cell.align ?? 'left']}>
                {inline(cell.tokens, depth)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row) => (
            <tr>
              {row.map((cell) => (
                <td class={alignments[cell.align ?? 'left']}>{inline(cell.tokens, depth)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function inline(tokens: readonly Token[], depth: number): ComponentChildren {
  return tokens.map((token) => inlineOf(token, depth + 1));
}

function inlineOf(token: Token, depth: number): ComponentChildren {
  if (depth > maxDepth) return visibleText(token.raw);
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens ?? [], depth)}</strong>;
    case 'em':
      return <em>{inline(token.tokens ?? [], depth)}</em>;
    case 'del':
      return <del>{inline(token.tokens ?? [], depth)}</del>;
    case 'codespan':
      return <code>{visibleText(String(token.text))}</code>;
    case 'br':
      return <br />;
    case 'html':
      return /^<br\s*\/?>$/i.test(token.raw) ? <br /> : visibleText(token.raw);
    case 'link':
      return <Link href={decodeEntities(String(token.href))} text={textOf(token.tokens ?? [])} />;
    case 'image':
      return <ImageChip href={decodeEntities(String(token.href))} alt={decodeEntities(String(token.text))} />;
    case 'checkbox':
      return <span class="checkbox">{token.checked ? '☑' : '☐'} </span>;
    case 'escape':
      return visibleText(String(token.text));
    default:
      return 'tokens' in token && token.tokens
        ? inline(token.tokens, depth)
        : named(visibleText(decodeEntities(ownText(token))));
  }
}

const pathLike = /(?<![\w@/.:-])(?:[\w@.-]+\/)*[\w@.-]+\.[A-Za-z]\w{0,9}(?::\d{1,7})?(?![\w/@])/g;

function named(text: string): ComponentChildren {
  const found = [...text.matchAll(pathLike)].filter(([path]) => fileOf(path));
  if (found.length === 0) return text;
  let from = 0;
  const pieces = found.flatMap(({ 0: path, index }) => {
    const before = text.slice(from, index);
    from = index + path.length;
    return [before, <span class="name">{path}</span>];
  });
  return [...pieces, text.slice(from)];
}

/** A link has no `href`: the host opens the target, so no click, middle click or drag leaves the panel by itself. */
function Link({ href, text }: { href: string; text: string }) {
  const panel = usePanel();
  const target = linkTarget(href);
  const shown = visibleText(target.shown);
  if (target.kind === 'none') {
    return (
      <span class="dead-link" title={shown}>
        {visibleText(text)}
        {text === href ? '' : ` (${shown})`}
      </span>
    );
  }
  const open = () =>
    target.kind === 'web'
      ? panel.post({ type: 'openLink', href: target.href })
      : panel.post({ type: 'openFile', path: target.path, ...(target.line && { line: target.line }) });
  const host = misleadingHost(text, target);
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <a href> would let the browser follow it without the host.
    <span
      class="link"
      role="link"
      tabIndex={0}
      title={shown}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key === 'Enter') open();
      }}
    >
      {visibleText(text)}
      {host && <span class="real-host"> ({visibleText(host)})</span>}
    </span>
  );
}

function ImageChip({ href, alt }: { href: string; alt: string }) {
  return (
    <span class="image-chip" title={visibleText(linkTarget(href).shown)}>
      <Icon name="image" />
      {alt ? l10n.t('Image not loaded: {0}', visibleText(alt)) : l10n.t('Image not loaded')}
    </span>
  );
}
