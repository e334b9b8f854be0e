import { open } from 'node:fs/promises';
import path from 'node:path';
import { costMicroUsd } from '../../src/spend/price.ts';
import { encodeLine } from '../../src/storage/log-line.ts';
import { createRandom } from './seeded-random.ts';

const models = ['deepseek-v4-pro', 'deepseek-v4.1-flash', 'glm-5.3', 'glm-5.3-flash', 'kimi-k3', 'qwen-3.8-27b'];
const surfaces = ['chat', 'chat', 'chat', 'inline', 'commit', 'side-by-side', 'native-chat'];

/** The last instant of the lines; the year ends there. */
export const yearEnd = Date.UTC(2026, 10, 20, 12);
export const yearDays = 365;

/** Writes `count` attempts spread evenly over a year into month files, about twelve to a conversation. */
export async function writeLedgerYear(dir: string, count: number, seed: number): Promise<void> {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const stepMs = (yearDays * 24 * 3600 * 1000) / count;
  let [month, lines]: [string, Buffer[]] = ['', []];
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return;
    const file = await open(path.join(dir, `ledger-${month}.jsonl`), 'a');
    await file.write(Buffer.concat(lines));
    await file.close();
    lines = [];
  };
  for (let n = 0; n < count; n++) {
    const at = Math.floor(yearEnd - (count - n) * stepMs);
    const name = new Date(at).toISOString().slice(0, 7);
    if (name !== month || lines.length >= 10_000) await flush();
    month = name;
    const promptTokens = Math.floor(random() * 40_000);
    const completionTokens = Math.floor(random() * 2000);
    const failed = random() < 0.05;
    const totalTokens = failed ? 0 : promptTokens + completionTokens;
    const entry = {
      id: uuid(n, 'a'),
      at,
      model: `svc/${pick(models)}`,
      surface: pick(surfaces),
      conversationId: uuid(Math.floor(n / 12), 'c'),
      turnId: uuid(Math.floor(n / 3), 'd'),
      promptTokens: failed ? 0 : promptTokens,
      completionTokens: failed ? 0 : completionTokens,
      totalTokens,
      microUsd: costMicroUsd(totalTokens),
      estimated: false,
      charge: failed ? 'no' : 'yes',
      outcome: failed ? 'failed' : 'complete',
    };
    lines.push(encodeLine(JSON.stringify(entry), 'd'));
  }
  await flush();
}

function uuid(n: number, kind: string): string {
  return `${n.toString(16).padStart(8, '0')}-0000-4000-8000-${kind.repeat(12)}`;
}
