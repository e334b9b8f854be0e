import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ServiceScript } from '../service/local-service.ts';
import { declarationIn } from '../service/stand-in-code.ts';
import type { TourStop } from '../service/tour.ts';

/** Sends every request to another model, so that a tour meets the capacity error. */
const busyModel = { id: 'svc/kimi-k3', name: 'Kimi K3' };
export const tourRules: ServiceScript['rules'] = [{ match: { model: busyModel.id }, effect: { capacity: {} } }];

/** A terminal may find an older Node.js than the one that this runs on, and the sample's tests are TypeScript. */
export function tourSettings(): Record<string, unknown> {
  const PATH = [path.dirname(process.execPath), process.env.PATH ?? ''].join(path.delimiter);
  // What npm says of itself is no part of the tests.
  const env = { PATH, npm_config_update_notifier: 'false', npm_config_progress: 'false' };
  return Object.fromEntries(['linux', 'osx', 'windows'].map((system) => [`terminal.integrated.env.${system}`, env]));
}

const isMac = process.platform === 'darwin';
const keys = isMac ? { allow: 'Cmd+Enter', model: 'Alt+Cmd+.' } : { allow: 'Ctrl+Enter', model: 'Ctrl+Alt+.' };

const decide = `decide on the edit: **Keep** or **Undo** at each part in its card, or **Keep All** below the chat (${keys.allow} in the empty message).`;
const changeModel = `meet a model at capacity. Select **${busyModel.name}** with the model button (${keys.model}). It is at capacity here, so another model answers and the chat says so. Ask:`;

/** Through the sample project: a question, an edit of two hunks, a command, a model without room. */
export const sampleTour: readonly TourStop[] = [
  { before: '', prompt: 'Where is the shipping cost decided, and from what amount is it free?' },
  {
    before: `an edit with two hunks. You are asked first; allow it with the button or ${keys.allow}. Send:`,
    prompt: 'Make shipping free from 59 euros.',
  },
  { before: `${decide} Then let a command run:`, prompt: 'Run the tests.' },
  { before: changeModel, prompt: 'What does the voucher WELCOME do?' },
  {
    before:
      'That was the tour. **Usage**, below the chat, shows what it would have cost. `npm start -- --folder DIR` opens your own project, and `--base-url URL` uses your real service.',
  },
];

/** The same four things with what there is in somebody's own folder; what it has no place for is left out. */
export async function tourOf(folder: string): Promise<readonly TourStop[]> {
  const found = await findSource(folder);
  const command = await commandOf(folder);
  const first = found ? `What does ${found.path} do?` : 'Which files are there?';
  return [
    { before: '', prompt: first },
    ...(found
      ? [
          {
            before: `an edit. It writes up to three comments into ${found.path}, and Undo removes them. You are asked first. Send:`,
            prompt: `Write a comment above the declarations of ${found.path}.`,
          },
        ]
      : []),
    { before: `${found ? `${decide} Then let` : 'let'} a command run:`, prompt: `Run \`${command}\`.` },
    { before: changeModel, prompt: found ? `Where is ${found.name} declared?` : 'What does README.md say?' },
    { before: 'That was the tour. Now ask what you like: I look it up in your files.' },
  ];
}

const maxFiles = 400;
const sources = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|cs|swift|php)$/;
const leftOut = /^(?:\.|node_modules$|dist$|build$|out$|target$|vendor$|coverage$)|\.(?:test|spec|d|min)\.|_test\./;

/** The first source file, near the top, that declares at least two things without a comment. */
async function findSource(folder: string): Promise<{ path: string; name: string } | undefined> {
  const folders = [''];
  let seen = 0;
  for (const under of folders) {
    const entries = await readdir(path.join(folder, under), { withFileTypes: true });
    for (const entry of entries.filter(({ name }) => !leftOut.test(name)).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const at = path.posix.join(under, entry.name);
      if (entry.isDirectory()) folders.push(at);
      if (!entry.isFile() || !sources.test(entry.name)) continue;
      seen += 1;
      if (seen > maxFiles) return undefined;
      const rows = (await readFile(path.join(folder, at), 'utf8')).split('\n');
      const bare = rows.filter((row, index) => isBareDeclaration(row, rows[index - 1] ?? ''));
      const name = bare.length < 2 || rows.length > 800 ? undefined : declarationIn(bare[0] ?? '')?.name;
      if (name !== undefined) return { path: at, name };
    }
  }
  return undefined;
}

function isBareDeclaration(row: string, above: string): boolean {
  return declarationIn(row) !== undefined && !/^\s/.test(row) && !/^\s*(?:\/\*|\*|\/\/|#)/.test(above);
}

async function commandOf(folder: string): Promise<string> {
  const manifest = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => '{}');
  if (/"test"\s*:/.test(manifest)) return 'npm test';
  const entries: readonly string[] = await readdir(folder);
  return entries.includes('.git') ? 'git status' : 'ls';
}
