import * as l10n from '@vscode/l10n';
import type { Part } from '../../../src/shared/chat-state.ts';
import { formatDuration } from '../format.ts';
import { memo } from '../memo.ts';
import { usePanel } from '../panel.ts';
import { visibleText } from '../visible-text.ts';
import { CopyButton } from './buttons.tsx';
import { Folding } from './folding.tsx';
import { Icon, type IconName } from './icon.tsx';
import { ScrollBox } from './scroll-box.tsx';

type ToolPart = Extract<Part, { type: 'tool' }>;

const shownOutputLines = 200;

/** One line for a call of a tool; unfolded it shows what the model asked for and what came back. */
export const ToolCard = memo(({ part }: { part: ToolPart }) => {
  const locale = usePanel().info.value?.locale ?? 'en';
  const summary = (
    <>
      <Icon name={iconOf(part.name)} />
      <span class="tool-title">{visibleText(titleOf(part))}</span>
      <ToolState state={part.state} />
      {part.durationMs !== undefined && part.state !== 'cancelled' && (
        <span class="duration">{formatDuration(part.durationMs, locale)}</span>
      )}
    </>
  );
  return (
    <Folding className={`tool ${part.state}`} summary={summary}>
      {() => (
        <>
          <Arguments text={part.arguments} />
          {part.output !== undefined && part.output !== '' && <Output text={part.output} />}
        </>
      )}
    </Folding>
  );
});

function ToolState({ state }: { state: ToolPart['state'] }) {
  switch (state) {
    case 'done':
      return (
        <span class="tool-state">
          <Icon name="check" />
          <span class="visually-hidden">{l10n.t('Done')}</span>
        </span>
      );
    case 'forming':
    case 'running':
      return (
        <span class="tool-state">
          <Icon name="spinner" />
          <span class="visually-hidden">{state === 'running' ? l10n.t('Running') : l10n.t('Being written')}</span>
        </span>
      );
    case 'pending':
      return <span class="tool-state">{l10n.t('Waiting')}</span>;
    case 'failed':
      return (
        <span class="tool-state">
          <Icon name="error" />
          {l10n.t('Failed')}
        </span>
      );
    case 'cancelled':
      return <span class="tool-state">{l10n.t('Cancelled')}</span>;
  }
}

function Arguments({ text }: { text: string }) {
  const entries = argumentEntries(text);
  if (!entries) return text.trim() === '' ? null : <pre class="raw">{visibleText(text)}</pre>;
  if (entries.length === 0) return null;
  return (
    <dl class="facts">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{visibleText(name)}</dt>
          <dd>{visibleText(typeof value === 'string' ? value : JSON.stringify(value))}</dd>
        </div>
      ))}
    </dl>
  );
}

function Output({ text }: { text: string }) {
  const lines = text.split('\n');
  const shown = lines.slice(0, shownOutputLines).join('\n');
  return (
    <div class="tool-output">
      <ScrollBox tag="pre" label={l10n.t('Output')}>
        {visibleText(shown)}
      </ScrollBox>
      <div class="tool-output-footer">
        {lines.length > shownOutputLines && (
          <span>{l10n.t('The first {0} of {1} lines', shownOutputLines, lines.length)}</span>
        )}
        <CopyButton name={l10n.t('Copy Output')} text={() => text} />
      </div>
    </div>
  );
}

/** Undefined when the text is no JSON object: then it is shown as the model wrote it. */
function argumentEntries(text: string): [string, unknown][] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;
  } catch {
    return undefined;
  }
}

/** Until the host has named the call, its own name in words: `read_file` → `Read file`. */
function titleOf(part: ToolPart): string {
  if (part.title !== '' && part.title !== part.name) return part.title;
  const words = part.name.replaceAll('_', ' ');
  return words === '' ? l10n.t('Tool') : words.charAt(0).toUpperCase() + words.slice(1);
}

function iconOf(name: string): IconName {
  if (/search|find|symbols/.test(name)) return 'search';
  if (/director|folder|list/.test(name)) return 'folder';
  if (/edit|create|delete|write/.test(name)) return 'edit';
  if (/command|terminal/.test(name)) return 'terminal';
  return /file|read|definition/.test(name) ? 'file' : 'tool';
}
