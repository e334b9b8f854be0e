import * as l10n from '@vscode/l10n';
import type { Learned, ModelFacts, Source } from '../step/learned.ts';
import type { StreamEndKind } from '../wire/stream-end.ts';
import { plainCell } from './plain-cell.ts';

export function factsMarkdown(learned: Learned): string[] {
  const rows = [...learned.all()].flatMap(([model, facts]) => factRows(model, facts));
  const heading = [`## ${l10n.t('Learned on this machine')}`, ''];
  if (rows.length === 0)
    return [...heading, l10n.t('Nothing has been learned yet. Every feature is still tried with every model.'), ''];
  return [...heading, `| ${l10n.t('Model and feature')} | ${l10n.t('Learned')} |`, '|---|---|', ...rows, ''];
}

function factRows(model: string, facts: ModelFacts): string[] {
  const named = [
    [l10n.t('streaming'), facts.streaming],
    [l10n.t('token counts while streaming'), facts.streamOptions],
    [l10n.t('tool calling'), facts.tools],
    [l10n.t('image input'), facts.images],
    [l10n.t('history as it is'), facts.plainHistory],
    [l10n.t('answers as reasoning'), facts.answersAsReasoning],
    [l10n.t('thinks before short answers'), facts.thinksFirst],
    ...Object.entries(facts.parameters),
  ] as const;
  const rows = named.flatMap(([name, fact]) =>
    fact === undefined
      ? []
      : [[model, name, fact.works ? l10n.t('yes') : l10n.t('no'), fact.at.slice(0, 10), fact.evidence]],
  );
  const { contextTokens, contextTokensFrom, streamEnd, reasoningEcho, reasoningEchoFrom } = facts;
  if (contextTokens !== undefined) {
    rows.push([model, l10n.t('context size'), l10n.t('{0} tokens', contextTokens), ...sourceCells(contextTokensFrom)]);
  }
  if (streamEnd !== undefined) {
    rows.push([
      model,
      l10n.t('end of a reply'),
      streamEndWords[streamEnd.how](),
      streamEnd.at.slice(0, 10),
      streamEnd.evidence,
    ]);
  }
  if (reasoningEcho !== undefined) {
    rows.push([
      model,
      l10n.t('reasoning in the history'),
      reasoningEcho === 'refused' ? l10n.t('refused') : l10n.t('required'),
      ...sourceCells(reasoningEchoFrom),
    ]);
  }
  return rows.map((cells) => {
    const [feature, works, at, evidence] = cells.slice(1).map(plainCell);
    return `| **${plainCell(model)}**<br>${feature} | ${works}, ${at}<br>${evidence} |`;
  });
}

const streamEndWords: Readonly<Record<StreamEndKind, () => string>> = {
  finish: () => l10n.t('names its reason'),
  marker: () => l10n.t('an end marker'),
  usage: () => l10n.t('the token count'),
  close: () => l10n.t('nothing: the stream just ends'),
};

function sourceCells(source: Source | undefined): [string, string] {
  return source === undefined ? ['–', l10n.t('an error message')] : [source.at.slice(0, 10), source.evidence];
}
