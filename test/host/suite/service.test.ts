import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { useService } from '../use-service.ts';

describe('the service inside the extension host', () => {
  const service = useService();

  it('S2 answers the model list without a key', async () => {
    const response = await fetch(`${service().baseUrl}/models`);
    assert.equal(response.status, 200);
    assert.equal(service().requests.length, 1);
  });

  it('S1 is the address in the user settings', () => {
    const inspected = vscode.workspace.getConfiguration('svc').inspect('baseUrl');
    assert.equal(inspected?.globalValue, service().baseUrl);
    assert.equal(inspected?.workspaceValue, undefined);
  });
});
