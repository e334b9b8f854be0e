import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createConsent } from '../../../src/agent/consent.ts';
import { ToolError } from '../../../src/agent/tool.ts';
import { toolDefinitions } from '../../../src/agent/tool-definitions.ts';
import { definitionTokens, foreignPrices } from '../../../src/tools/foreign-prices.ts';
import {
  createForeignTools,
  type ForeignTool,
  type ForeignTools,
  foreignChoices,
} from '../../../src/tools/foreign-tools.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { toolContext } from '../../support/tool-context.ts';
import { openFolders } from './workspace.ts';

const search: ForeignTool = {
  name: 'mcp search.web',
  description: 'Searches.',
  inputSchema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
};

function setUp(tools: ForeignTool[], picked: string[], options: { trusted?: () => boolean } = {}) {
  const invoked: { name: string; input: object }[] = [];
  const foreign: ForeignTools = {
    list: () => tools,
    async invoke(name, input) {
      invoked.push({ name, input });
      return 'found';
    },
  };
  const offered = createForeignTools({ ...openFolders({}, options), foreign, picked: () => picked });
  return { invoked, offered, foreign };
}

describe('prices of tools of others', () => {
  const many = Array.from({ length: 60 }, (_, at) => ({
    ...search,
    name: `mcp_${at % 2 === 0 ? 'github' : 'linear'}_tool_${at}`,
    description: `Does the ${at}th thing with issues.`,
  }));
  const other = { ...search, name: 'other_tool' };

  it('F20 U18 stand by server, and those of the picked ones are what the request carries for them', () => {
    const { foreign } = setUp([...many, other], []);
    const deps = { ...openFolders({}), foreign };
    const prices = foreignPrices(deps);
    assert.deepEqual([...new Set(prices.map(({ server }) => server))], ['', 'github', 'linear']);
    const chosen = prices.filter((_, at) => at % 7 === 0);
    const offered = createForeignTools({ ...deps, picked: () => chosen.map(({ name }) => name) })([]);
    assert.equal(offered.length, chosen.length);
    const shown = chosen.reduce((sum, { tokens }) => sum + tokens, 0);
    // Each is rounded up by itself.
    assert.ok(Math.abs(shown - definitionTokens(offered)) <= chosen.length, `${shown} ${definitionTokens(offered)}`);
    assert.ok(prices.every(({ tokens }) => tokens > 20 && tokens < 120));
  });

  it('F20 the first call says that VS Code might ask as well, later ones do not', async () => {
    const { offered } = setUp([search], [search.name]);
    const warnings: number[] = [];
    for (const _ of [1, 2]) {
      const [tool] = offered([]);
      const plan = await tool?.plan({ q: 'a' }, toolContext());
      warnings.push(plan?.approval?.warnings.length ?? -1);
      await plan?.run();
    }
    assert.deepEqual(warnings, [1, 0]);
  });
});

