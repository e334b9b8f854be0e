import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { hostKey, useService } from '../use-service.ts';

describe('the service inside the extension host', () => {
  const service = useService();

  it('S2 answers the model list without a key', async () => {
    const response = await fetch(`${service().baseUrl}/models`);
    assert.equal(response.status, 200);
    assert.equal(service().requests.at(-1)?.path, '/v1/models');
  });

  it('S18 tells a good key from a bad one without a body worth charging', async () => {
    const statusWith = async (key: string) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      return (await fetch(`${service().baseUrl}/chat/completions`, { method: 'POST', headers, body: '{' })).status;
    };
    assert.equal(await statusWith('sk-svc-another'), 401);
    assert.notEqual(await statusWith(hostKey), 401);
    assert.equal(service().charges.length, 0);
  });

  it('S1 is the address in the user settings', () => {
    const inspected = vscode.workspace.getConfiguration('svc').inspect('baseUrl');
    assert.equal(inspected?.globalValue, service().baseUrl);
    assert.equal(inspected?.workspaceValue, undefined);
  });
});
