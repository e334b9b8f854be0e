import path from 'node:path';
import { ToolError } from '../agent/tool.ts';
import { isSecretPath } from '../files/file-class.ts';
import { realPlaceOf, realRoot } from '../files/path-guard.ts';
import { readText } from '../files/read-text.ts';
import { childPlace, type Files, type Place, type Workspace } from '../files/workspace.ts';
import type { SkillStore } from '../tools/load-skill.ts';
import type { Customization } from './customization.ts';
import { loadableOf } from './named.ts';
import { attribute, fenced } from './rules-text.ts';

const maxFileBytes = 48 * 1024;

export interface SkillStoreDeps {
  all(): readonly Customization[];
  workspace: Workspace;
  files: Files;
}

/** The model can open only these texts and the files beside them, and nothing else of the user's home folder. */
export function createSkillStore({ all, workspace, files }: SkillStoreDeps): SkillStore {
  const find = (name: string) => loadableOf(all()).find((one) => one.name === name);
  return {
    isEmpty: () => loadableOf(all()).length === 0,
    names: () => loadableOf(all()).map(({ name }) => name),
    text(name) {
      const one = find(name);
      if (one === undefined) return undefined;
      return `<skill${attribute('name', one.name)}${attribute('path', one.path)}>\n${fenced(one.text)}\n</skill>`;
    },
    forks(name) {
      const entry = find(name)?.entry;
      return entry?.when === 'loaded' && entry.forks === true;
    },
    async file(name, wanted) {
      const one = find(name);
      if (one === undefined || one.kind !== 'skills') return undefined;
      const place = await placeBeside(one.place, wanted);
      const root = place.root.fsPath;
      const checked =
        root === undefined
          ? undefined
          : path.join(await realRoot({ name: place.root.name, fsPath: root }), (await realPlaceOf(place))?.path ?? '');
      const { text } = await readText({ workspace, files }, place, { max: maxFileBytes, checked });
      return text === undefined ? undefined : fenced(text);
    },
  };
}

/** Throws unless the file really lies in the folder of the skill, with all links resolved. */
async function placeBeside(skill: Place, wanted: string): Promise<Place> {
  const parts = wanted.replace(/^(?:\.\/)+/, '').split('/');
  const outside = new ToolError('Only files in the folder of the skill are read this way.');
  if (parts.some((part) => part === '' || part === '..' || part === '.' || part.includes('\\'))) throw outside;
  const folder = { root: skill.root, path: skill.path.slice(0, Math.max(0, skill.path.lastIndexOf('/'))) };
  const place = childPlace(folder, parts.join('/'));
  const [realFolder, real] = await Promise.all([realPlaceOf(folder), realPlaceOf(place)]);
  if (real === undefined || realFolder === undefined || !real.path.startsWith(`${realFolder.path}/`)) throw outside;
  if (isSecretPath(place.path) || isSecretPath(real.path)) throw new ToolError(`${wanted} might contain secrets.`);
  return place;
}
