import { readFileSync } from 'node:fs';
import path from 'node:path';
import { toolDefinitions } from '../../src/agent/tool-definitions.ts';
import { toolSpecs } from '../../src/tools/all-tools.ts';

export const manifestPath = path.resolve(import.meta.dirname, '../../package.json');

interface Contributed {
  name: string;
  icon: string;
}

/** The manifest with `languageModelTools` as the records of the tools that look say. Only the icons are the manifest's own. */
export function withContributedTools(): { contributes: { languageModelTools: readonly Contributed[] } } {
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'));
  const present: readonly Contributed[] = manifest.contributes.languageModelTools;
  const looking = toolDefinitions(toolSpecs.filter(({ access, kind }) => access === 'read' && kind !== 'subagent'));
  const languageModelTools = looking.map(({ name, description, parameters }) => {
    const pascal = name.replace(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase());
    const key = `tool.${pascal.charAt(0).toLowerCase()}${pascal.slice(1)}`;
    return {
      name: `svc_${name}`,
      displayName: `%${key}%`,
      userDescription: `%${key}.text%`,
      modelDescription: description,
      toolReferenceName: `svc${pascal}`,
      canBeReferencedInPrompt: true,
      icon: present.find((one) => one.name === `svc_${name}`)?.icon ?? '$(tools)',
      inputSchema: parameters,
    };
  });
  return { ...manifest, contributes: { ...manifest.contributes, languageModelTools } };
}
