import { lookup } from 'node:dns';
import { networkInterfaces } from 'node:os';
import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import type { FetchUrlDeps } from '../../tools/fetch-url.ts';
import { createGetOnce } from '../../tools/web/get-once.ts';

export function createWeb(): NonNullable<FetchUrlDeps['web']> {
  return {
    get: createGetOnce({
      loadDirect: async (publicLookup) => {
        const { createDirectFetch } = await import('../../service/wire/direct-fetch.ts');
        return createDirectFetch({ lookup: publicLookup });
      },
      editorFetch: () => globalThis.fetch,
      hasProxySetting: () => Boolean(vscode.workspace.getConfiguration('http').get<string>('proxy')),
      env: process.env,
      lookup,
      networkInterfaces,
    }),
    toText: async (...page) => (await import('../../tools/web/page-text.ts')).htmlToText(...page),
    clock: systemClock,
  };
}
