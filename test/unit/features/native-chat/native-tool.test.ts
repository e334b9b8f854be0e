import assert from 'node:assert/strict';
import { Lexer, type Token } from 'marked';
import { after, before, describe, it } from 'mocha';
import { decodeEntities } from '../../../../media/chat/markdown/entities.ts';
import { createNativeTool } from '../../../../src/features/native-chat/vscode/native-tool.ts';
import { makeTempDir, type TempDir } from '../../../support/temp-dir.ts';
import { createReadTools } from '../../../support/window-tools.ts';
import { openFolders, writeFiles } from '../../tools/workspace.ts';

describe("our tools in the hands of VS Code's chat", () => {
  let temp: TempDir;
  before(async () => {
    temp = await makeTempDir();
    await writeFiles(temp.path, {
      'ws/a.ts': 'export const a = 1;\n',
      'ws/.env': 'SECRET=needle\n',
      'ws/.gitignore': 'out/\n',
      'ws/out/log.txt': 'left out\n',
    });
  });
  after(() => temp.remove());

  const { signal } = new AbortController();
  const openTool = (isTrusted = true) => {
    const open = openFolders({ ws: `${temp.path}/ws` });
    const workspace = { ...open.workspace, isTrusted: () => isTrusted };
    const [readFile] = createReadTools({ ...open, workspace });
    assert.ok(readFile);
    return createNativeTool(readFile, () => 'c1');
  };

  it('F29 reads what lies in the workspace without a question, and says what it does', async () => {
    const tool = openTool();
    const prepared = await tool.prepare({ path: 'a.ts' }, signal);
    assert.match(prepared.title, /a\.ts/);
    assert.equal(prepared.question, undefined);
    assert.match(await tool.invoke({ path: 'a.ts' }, signal), /export const a = 1;/);
  });

  it('F29 X01 has VS Code ask about what is ignored, and reads it once for each time that was asked', async () => {
    const tool = openTool();
    await assert.rejects(tool.invoke({ path: 'out/log.txt' }, signal), /was not asked/);
    const { question } = await tool.prepare({ path: 'out/log.txt' }, signal);
    assert.match(question ?? '', /out\/log\.txt/);
    assert.match(await tool.invoke({ path: 'out/log.txt' }, signal), /left out/);
    await assert.rejects(tool.invoke({ path: 'out/log.txt' }, signal), /was not asked/);
  });

  it('F29 X25 has VS Code ask with every sign of the path', async () => {
    const names = [
      '__init__.py',
      '[a.ts](b.c)',
      '`a` _b_ ~~c~~',
      '&amp;#',
      '![x] a  b',
      'www.a.example',
      'a\u202eb',
      'a+1.',
    ];
    for (const name of names.map((each) => `${each}x`)) {
      await writeFiles(temp.path, { [`elsewhere/${name}`]: 'text' });
      const { question } = await openTool().prepare({ path: `${temp.path}/elsewhere/${name}` }, signal);
      const [paragraph] = new Lexer({ gfm: true }).lex(question ?? '');
      const shown = plainOf(paragraph).replaceAll('\u00a0', ' ');
      assert.ok(shown.includes(`/elsewhere/${name.replace('\u202e', '⟦U+202E⟧')} is outside`), shown);
    }
  });

  it('F29 X16 reads no secrets, whatever VS Code was told to allow', async () => {
    const tool = openTool();
    assert.equal((await tool.prepare({ path: '.env' }, signal)).question, undefined);
    await assert.rejects(tool.invoke({ path: '.env' }, signal), /may hold secrets/);
  });

  it('F29 X05 leaves the path guard in place and tells the model what is wrong', async () => {
    const tool = openTool();
    await assert.rejects(tool.invoke({}, signal), /`path` is required/);
    await assert.rejects(tool.invoke({ path: 'missing.ts' }, signal));
  });

  it("F29 X34 our tools refuse calls of VS Code's chat in Restricted Mode", async () => {
    const tool = openTool(false);
    await assert.rejects(tool.invoke({ path: 'a.ts' }, signal), /Restricted Mode/);
  });
});

/** What a reader of Markdown draws. */
function plainOf(token: Token | undefined): string {
  if (token === undefined) return '';
  if ('tokens' in token && token.tokens) return token.tokens.map(plainOf).join('');
  return token.type === 'text' || token.type === 'escape' ? decodeEntities(token.text) : `[${token.type}]`;
}
