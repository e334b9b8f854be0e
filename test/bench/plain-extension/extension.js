const { writeFileSync } = require('node:fs');
const http = require('node:http');
const vscode = require('vscode');

/** The least that an extension can do: what the chat and the panel are measured beside. */
exports.activate = (context) => {
  let view;
  context.subscriptions.push(
    vscode.window.registerWebviewViewProvider('plain.view', {
      resolveWebviewView(resolved) {
        view = resolved;
        view.webview.options = { enableScripts: true };
        view.webview.html = page;
      },
    }),
    vscode.commands.registerCommand('plain.open', () => vscode.commands.executeCommand('plain.view.focus')),
    vscode.commands.registerCommand('plain.box', () => vscode.window.showInputBox({ ignoreFocusOut: true })),
    vscode.commands.registerCommand('plain.ask', () => ask((text) => void view?.webview.postMessage(text))),
    // Every extension of this host is in the same cache of modules.
    vscode.commands.registerCommand('plain.listLoaded', () =>
      writeFileSync(process.env.SVC_BENCH_LOADED, JSON.stringify(Object.keys(require.cache))),
    ),
    vscode.chat.createChatParticipant('plain.stream', (_request, _context, stream) =>
      ask((text) => stream.markdown(text)),
    ),
  );
};

/** Calls `onText` for every delta of the answer, as it comes. */
function ask(onText) {
  return new Promise((resolve, reject) => {
    const address = `${process.env.SVC_BENCH_ORIGIN}/v1/chat/completions`;
    const request = http.request(address, { method: 'POST' }, (response) => {
      let rest = '';
      response.setEncoding('utf8').on('data', (text) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines.filter((one) => one.startsWith('data: {'))) {
          const content = JSON.parse(line.slice(6)).choices[0]?.delta.content;
          if (content) onText(content);
        }
      });
      response.once('end', resolve).once('error', reject);
    });
    request.once('error', reject).end(JSON.stringify({ stream: true }));
  });
}

/** Takes text, and appends what is posted, once a frame. */
const page = `<!DOCTYPE html>
<style>
  body { font: 13px sans-serif; margin: 0; height: 100vh; display: flex; flex-direction: column }
  main { flex: 1; overflow: auto; white-space: pre-wrap }
</style>
<main aria-label="Plain answer"></main>
<textarea aria-label="Plain message"></textarea>
<script>
  const log = document.querySelector('main');
  let line = log;
  let waiting = '';
  const draw = () => {
    const lines = waiting.split('\\n');
    waiting = '';
    lines.forEach((text, index) => {
      if (index > 0 || line === log) {
        line = document.createElement('div');
        log.append(line);
      }
      line.append(text);
    });
    log.scrollTop = log.scrollHeight;
  };
  addEventListener('message', ({ data }) => {
    if (typeof data !== 'string') return;
    if (waiting === '') requestAnimationFrame(draw);
    waiting += data;
  });
  document.querySelector('textarea').focus();
</script>`;
