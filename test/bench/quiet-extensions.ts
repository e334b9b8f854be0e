import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { outFolder, projectRoot } from './bundle.ts';
import { emptyExtension } from './host-session.ts';
import { buildProduct } from './package-product.ts';

export interface QuietExtension {
  name: 'ours' | 'empty' | 'Copilot';
  /** Absolute path of its folder. */
  folder: string;
  extensionId: string;
}

/** An empty extension and ours as it is published, both activated by nothing but the bench. */
export async function quietCandidates(): Promise<QuietExtension[]> {
  await buildProduct();
  const ours = await copyQuiet('ours', projectRoot, ['dist', 'media', 'package.nls.json']);
  return [
    { name: 'empty', folder: emptyExtension, extensionId: 'svc-bench.bench-empty' },
    { name: 'ours', ...ours },
  ];
}

/** What VS Code asks for by itself, which would activate the extension before the bench does. */
const activating = [
  'views',
  'chatParticipants',
  'chatSessions',
  'interactiveSession',
  'languageModelChatProviders',
  'languageModelTools',
  'mcpServerDefinitionProviders',
];

/** A copy that nothing activates but the bench. */
export async function copyQuiet(name: string, source: string, parts: string[]): Promise<Omit<QuietExtension, 'name'>> {
  const folder = path.join(outFolder, 'extensions', name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await Promise.all(
    parts.map((part) => cp(path.join(source, part), path.join(folder, part), { recursive: true, force: true })),
  );
  const manifest = JSON.parse(await readFile(path.join(source, 'package.json'), 'utf8')) as Manifest;
  const emptied = (value: unknown) => (Array.isArray(value) ? [] : {});
  const contributes = Object.fromEntries(
    Object.entries(manifest.contributes).map(([point, value]) => [
      point,
      activating.includes(point) ? emptied(value) : value,
    ]),
  );
  const quiet = { ...manifest, activationEvents: [], contributes };
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(quiet));
  return { folder, extensionId: `${manifest.publisher}.${manifest.name}` };
}

interface Manifest {
  name: string;
  publisher: string;
  contributes: Record<string, unknown>;
}
