import * as l10n from '@vscode/l10n';
import { maxNames } from '../../../src/shared/messages.ts';
import type { HostMessage, PanelMessage } from '../../../src/shared/panel/protocol.ts';
import type { InView } from '../transcript/in-view.ts';
import { fileOf } from './code-file.ts';

export interface Names {
  /**
   * Asks the host which names of a finished answer exist when it comes into view, and again, at most every 5 s, when
   * the pointer or focus enters it.
   */
  watch(answer: HTMLElement, turnId: string): () => void;
  receive(message: Extract<HostMessage, { type: 'names' }>): void;
}

const pauseMs = 5000;
const symbol = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\(\))?$/u;

/**
 * Sets links directly on the elements, because settled views are not drawn again. Only what the host found becomes a
 * link.
 */
export function createNames({ post, inView }: { post(message: PanelMessage): void; inView: InView }): Names {
  const asked = new Map<string, HTMLElement>();
  const ask = (answer: HTMLElement, turnId: string) => {
    const open = namesIn(answer).filter((element) => element.role === null);
    const texts = new Set(open.map((element) => element.textContent));
    const names = [...texts].flatMap((name) => {
      const path = fileOf(name)?.path;
      if (path !== undefined) return [{ name, path }];
      return name.length > 2 && name.length < 100 && symbol.test(name) ? [{ name }] : [];
    });
    if (names.length === 0) return;
    asked.set(turnId, answer);
    post({ type: 'findNames', turnId, names: names.slice(0, maxNames) });
  };
  return {
    watch(answer, turnId) {
      let askedAt = Number.NEGATIVE_INFINITY;
      const again = () => {
        if (performance.now() - askedAt < pauseMs) return;
        askedAt = performance.now();
        ask(answer, turnId);
      };
      const stop = inView.watch(answer, (visible) => {
        if (visible) again();
      });
      for (const type of ['pointerenter', 'focusin']) answer.addEventListener(type, again);
      return () => {
        stop();
        for (const type of ['pointerenter', 'focusin']) answer.removeEventListener(type, again);
        asked.delete(turnId);
      };
    },
    receive({ turnId, found }) {
      for (const element of namesIn(asked.get(turnId))) {
        const name = element.textContent;
        const place = Object.hasOwn(found, name) ? found[name] : undefined;
        if (place === undefined) continue;
        // A path says its own line; that of a symbol is where it was found.
        const line = fileOf(name)?.line ?? place.line;
        makeLink(element, line === undefined ? place.path : `${place.path}:${line}`, () =>
          post({ type: 'openFile', path: place.path, ...(line !== undefined && { line }) }),
        );
      }
    },
  };
}

function namesIn(answer: HTMLElement | undefined): HTMLElement[] {
  return [...(answer?.querySelectorAll<HTMLElement>('.markdown :is(:not(pre) > code, .name)') ?? [])];
}

function makeLink(element: HTMLElement, place: string, open: () => void): void {
  element.classList.add('link');
  element.role = 'link';
  element.tabIndex = 0;
  element.title = l10n.t('Open {0}', place);
  element.onclick = open;
  element.onkeydown = ({ key }) => {
    if (key === 'Enter') open();
  };
}
