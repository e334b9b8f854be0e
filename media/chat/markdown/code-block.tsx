import * as l10n from '@vscode/l10n';
import type { Token } from 'marked';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isForTerminal } from '../../../src/shared/command-line.ts';
import { CopyButton, IconButton } from '../controls/buttons.tsx';
import { memo } from '../controls/memo.ts';
import { ScrollBox } from '../controls/scroll-box.tsx';
import { usePanel } from '../panel.ts';
import { menuContext } from '../transcript/context-menu.ts';
import { codeBlockName } from './code-block-names.ts';
import type { TrackedCode } from './code-colors.ts';
import { type CodeFile, codeFile, readFence } from './code-file.ts';
import { type CodeLines, createCodeLines } from './code-lines.ts';
import { visibleText } from './visible-text.ts';

const foldedLines = 40;

interface CodeBlockProps {
  code: string;
  info: string;
  above: Token | undefined;
  number: number;
  live: boolean;
}

export const CodeBlock = memo(({ code, info, above, number, live }: CodeBlockProps) => {
  const panel = usePanel();
  const { language } = useMemo(() => readFence(info), [info]);
  const firstLine = code.slice(0, code.indexOf('\n') + 1);
  const file = useMemo(() => codeFile(info, above, firstLine), [info, above, firstLine]);
  const [wrap, setWrap] = useState(false);
  const [unfolded, setUnfolded] = useState(false);
  const lineCount = countLines(code);
  const long = lineCount > foldedLines;
  const scroller = useRef<HTMLElement>(null);
  const lines = useCode(code, language, live);
  useFollow(scroller, live && !unfolded, code);
  const latest = useRef(code);
  latest.current = code;
  const text = useCallback(() => latest.current, []);
  const toggleWrap = useCallback(() => setWrap((wrapped) => !wrapped), []);
  const about = visibleText(
    language && file ? l10n.t('{0}, {1}', language, file.shown) : language || file?.shown || '',
  );
  return (
    <div class="code-block" data-vscode-context={menuContext.code}>
      <CodeHeader language={language} file={file} live={live} wrap={wrap} toggleWrap={toggleWrap} text={text} />
      <ScrollBox
        tag="pre"
        className={preClass(wrap, long && !unfolded)}
        boxRef={scroller}
        label={codeBlockName(about, number)}
        about={about}
        onKeyDown={(event) => {
          if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
          if (event.key === 'Enter') panel.post({ type: 'insertAtCursor', text: code });
          else if (event.key === 'c' && document.getSelection()?.isCollapsed !== false) {
            panel.post({ type: 'copy', text: code });
            panel.announce(l10n.t('Copied'));
          } else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      >
        <code ref={lines} />
      </ScrollBox>
      {long && (
        <button type="button" class="show-all" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
          {unfolded ? l10n.t('Show Less') : l10n.t('Show All {0} Lines', lineCount)}
        </button>
      )}
    </div>
  );
});

interface CodeHeaderProps {
  language: string;
  file: CodeFile | undefined;
  live: boolean;
  wrap: boolean;
  toggleWrap: () => void;
  text: () => string;
}

const CodeHeader = memo(({ language, file, live, wrap, toggleWrap, text }: CodeHeaderProps) => {
  const { post } = usePanel();
  const insert = () => post({ type: 'insertAtCursor', text: text() });
  return (
    <div class="code-header">
      <div class="code-title">
        {(language !== '' || !file) && (
          <span class="language">{language ? visibleText(language) : l10n.t('code')}</span>
        )}
        {file && <FileLink file={file} />}
      </div>
      <div class="code-actions">
        <IconButton icon="wrap" name={l10n.t('Wrap Lines')} pressed={wrap} onPress={toggleWrap} />
        <IconButton icon="insert" name={l10n.t('Insert at Cursor')} onPress={insert} />
        {!live && <MoreActions text={text} language={language} file={file} />}
        <CopyButton name={l10n.t('Copy')} text={text} />
      </div>
    </div>
  );
});

function FileLink({ file }: { file: CodeFile }) {
  const { post } = usePanel();
  const open = () => post({ type: 'openFile', path: file.path, ...(file.line && { line: file.line }) });
  const name = visibleText(file.shown);
  return (
    <button type="button" class="file-link" aria-label={name} title={name} onClick={open}>
      {visibleText(file.shown.slice(file.shown.lastIndexOf('/') + 1))}
    </button>
  );
}

function MoreActions({ text, language, file }: Pick<CodeHeaderProps, 'text' | 'language' | 'file'>) {
  const { post } = usePanel();
  if (isForTerminal(language) && !file) {
    const name = l10n.t('Insert into Terminal');
    return <IconButton icon="terminal" name={name} onPress={() => post({ type: 'toTerminal', text: text() })} />;
  }
  return (
    <>
      <IconButton
        icon="apply"
        name={l10n.t('Apply to File…')}
        onPress={() => post({ type: 'applyCode', text: text(), ...(file && { path: file.path }) })}
      />
      <IconButton
        icon="file-add"
        name={l10n.t('New File')}
        onPress={() => post({ type: 'newFile', text: text(), language: language.slice(0, 100) })}
      />
    </>
  );
}

function preClass(wrap: boolean, folded: boolean): string {
  return [wrap && 'wrapped', folded && 'capped'].filter(Boolean).join(' ');
}

function countLines(code: string): number {
  let count = 1;
  for (let at = code.indexOf('\n'); at >= 0; at = code.indexOf('\n', at + 1)) count++;
  return count;
}

/** Draws the code directly into the referenced element, so that settled code is not even compared. */
function useCode(code: string, language: string, live: boolean): { current: HTMLElement | null } {
  const { colors, inView } = usePanel();
  const box = useRef<HTMLElement>(null);
  const drawn = useRef<{ lines: CodeLines; tracked: TrackedCode } | null>(null);
  const isLive = useRef(live);
  isLive.current = live;
  useLayoutEffect(() => {
    if (!box.current) return undefined;
    const lines = createCodeLines(box.current);
    const tracked = colors.track(language, lines, () => lines.count() - (isLive.current ? 1 : 0));
    drawn.current = { lines, tracked };
    const stopWatching = inView.watch(box.current, tracked.setVisible);
    return () => {
      stopWatching();
      tracked.stop();
    };
  }, [colors, inView, language]);
  useLayoutEffect(() => {
    if (drawn.current) drawn.current.tracked.changed(drawn.current.lines.update(code));
  }, [code, language, live]);
  return box;
}

/** Keeps the end of streaming code in view, unless the reader scrolled back in its box. */
function useFollow(scroller: { current: HTMLElement | null }, active: boolean, code: string): void {
  const previousHeight = useRef(0);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!active || !box) return;
    const height = box.scrollHeight;
    if (height <= box.clientHeight) return;
    if (previousHeight.current - box.scrollTop - box.clientHeight <= 48) box.scrollTop = height;
    previousHeight.current = height;
  }, [code, active]);
}
