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

  it('F14 F15 promises to change and to run only what it can, and gives way to a refusal', () => {
    const of = (facts: object) => systemPrompt({ folders: ['app'], hasTools: true, today: '2026-11-20', ...facts });
    assert.match(of({}), /not change it or run commands/);
    assert.doesNotMatch(of({ canEdit: true }), /code blocks with their path|tests or the build/);
    assert.match(of({ canRun: true }), /cannot change files.*\n.*tests or the build/);
    assert.match(of({ canEdit: true, canRun: true }), /refuses a call, do not get there in another way/);
  });

  it('F21 ends with the rules of the workspace, word for word', () => {
    const instructions = '<instructions path="AGENTS.md">\nTabs.\n</instructions>';
    const prompt = systemPrompt({ folders: ['app'], hasTools: true, today: '2026-11-20', instructions });
    assert.ok(prompt.endsWith(`\n${instructions}`));
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
