import '../translations.ts';
import '../page.css';
import './spend.css';
import { render } from 'preact';
import type { SpendHostMessage, SpendPageMessage } from '../../src/shared/panel/spend-report.ts';
import { Report } from './report.tsx';

declare function acquireVsCodeApi(): { postMessage(message: unknown): void };

const root = document.getElementById('root');
if (root) start(root);

function start(element: HTMLElement): void {
  const api = acquireVsCodeApi();
  const post = (message: SpendPageMessage) => api.postMessage(message);
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (isReport(event.data)) render(<Report report={event.data.report} post={post} />, element);
  });
  post({ type: 'ready' });
}

/** The host is trusted; this check only drops window messages from others. */
function isReport(data: unknown): data is SpendHostMessage {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === 'report';
}
