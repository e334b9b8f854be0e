import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Session } from './session.ts';

/** What the extension entered for each request. */
export async function ledgerLines({
  folder: workspace,
}: Session): Promise<{ surface: string; model: string; microUsd: number; totalTokens: number }[]> {
  // Beside the workspace; the session's extensions are links to folders of the project, so nothing is searched.
  const folder = path.join(workspace, '../server/data/User/globalStorage/svc.svc-assistant/ledger');
  const months = (await readdir(folder)).filter((file) => file.endsWith('.jsonl'));
  const texts = await Promise.all(months.map((file) => readFile(path.join(folder, file), 'utf8')));
  return texts.flatMap((text) => text.trim().split('\n')).map((line) => JSON.parse(line).d);
}
