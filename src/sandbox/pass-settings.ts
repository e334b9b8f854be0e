import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readRegular } from '../base/read-regular.ts';
import { fold } from '../files/file-class.ts';
import { textOf } from './paths.ts';
import type { PlanInput } from './plan/plan-input.ts';
import { isRegistrySettings, withoutSecrets } from './registry-settings.ts';
import { clearWay, seenAs, toolRegistries } from './tool-registries.ts';

export interface PassedSettings {
  /** Maps masked files to the copies without secrets that are shown in their place. */
  filtered: ReadonlyMap<string, string>;
  /** Maps other files, hidden or not, to the ones that are shown in their place. */
  replaced: ReadonlyMap<string, string>;
  registryPorts: readonly number[];
  /** Is true when settings of a registry are hidden as a whole, so that nobody knows where packages come from. */
  registriesHidden: boolean;
}

/**
 * Removes the secrets from settings of package registries. Those of the workspace and of most tools become files that
 * are shown in their place. The user's settings of npm and Yarn go to the conversation's home folder, where commands
 * may change them.
 */
export async function passSettings(
  { deps: { environment }, home, state }: PlanInput,
  masked: readonly string[],
): Promise<PassedSettings> {
  const npmSettings = environment.npm_config_userconfig ?? environment.NPM_CONFIG_USERCONFIG;
  const filtered = new Map<string, string>();
  const replaced = new Map<string, string>();
  let registriesHidden = false;
  const registryPorts = new Set<number>();
  const note = (text: string) => {
    for (const port of portsIn(text)) registryPorts.add(port);
  };
  for (const file of masked.filter(isRegistrySettings)) {
    const text = withoutSecrets(file, textOf(file));
    if (text === undefined || textOf(file) === '') registriesHidden ||= !(await isEmpty(file));
    else {
      note(text);
      filtered.set(file, await keepText(state.settings, text));
    }
  }
  for (const registry of toolRegistries) {
    const keep = async (file: string) => {
      const text = textOf(file);
      const seen = text === '' && !(await isEmpty(file)) ? registry.closed : seenAs(registry, text);
      note(seen);
      return keepText(state.settings, seen);
    };
    for (const name of registry.places) {
      for (const file of masked.filter((each) => fold(each).endsWith(`/${fold(name)}`)))
        filtered.set(file, await keep(file));
      const own = path.join(home, name);
      if (!existsSync(own)) continue;
      await clearWay(state.home, name);
      replaced.set(own, await keep(own));
    }
  }
  for (const name of ['.npmrc', '.yarnrc', '.yarnrc.yml']) {
    const source = name === '.npmrc' && npmSettings ? npmSettings : path.join(home, name);
    if (!existsSync(source)) continue;
    const text = withoutSecrets(name, textOf(source));
    note(text ?? '');
    const isPassed = text !== undefined && (await replace(path.join(state.home, name), text));
    registriesHidden ||= !isPassed && !(await isEmpty(source));
  }
  return { filtered, replaced, registriesHidden, registryPorts: [...registryPorts].slice(0, maxPorts) };
}

const maxPorts = 8;

function portsIn(text: string): number[] {
  return [...text.matchAll(/\bhttps?:\/\/([a-z][\w.-]*\.[a-z]+):(\d{1,5})\b/gi)].flatMap(([, host = '', port]) =>
    /\.localhost$/i.test(host) ? [] : [Number(port)],
  );
}

async function isEmpty(file: string): Promise<boolean> {
  return lstat(file).then(
    (found) => found.isFile() && found.size === 0,
    () => false,
  );
}

/** The file is named by its content, so that another running command keeps what it has. */
export async function keepText(folder: string, text: string): Promise<string> {
  const file = path.join(folder, createHash('sha256').update(text).digest('hex').slice(0, 32));
  if (await sameText(file, text)) return file;
  const whole = `${file}-${randomUUID()}`;
  await writeFile(whole, text, { mode: 0o600, flag: 'wx' });
  await rename(whole, file);
  return file;
}

/**
 * Resolves with whether the file has this text now. Commands write into the conversation's home folder, so a link
 * that they left there is removed and never followed.
 */
async function replace(file: string, text: string): Promise<boolean> {
  try {
    const found = await lstat(file).catch(() => undefined);
    if (found?.isFile() && found.nlink === 1 && (await sameText(file, text))) return true;
    await rm(file, { recursive: true, force: true });
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(text).finally(() => handle.close());
    return true;
  } catch {
    return false;
  }
}

/** Writes only where nothing exists yet; what commands of the conversation made of the file stays. */
export async function keepOnce(file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600, flag: 'wx' }).catch(() => undefined);
}

async function sameText(file: string, text: string): Promise<boolean> {
  return (await readRegular(file).then(String, () => undefined)) === text;
}
