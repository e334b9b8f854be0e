import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { manifestPath, withContributedTools } from './contributed-tools.ts';
import { bundlePath, extractBundle } from './extract.ts';

// `npm run l10n`: writes every text of the code into l10n/bundle.l10n.json, for translators, and the tools that look into package.json.
mkdirSync(path.dirname(bundlePath), { recursive: true });
writeFileSync(bundlePath, `${JSON.stringify(extractBundle(), null, 2)}\n`);
writeFileSync(manifestPath, `${JSON.stringify(withContributedTools(), null, 2)}\n`);
