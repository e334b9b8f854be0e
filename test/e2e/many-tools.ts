import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { smallPng } from '../support/pictures.ts';

const names = Array.from({ length: 59 }, (_, at) => `toolbox_tool_${at}`);

export const drawingTool = 'toolbox_draw_map';

/** An extension with 60 tools, one of which answers with a picture and a PDF, in a new folder. The caller removes it. */
export function makeManyTools(): { folder: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-toolbox-'));
  const all = [...names, drawingTool];
  const manifest = {
    ...{ name: 'toolbox', publisher: 'test', version: '1.0.0', engines: { vscode: '^1.106.0' }, main: './main.cjs' },
    activationEvents: ['onStartupFinished'],
    contributes: {
      languageModelTools: all.map((name) => ({
        ...{ name, displayName: name },
        modelDescription: `Looks up what ${name} knows of a place, of its streets and of the people who live there.`,
        inputSchema: {
          type: 'object',
          properties: { place: { type: 'string', description: 'Town and street' }, limit: { type: 'integer' } },
          required: ['place'],
        },
      })),
    },
  };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(folder, 'main.cjs'), main(all));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const main = (all: readonly string[]) => `
const vscode = require('vscode');
const { LanguageModelTextPart: Text, LanguageModelDataPart: Data, LanguageModelToolResult: Result } = vscode;
const png = Buffer.from('${smallPng.toString('base64')}', 'base64');
exports.activate = ({ subscriptions }) => {
  for (const name of ${JSON.stringify(all)}) {
    subscriptions.push(vscode.lm.registerTool(name, {
      invoke: async ({ input }) => new Result(
        name === '${drawingTool}'
          ? [new Text('The map of ' + input.place), Data.image(png, 'image/png'), new Data(new Uint8Array(2000), 'application/pdf')]
          : [new Text(name + ' knows ' + input.place)],
      ),
    }));
  }
};
`;
