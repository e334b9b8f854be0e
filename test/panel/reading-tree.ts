import type { CDPSession } from 'playwright-core';
import type { PanelPage } from './panel-page.ts';

/** A message as a screen reader has it. */
export interface ReadMessage {
  /** From 1, as it is said. */
  position: number;
  setSize: string | null;
  /** Line by line, indented: role, name and states of the message and of all in it. */
  tree: string;
}

type Node = Awaited<ReturnType<typeof fullTree>>[number];

const fullTree = async (session: CDPSession) => (await session.send('Accessibility.getFullAXTree')).nodes;

/** All messages that the page holds, in the order in which a screen reader comes to them. */
export function readMessages(panel: PanelPage): Promise<ReadMessage[]> {
  return withSession(panel, async (session) => {
    const nodes = await fullTree(session);
    const byId = new Map(nodes.map((node) => [node.nodeId, node]));
    // A flat list says nothing of the order.
    const articles: Node[] = [];
    const find = (node: Node | undefined) => {
      if (node?.role?.value === 'article') articles.push(node);
      else for (const id of node?.childIds ?? []) find(byId.get(id));
    };
    find(nodes[0]);
    const found: ReadMessage[] = [];
    for (const article of articles) found.push(await messageOf(session, article, byId));
    return found;
  });
}

/** The message that has the focus. */
export function readFocused(panel: PanelPage): Promise<ReadMessage> {
  return withSession(panel, async (session) => {
    const { result } = await session.send('Runtime.evaluate', { expression: 'document.activeElement' });
    const { nodes } = await session.send('Accessibility.queryAXTree', { objectId: result.objectId ?? '' });
    const [article] = nodes;
    if (article?.role?.value !== 'article') throw new Error('no message has the focus');
    return messageOf(session, article, new Map(nodes.map((node) => [node.nodeId, node])));
  });
}

async function withSession<T>(panel: PanelPage, use: (session: CDPSession) => Promise<T>): Promise<T> {
  const session = await panel.page.context().newCDPSession(panel.page);
  try {
    return await use(session);
  } finally {
    await session.detach();
  }
}

async function messageOf(session: CDPSession, article: Node, byId: ReadonlyMap<string, Node>): Promise<ReadMessage> {
  const { node } = await session.send('DOM.describeNode', { backendNodeId: article.backendDOMNodeId ?? 0 });
  const { attributes = [] } = node;
  const attribute = (name: string) => {
    const at = attributes.findIndex((one, index) => index % 2 === 0 && one === name);
    return at < 0 ? null : (attributes[at + 1] ?? null);
  };
  return {
    position: Number(attribute('aria-posinset')),
    setSize: attribute('aria-setsize'),
    tree: linesOf(article, byId, 0).join('\n'),
  };
}

/** Which message has the focus differs, and what refers to another element does so by a number of the browser's. */
const leftOut = new Set(['focused', 'labelledby', 'describedby', 'controls', 'details', 'errormessage', 'owns']);

function linesOf(node: Node, byId: ReadonlyMap<string, Node>, depth: number): string[] {
  const isSaid = !node.ignored && node.role?.value !== 'InlineTextBox';
  const inside = (node.childIds ?? []).flatMap((id) => {
    const child = byId.get(id);
    return child ? linesOf(child, byId, isSaid ? depth + 1 : depth) : [];
  });
  if (!isSaid) return inside;
  const states = (node.properties ?? [])
    .filter(({ name }) => !leftOut.has(name))
    .map(({ name, value }) => ` ${name}=${String(value.value)}`);
  const description = node.description?.value ? ` (${node.description.value})` : '';
  const value = node.value?.value === undefined ? '' : ` = ${node.value.value}`;
  return [
    `${' '.repeat(depth)}${node.role?.value} ${JSON.stringify(node.name?.value ?? '')}${value}${description}${states.join('')}`,
    ...inside,
  ];
}
