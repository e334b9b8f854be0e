import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** From a command's id to the name under which the palette lists it. */
export type CommandNames = ReadonlyMap<string, string>;

/** Reads the contributed commands of the extension in `folder`, with its texts of `language`, or in English, put in. */
export async function readCommandNames(folder: string | undefined, language?: string): Promise<CommandNames> {
  if (folder === undefined) return new Map();
  const texts = await readJson(path.join(folder, language ? `package.nls.${language}.json` : 'package.nls.json'));
  const manifest = await readJson(path.join(folder, 'package.json'));
  const contributes = isRecord(manifest.contributes) ? manifest.contributes : {};
  const commands: unknown[] = Array.isArray(contributes.commands) ? contributes.commands : [];
  const text = (value: unknown): string => {
    const raw = isRecord(value) ? value.value : value;
    if (typeof raw !== 'string') return '';
    const key = /^%(.+)%$/.exec(raw)?.[1];
    const found = key === undefined ? raw : texts[key];
    return typeof found === 'string' ? found : raw;
  };
  return new Map(
    commands.filter(isRecord).map((command) => {
      const category = text(command.category);
      return [String(command.command), category === '' ? text(command.title) : `${category}: ${text(command.title)}`];
    }),
  );
}

/** Without `u`, which is a default key of ours. */
const keys = [...'abcdefghijklmnopqrstvwxyz0123456789'].map((key) => `ctrl+shift+alt+${key}`);

/**
 * A key for each command that the extension in `folder` handles and does not list, as a person would bind one.
 * Few other commands use all three modifiers, and the user's own keys win.
 */
export async function keysOfUnlisted(folder: string): Promise<{ key: string; command: string }[]> {
  const { activationEvents } = await readJson(path.join(folder, 'package.json'));
  const events: unknown[] = Array.isArray(activationEvents) ? activationEvents : [];
  const ids = events.flatMap((event) => /^onCommand:(.+)$/.exec(String(event))?.[1] ?? []);
  return ids.map((command, index) => {
    const key = keys[index];
    if (key === undefined) throw new Error(`There are keys for ${keys.length} commands that are not listed.`);
    return { key, command };
  });
}

async function readJson(file: string): Promise<Record<string, unknown>> {
  const value: unknown = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
