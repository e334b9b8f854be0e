// Command line of the local service:
// --port N --key KEY [--script FILE] [--upstream URL] [--upstream-model ID] [--balance USD] [--chunk-delay MS]
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { demoKey, startLocalService } from './local-service.ts';
import { parseScript, type ServiceScript } from './script-schema.ts';

/** Fast enough to read along. */
const defaultChunkDelayMs = 15;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    key: { type: 'string', multiple: true },
    script: { type: 'string' },
    upstream: { type: 'string' },
    'upstream-model': { type: 'string' },
    balance: { type: 'string', default: '5' },
    'chunk-delay': { type: 'string', default: String(defaultChunkDelayMs) },
  },
});

const script: ServiceScript = values.script === undefined ? {} : parseScript(await readFile(values.script, 'utf8'));
const service = await startLocalService({
  port: Number(values.port),
  keys: values.key ?? [demoKey],
  balanceUsd: Number(values.balance),
  script: { ...script, settings: { chunkDelayMs: Number(values['chunk-delay']), ...script.settings } },
  keepBodies: false,
  upstream: values.upstream,
  upstreamModel: values['upstream-model'],
  upstreamApiKey: process.env.UPSTREAM_API_KEY,
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    service.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
}

process.stdout.write(`svc local service listening at ${service.baseUrl}\n`);
process.stdout.write(`svc dashboard at ${service.dashboardUrl}\n`);
