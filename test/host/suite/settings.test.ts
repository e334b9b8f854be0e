import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createSettings } from '../../../src/vscode/host/settings.ts';

describe('settings', () => {
  const key = 'spend.confirmAboveUsd';
  const set = (value: number | null | undefined) =>
    vscode.workspace.getConfiguration('svc').update(key, value, vscode.ConfigurationTarget.Global);
  afterEach(() => set(undefined));

  it('X51 a request is asked about above the default, above what the user set, and never with null', async () => {
    const settings = createSettings();
    try {
      assert.equal(settings.limits().confirmAboveUsd, 0.02);
      await set(0.5);
      assert.equal(settings.limits().confirmAboveUsd, 0.5);
      await set(null);
      assert.equal(settings.limits().confirmAboveUsd, undefined);
      await set(undefined);
      assert.equal(settings.limits().confirmAboveUsd, 0.02);
    } finally {
      settings.dispose();
    }
  });
});
