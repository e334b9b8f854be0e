import { createInterface } from 'node:readline/promises';

/** Asks for the key without showing it. Resolves with an empty text where there is no terminal, or after Ctrl+C. */
export function askSecret(prompt: string): Promise<string> {
  const { stdin, stdout } = process;
  if (!stdin.isTTY) return Promise.resolve('');
  stdout.write(prompt);
  stdin.setRawMode(true).setEncoding('utf8').resume();
  return new Promise((resolve) => {
    let typed = '';
    const end = (text: string) => {
      stdin.off('data', onData).setRawMode(false).pause();
      stdout.write('\n');
      resolve(text.trim());
    };
    const onData = (text: string) => {
      for (const sign of text) {
        if (sign === '\u0003' || sign === '\u0004') return end('');
        if (sign === '\r' || sign === '\n') return end(typed);
        typed = sign === '\u007f' || sign === '\b' ? typed.slice(0, -1) : typed + sign;
      }
    };
    stdin.on('data', onData);
  });
}

/** Anything but y is a no, and so is the lack of a terminal. */
export async function askYes(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}
