import { after, before } from 'mocha';
import * as vscode from 'vscode';
import { type LocalService, type LocalServiceOptions, startLocalService } from '../service/local-service.ts';

/** The key that the suite's service accepts. */
export const hostKey = 'sk-svc-demo-host-0123456789abcdef';

/**
 * Gives the enclosing `describe` a local service that runs inside the extension host, so that tests script it and see its
 * requests, and points `svc.baseUrl` at it. Call the result inside tests.
 */
export function useService(options?: LocalServiceOptions): () => LocalService {
  let service: LocalService | undefined;
  const setBaseUrl = (value: string | undefined) =>
    vscode.workspace.getConfiguration('svc').update('baseUrl', value, vscode.ConfigurationTarget.Global);
  before(async () => {
    service = await startLocalService({ keys: [hostKey], ...options });
    await setBaseUrl(service.baseUrl);
  });
  after(async () => {
    await setBaseUrl(undefined);
    await service?.close();
  });
  return () => {
    if (service === undefined) throw new Error('the service starts in `before`: use it inside a test');
    return service;
  };
}