describe('tools of others', () => {
  it('F20 only what the user picked is offered, and never our own tools back', () => {
    const { offered, foreign } = setUp(
      [search, { ...search, name: 'other' }, { ...search, name: 'svc_read' }],
      ['other', 'svc_read', 'gone'],
    );
    assert.deepEqual(
      offered([]).map(({ name }) => name),
      ['other'],
    );
    assert.deepEqual(
      foreignChoices(foreign).map(({ name }) => name),
      ['mcp search.web', 'other'],
    );
    assert.deepEqual(setUp([search], []).offered([]), []);
  });

  it('F20 asks with the real name and the arguments, then calls by the real name', async () => {
    const { offered, invoked } = setUp([search], [search.name]);
    const [tool] = offered([]);
    assert.equal(tool?.name, 'mcp_search_web');
    const plan = await tool.plan({ q: 'x' }, toolContext());
    assert.ok(plan.approval?.subject.kind === 'foreign');
    const { definition, ...shown } = plan.approval.subject;
    assert.deepEqual(shown, { kind: 'foreign', tool: 'mcp search.web', arguments: '{\n  "q": "x"\n}' });
    assert.match(definition ?? '', /^[\da-f]{64}$/);
    assert.deepEqual(plan.approval?.scopes, ['once', 'conversation']);
    assert.deepEqual(invoked, []);
    assert.deepEqual(await plan.run(), { forModel: 'found' });
    assert.deepEqual(invoked, [{ name: 'mcp search.web', input: { q: 'x' } }]);
  });

  it('X22 what nobody can see in a description or a schema does not reach the model', () => {
    const hidden = '\u200b\u{e0041}\u202e';
    const inputSchema = { type: 'object', properties: { q: { type: 'string', description: `A word.${hidden}` } } };
    const { offered } = setUp([{ name: 'a', description: `Searches.${hidden}`, inputSchema }], ['a']);
    const sent = JSON.stringify(toolDefinitions(offered([])));
    assert.match(sent, /Searches\."/);
    assert.match(sent, /A word\."/);
    assert.doesNotMatch(sent, /[\u200b\u202e\u{e0000}-\u{e007f}]/u);
  });

  it('F20 names fit and are unique, and together with ours there are at most 128', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1, maxLength: 90 }), { maxLength: 150 }),
        (names) => {
          const own = [{ name: 'read_file' }, { name: 'a' }];
          const { offered } = setUp(
            names.map((name) => ({ name, description: '' })),
            names,
          );
          const tools = [...own, ...offered(own)].map(({ name }) => name);
          assert.ok(tools.length <= 128);
          assert.equal(new Set(tools).size, tools.length);
          for (const name of tools) assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
        },
      ),
      { numRuns: 50 },
    );
    const many = Array.from({ length: 200 }, (_, index) => `t${index}`);
    const own = Array.from({ length: 14 }, (_, index) => ({ name: `own${index}` }));
    const { offered } = setUp(
      many.map((name) => ({ name, description: '' })),
      many,
    );
    assert.equal(offered(own).length, 114);
  });

  it('X03 a tool that changed after the user was asked, or went, is not run', async () => {
    const tools = [search];
    const { offered, invoked } = setUp(tools, [search.name]);
    const [tool] = offered([]);
    const plan = await tool?.plan({}, toolContext());
    assert.ok(plan?.approval);
    const consent = createConsent();
    consent.keep(plan.approval, { decision: 'allow', scope: 'conversation' });
    assert.ok(consent.covers(plan.approval));
    tools[0] = { ...search, description: 'Searches and sends.' };
    await assert.rejects(async () => plan?.run(), /changed what it says of itself/);
    const again = await offered([])[0]?.plan({}, toolContext());
    assert.ok(again?.approval && !consent.covers(again.approval));
    tools.length = 0;
    await assert.rejects(async () => plan?.run(), ToolError);
    assert.deepEqual(invoked, []);
  });

  it('X34 nothing is asked or run in Restricted Mode', async () => {
    let trusted = true;
    const { offered, invoked } = setUp([search], [search.name], { trusted: () => trusted });
    const plan = await offered([])[0]?.plan({}, toolContext());
    trusted = false;
    await assert.rejects(async () => plan?.run(), /Restricted Mode/);
    await assert.rejects(async () => offered([])[0]?.plan({}, toolContext()), /Restricted Mode/);
    assert.deepEqual(invoked, []);
  });

  it('F20 the model is shown the schema of the tool, references in place, also of one that holds itself', () => {
    const inputSchema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        title: { type: 'string', title: 'Title', description: 'Of the page' },
        list: { type: 'array', items: { $ref: '#/$defs/node' } },
        self: { $ref: '#' },
      },
      required: ['title'],
      $defs: { node: { type: 'object', properties: { id: { type: 'number' } } } },
    };
    const [tool] = setUp([{ ...search, inputSchema }], [search.name]).offered([]);
    assert.ok(tool !== undefined);
    const [definition] = toolDefinitions([tool]);
    assert.ok(definition !== undefined);
    const { properties, required } = definition.parameters as {
      properties: Record<string, unknown>;
      required: string[];
    };
    assert.deepEqual(required, ['title']);
    assert.deepEqual(properties.title, { type: 'string', description: 'Of the page' });
    assert.deepEqual(properties.list, {
      type: 'array',
      items: { type: 'object', properties: { id: { type: 'number' } } },
    });
    assert.doesNotMatch(JSON.stringify(definition), /\$ref|\$defs/);
    const { type, properties: inner, required: innerRequired } = properties.self as Record<string, unknown>;
    assert.deepEqual([type, innerRequired], ['object', ['title']]);
    assert.deepEqual(Object.keys(inner as object), ['title', 'list', 'self']);
    // However deep it is cut, what is left is a schema.
    assert.doesNotMatch(JSON.stringify(definition), /"(type|required)":\{/);
    const grown = { type: 'object', properties: { a: { $ref: '#' }, b: { $ref: '#' }, c: { $ref: '#' } } };
    const [large] = setUp([{ ...search, inputSchema: grown }], [search.name]).offered([]);
    assert.ok(JSON.stringify(toolDefinitions(large === undefined ? [] : [large])).length < 9000);
    const [bare] = setUp([{ name: 'bare', description: 'x' }], ['bare']).offered([]);
    assert.ok(bare !== undefined);
    assert.deepEqual(toolDefinitions([bare])[0]?.parameters, { type: 'object', properties: {} });
  });

  it('X33 P11 a schema that holds itself many times is shown as deep as it stays short', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 80 }, (_, index) => [`field${index}`, { $ref: '#/$defs/n' }]),
    );
    const n = { type: 'object', properties };
    const { offered } = setUp([{ ...search, inputSchema: { ...n, $defs: { n } } }], [search.name]);
    const [spent, [definition]] = [await cpuMs(() => toolDefinitions(offered([]))), toolDefinitions(offered([]))];
    assert.ok(spent < 5000, `${spent} ms`);
    assert.equal(Object.keys(definition?.parameters.properties ?? {}).length, 80);
    assert.ok(JSON.stringify(definition).length < 9000);
  });
});
