import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readReplacement } from '../../../src/edits/apply/file-replacement.ts';

const file = 'import a from "a";\n\nif (a < 1) {\n  go(a);\n}\n';
const wanted = 'import a from "a";\n\nif (a < 1) {\n  stop(a);\n}\n';

const written = (content: string, before = file, path = 'src/a.ts') => readReplacement(before, content, path);
const textOf = (content: string, before?: string) => {
  const whole = written(content, before);
  assert.ok(whole.ok, whole.ok ? '' : whole.problem);
  return whole.text;
};
const refused = (content: string, reason: RegExp, before?: string) => {
  const whole = written(content, before);
  assert.ok(!whole.ok, 'it was written');
  assert.match(whole.problem, reason);
};

describe('a whole text over a file', () => {
  it('F14 takes off what is surely no part of it', () => {
    const entities = wanted.replace('<', '&lt;');
    const wrapped = [
      `\u200B${wanted}`,
      `<![CDATA[${wanted}]]>`,
      `<content>\n${wanted}</content>\n`,
      `src/a.ts\n${wanted}`,
      entities,
      `<file_text>\n<![CDATA[${wanted}]]>\n</file_text>`,
    ];
    for (const content of wrapped) assert.equal(textOf(content), wanted, content);
    assert.equal(textOf('a();\\nb();\\n  c();', 'a();\nb();\nd();\n'), 'a();\nb();\n  c();\n');
  });

  it('F14 writes what is meant', () => {
    const page = '<p>one</p>\n';
    assert.equal(textOf('<p>a &lt; b</p>\n', page), '<p>a &lt; b</p>\n');
    assert.equal(textOf(wanted.replace('stop(a)', 'print("&lt;")')), wanted.replace('stop(a)', 'print("&lt;")'));
    assert.equal(textOf('def f():\n    ...\n', 'def f():\n    pass\n'), 'def f():\n    ...\n');
    assert.equal(textOf('// ...\nb\n', '// ...\na\n'), '// ...\nb\n');
    assert.equal(textOf('```sh\na\n```\n\nText\n', '# Head\n'), '```sh\na\n```\n\nText\n');
    assert.equal(textOf('<content>\n2\n</content>\n', '<content>\n1\n</content>\n'), '<content>\n2\n</content>\n');
    assert.equal(textOf('a\n', ''), 'a\n');
  });

  it('F14 refuses a line that stands for others, nothing, a fence around all, and left-over signs', () => {
    for (const line of ['…', '...', '// rest of code ...', '// ... existing code ...', '# rest of the file unchanged'])
      refused(`import a from "a";\n${line}\n`, /line 2, .* stands for lines/);
    refused('', /empty/);
    refused(' \n', /empty/);
    refused(`\`\`\`ts\n${wanted}\`\`\`\n`, /fence/);
    refused(`<<<<<<< SEARCH\n${wanted}`, /no line of the file/);
    refused(`${wanted}>>>>>>> REPLACE\n`, /no line of the file/);
    refused(`${wanted}</content>\n`, /no line of the file/);
    refused('print("a\\nb"); x(\\n', /literal/);
  });
});
