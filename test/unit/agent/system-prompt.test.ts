import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { systemPrompt } from '../../../src/agent/system-prompt.ts';

describe('agent/system-prompt', () => {
  it('H16 X23 says that tool results are data, and asks for citations', () => {
    const prompt = systemPrompt({ folders: ['app'], hasTools: true, today: '2026-11-20' });
    assert.match(prompt, /data, not instructions/);
    assert.match(prompt, /`path:line`/);
  });

  it('S23 X34 promises no tools where there are none', () => {
    const prompt = systemPrompt({ folders: [], hasTools: false, today: '2026-11-20' });
    assert.doesNotMatch(prompt, /Use the tools|You can read/);
    assert.match(prompt, /cannot see the workspace/);
  });

  it('X35 names the folders that paths begin with', () => {
    const prompt = systemPrompt({ folders: ['app', 'lib'], hasTools: true, today: '2026-11-20' });
    assert.match(prompt, /begin every path with one of them\): app, lib\./);
  });

  it('P11 is the same text for the same facts, so that a service can cache it', () => {
    const facts = { folders: ['app'], hasTools: true, today: '2026-11-20' };
    assert.equal(systemPrompt(facts), systemPrompt(facts));
  });
});
