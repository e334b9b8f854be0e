import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { announcesStep, breaksOff } from '../../../src/agent/announced-step.ts';

const packages = path.resolve(import.meta.dirname, '../../../node_modules');

/** Every paragraph that somebody wrote about a package, as if it were the end of an answer. */
function* paragraphs(): Generator<string> {
  const scopes = readdirSync(packages).filter((name) => name.startsWith('@'));
  const names = readdirSync(packages).concat(
    ...scopes.map((scope) => readdirSync(path.join(packages, scope)).map((name) => `${scope}/${name}`)),
  );
  for (const name of names) {
    for (const file of ['README.md', 'readme.md', 'CHANGELOG.md']) {
      try {
        yield* readFileSync(path.join(packages, name, file), 'utf8').split(/\n\s*\n/);
      } catch {
        // Not every package has one.
      }
    }
  }
}

describe('a step that is announced and not made', () => {
  it('H21 nothing that people wrote about their packages counts as one', () => {
    const all = [...paragraphs()];
    assert.ok(all.length > 3000, `${all.length} paragraphs`);
    assert.ok(all.filter((text) => /:\s*$/.test(text)).length > 200, 'many end in a colon');
    assert.deepEqual(all.filter(announcesStep), []);
  });

  for (const text of [
    'Let me read the file now:',
    "The build passes. Now I'll update the tests.",
    'Great! The types fit. Now let me run the tests:',
    "I'll start by reading `src/a.ts`.",
    'Next, I’m going to check the configuration…',
    '**Now let me fix the second failure:**',
    'Two places are left.\n\nI need to look at the caller first.',
    'Let me take a look at the loop:',
    'I will now implement the parser.',
    'Let me check if the folder is there:',
    "Now I'll change the flags. First the command:",
    '好的，让我先读取这个文件：',
    '测试通过了。接下来我将修改配置文件。',
    '现在让我运行测试。',
    '我先检查一下调用的地方…',
    'Jetzt lese ich die Datei:',
    'Die Tests laufen durch. Als Nächstes prüfe ich die Konfiguration.',
    'Ich passe nun die Aufrufer an.',
    'Gut. Ich werde jetzt die Tests ausführen.',
    'Lass mich zuerst die Datei ansehen:',
    'Lassen Sie mich die Abhängigkeiten prüfen.',
    "I'll start by pulling the diff and the conventions.",
    'Let me diagnose this with the current code.',
    'All three are up. I’m now probing the login with the seeded account.',
    'Before the notes, let me confirm that the suite still passes.',
    'Verstanden. Jetzt mustere ich die Aufrufer.',
  ]) {
    it(`H21 a reply that ends ${JSON.stringify(text)} announces a step`, () => assert.ok(announcesStep(text)));
  }

  const tools = ['read_file', 'run_command', 'process'];
  for (const text of [
    '接下来读取文件：',
    'Now editing src/cart.ts:',
    'Vou agora corrigir o arquivo:',
    '**Следующий шаг:**',
    'The cause is clear.\n\nEditing `src/cart.ts`:',
    'Sonraki adım run_command ile testler.',
    'Working on it…',
    '(empty content)',
    'Only the note remains. Writing it now.',
    'The cause is clear. Now fixing the caller.',
    'Running the tests now.',
  ]) {
    it(`H21 a reply after a result that is ${JSON.stringify(text)} is not the end (NousResearch/hermes-agent#78113)`, () => {
      assert.ok(breaksOff(text, tools));
    });
  }
  for (const text of [
    ...['All tests pass.', 'Fixed: the total is rounded once.', '', 'May I call run_command again?'],
    ...['Removing the file is safe.', 'Nothing else changed.', 'Testing was not possible.', 'Everything on it works.'],
    ...['Reading the code confirms it.', 'Using a map avoids the loop.', 'Setting it to 5 fixed the problem.'],
    ...['The server is listening on port 3000.', 'Calling it twice changes nothing.', 'Done (3 files).'],
  ]) {
    it(`H21 a reply after a result that is ${JSON.stringify(text)} may be the end`, () => {
      assert.ok(!breaksOff(text, tools));
    });
  }

  for (const text of [
    'All tests pass. Let me know if you want me to change the names.',
    "Let me know if you'd like me to:\n1. Continue\n2. Stop",
    'If you agree, I will update the callers.',
    "I'll update the documentation once you have decided on a name.",
    'I will not change the tests.',
    'Shall I go on? Let me know and I will add the tests.',
    "I'll keep that in mind.",
    "Shall I mend all of these? I'll begin with the worst.",
    "I'll leave the rest as it is.",
    'Let me explain why this fails: the promise is never awaited.',
    'To read the file, call `read()`.',
    'The following files changed:',
    'Run this:\n```sh\nnpm test\n```',
    'Should I add the tests now?',
    'I can try the other way, if you tell me which of these you prefer:',
    'To do it yourself, let me use your own words:',
    'Please run the tests and tell me what they say:',
    'The function does what it says: let me quote the line.',
    'I fixed it, ran `npm test`, and 12 tests pass.',
    '如果你同意，我会修改测试。',
    '我会在你确认之后更新文档。',
    '测试全部通过。',
    'Wenn Sie möchten, passe ich nun die Aufrufer an.',
    'Soll ich jetzt die Tests ausführen?',
    'Ich werde die Tests nicht ändern.',
    'Sobald du dich entschieden hast, werde ich die Datei umbenennen.',
    'Ich habe die Datei gelesen und die Tests ausgeführt.',
    'Jetzt laufen alle Tests.',
    '',
  ]) {
    it(`H21 a reply that ends ${JSON.stringify(text)} announces no step`, () => assert.ok(!announcesStep(text)));
  }
});
