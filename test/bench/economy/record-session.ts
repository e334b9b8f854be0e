import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Tool } from '../../../src/agent/tool.ts';
import { ToolError } from '../../../src/agent/tool.ts';
import type { HistoryMessage, ToolCall } from '../../../src/shared/messages.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { runTool } from '../../support/tool-context.ts';
import { createReadTools } from '../../support/window-tools.ts';
import { openFolders } from '../../unit/tools/workspace.ts';
import { createRandom } from '../seeded-random.ts';
import { createSecrets, fileFact, outputFact, type Secrets, userFact } from './facts.ts';
import { failingRun, passingRun } from './program-output.ts';
import type { Fact, Session } from './session.ts';

export interface Recipe {
  name: string;
  /** Folder of a package; only its sources are copied. */
  source: string;
  /** Answers with calls, at least. */
  steps: number;
  /** Steps of one task; the user gives the next one after it. */
  stepsPerTask: number;
  seed: number;
}

const model = 'svc/kimi-k3';
/** Messages between what brought a fact and the question for it. */
export const longAgo = 40;
const questionsPerTask = 3;
const sourceFile = /\.(?:js|ts|mjs)$/;

/**
 * Records what an agent does to a copy of a real package: it searches, reads, edits, runs programs that fail and then do
 * not, and says what it found. The reads, the searches and the listings are those of the product's own tools on the real
 * files; only the choice of what to do next and what programs print are made up, from the seed.
 */
export async function recordSession(recipe: Recipe): Promise<Session> {
  return withTempDir(async (folder) => {
    await copySources(recipe.source, folder);
    const recorder = await createRecorder(recipe, folder);
    while (recorder.steps() < recipe.steps) await recorder.task(recipe.stepsPerTask);
    return recorder.session();
  });
}

async function copySources(source: string, folder: string): Promise<void> {
  for (const part of ['src', 'lib', 'README.md', 'Readme.md', 'package.json', 'docs']) {
    await cp(path.join(source, part), path.join(folder, part), { recursive: true }).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    });
  }
}

interface SourceText {
  path: string;
  lines: string[];
}

async function createRecorder(recipe: Recipe, folder: string) {
  const random = createRandom(recipe.seed);
  const secrets = createSecrets(random);
  const tools = createReadTools(openFolders({ [recipe.name]: folder }));
  const messages: HistoryMessage[] = [];
  const facts: Fact[] = [];
  const planted = await plantFacts(folder, random, secrets);
  const paths = await listSources(folder);
  let steps = 0;
  let calls = 0;

  const pick = <T>(list: readonly T[]): T => {
    const chosen = list[Math.floor(random() * list.length)];
    if (chosen === undefined) throw new Error(`nothing to choose from in ${recipe.name}`);
    return chosen;
  };
  const chance = (share: number) => random() < share;
  const text = async (file: string): Promise<SourceText> => ({
    path: file,
    lines: (await readFile(path.join(folder, file), 'utf8')).split('\n'),
  });

  /** One answer with its calls and results, as the loop stores it. */
  async function step(
    said: string,
    wanted: readonly { name: string; args: object; result?: string }[],
  ): Promise<string[]> {
    steps++;
    const made = wanted.map(({ name, args, result }) => ({
      call: { id: `c${++calls}`, name, arguments: JSON.stringify(args) } satisfies ToolCall,
      args,
      result,
    }));
    messages.push({ role: 'assistant', text: said, model, toolCalls: made.map(({ call }) => call) });
    const results: string[] = [];
    for (const { call, args, result } of made) {
      const answer = result ?? (await answerOf(tools, call.name, args));
      messages.push({ role: 'tool', callId: call.id, name: call.name, text: answer });
      for (const { kind, answer: secret, file, ask } of planted) {
        const isNew = answer.includes(secret) && !facts.some((fact) => fact.answer === secret);
        if (isNew)
          facts.push({
            kind: call.name === 'search_text' ? 'search' : kind,
            answer: secret,
            plantedAt: messages.length - 1,
            path: file,
            ask,
          });
      }
      const own = chance(0.5) ? ownFact(answer, messages) : undefined;
      if (own !== undefined) facts.push({ kind: 'own line', answer: own, plantedAt: messages.length - 1 });
      results.push(answer);
    }
    return results;
  }

  async function explore(file: SourceText, topic: string): Promise<void> {
    if (chance(0.6))
      await step(chance(0.5) ? `Where \`${topic}\` is used comes first.` : '', [
        { name: 'search_text', args: { query: topic } },
      ]);
    if (chance(0.25)) await step('', [{ name: 'list_directory', args: { path: path.dirname(file.path) } }]);
    const start = 1 + Math.floor(random() * Math.max(1, file.lines.length - 120));
    const range =
      chance(0.35) || file.lines.length < 160
        ? {}
        : { startLine: start, endLine: start + 40 + Math.floor(random() * 110) };
    const reads = [{ name: 'read_file', args: { path: file.path, ...range } }];
    if (chance(0.3)) {
      const other = await text(pick(paths));
      reads.push({
        name: 'read_file',
        args: { path: other.path, startLine: 1, endLine: Math.min(other.lines.length, 90) },
      });
    }
    if (chance(0.25)) reads.push({ name: 'read_file', args: { path: pick(planted).file, startLine: 1, endLine: 120 } });
    await step(chance(0.4) ? 'Now the code itself.' : '', reads);
  }

  async function edit(file: SourceText): Promise<void> {
    const candidates = file.lines.flatMap((line, index) =>
      /^\s+\S.{18,}[;{]$/.test(line) && isUnique(file, line) ? [index] : [],
    );
    if (candidates.length === 0) return;
    const at = pick(candidates);
    const old = file.lines.slice(at, at + 2 + Math.floor(random() * 4));
    const indent = /^\s*/.exec(old[0] ?? '')?.[0] ?? '';
    const added = Array.from(
      { length: 1 + Math.floor(random() * 8) },
      (_, index) => `${indent}trace('${file.path}', ${at + index});`,
    );
    const content = [...file.lines.slice(0, at), ...added, ...old, ...file.lines.slice(at + old.length)];
    await writeFile(path.join(folder, file.path), content.join('\n'));
    const said = chance(0.6) ? `I add the check before line ${at + 1} of \`${file.path}\`.` : '';
    await step(said, [
      {
        name: 'edit_file',
        args: { path: file.path, edits: [{ search: old.join('\n'), replace: [...added, ...old].join('\n') }] },
        result: `Edited ${file.path}: lines ${at + 1}–${at + added.length + old.length} are new. Added ${added.length}, removed 0.`,
      },
    ]);
    if (chance(0.4)) {
      await step('', [
        { name: 'read_file', args: { path: file.path, startLine: Math.max(1, at - 20), endLine: at + 40 } },
      ]);
    }
  }

  async function check(file: SourceText): Promise<void> {
    const command = chance(0.5) ? 'npm test' : `npm test -- ${path.basename(file.path).replace(/\.\w+$/, '')}`;
    if (chance(0.65)) {
      const { line, answer } = outputFact(random, secrets);
      await step('', [
        { name: 'run_command', args: { command }, result: failingRun(random, file.path, file.lines, line) },
      ]);
      facts.push({ kind: 'output', answer, plantedAt: messages.length - 1 });
      await edit(await text(file.path));
    }
    await step('', [{ name: 'run_command', args: { command }, result: passingRun(random, file.path, file.lines) }]);
  }

  /** The user asks for something that was shown long ago, as after every task of a long day. */
  function question(): void {
    const old = facts.filter((fact) => {
      return fact.ask !== undefined && fact.neededAt === undefined && fact.plantedAt < messages.length - longAgo;
    });
    if (old.length === 0) return;
    const fact = pick(old);
    messages.push({ role: 'user', text: fact.ask ?? '' });
    fact.neededAt = messages.length;
    messages.push({ role: 'assistant', text: `It says ${fact.answer}.`, model, toolCalls: [] });
  }

  return {
    steps: () => steps,
    async task(stepsPerTask: number): Promise<void> {
      const { line, answer } = userFact(random, secrets);
      const topic = pick(paths);
      messages.push({ role: 'user', text: `Make ${topic} say what it does when it fails, and check it. ${line}` });
      facts.push({ kind: 'user', answer, plantedAt: messages.length - 1 });
      const until = Math.min(recipe.steps, steps + stepsPerTask);
      while (steps < until) {
        const file = await text(pick(paths));
        await explore(file, topicOf(file, random));
        if (chance(0.7)) await edit(await text(file.path));
        if (chance(0.5)) await check(await text(file.path));
        if (chance(0.4)) {
          const secret = secrets.words();
          await step(
            `So far: \`${file.path}\` belongs to the part that the tests call ${secret}; the rest of it is not concerned.`,
            [
              {
                name: 'update_plan',
                args: {
                  items: [
                    { text: `look at ${file.path}`, state: 'done' },
                    { text: 'run all tests', state: 'pending' },
                  ],
                },
                result: 'The plan is shown.',
              },
            ],
          );
          facts.push({ kind: 'conclusion', answer: secret, plantedAt: messages.length - 2 });
        }
      }
      messages.push({
        role: 'assistant',
        text: `Done: ${topic} says what went wrong, and the tests pass.`,
        model,
        toolCalls: [],
      });
      for (let asked = 0; asked < questionsPerTask; asked++) question();
    },
    session: (): Session => ({ name: recipe.name, system: '', messages, facts }),
  };
}

interface PlantedFact {
  kind: Fact['kind'];
  answer: string;
  file: string;
  ask?: string;
}

/** Puts one fact into each of some files of every form. */
async function plantFacts(folder: string, random: () => number, secrets: Secrets): Promise<PlantedFact[]> {
  const planted: PlantedFact[] = [];
  const paths = await listSources(folder);
  const plant = async (file: string, form: 'code' | 'json' | 'prose' | 'env', lines: string[]) => {
    const { line, ask, ...fact } = fileFact(random, secrets, form);
    lines.splice(Math.floor(random() * lines.length), 0, line);
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), lines.join('\n'));
    planted.push({ ...fact, file, ask: ask && inWords(ask, file) });
  };
  for (const file of paths) {
    if (random() > 0.5) continue;
    const lines = (await readFile(path.join(folder, file), 'utf8')).split('\n');
    await plant(file, 'code', lines);
  }
  const settings = Array.from({ length: 60 }, (_, index) => `    "option${index}": ${index % 2 === 0},`);
  for (const file of ['config/service.json', 'config/build.json', 'config/limits.json'])
    await plant(file, 'json', [...settings]);
  for (const file of ['docs/RELEASING.md', 'docs/HOSTS.md']) {
    await plant(
      file,
      'prose',
      Array.from({ length: 40 }, (_, index) => `Paragraph ${index} tells how the parts fit together.`),
    );
  }
  await plant('config/relay.env', 'env', ['# what the relay is told', 'RELAY_MODE=quiet']);
  return planted;
}

function inWords(ask: string, file: string): string {
  const base = path.posix.basename(file);
  const names = { path: file, base, stem: base.replace(/\..*/, '') };
  return ask.replace(/\{(path|base|stem)\}/g, (_, name: keyof typeof names) => names[name]);
}

async function listSources(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  const wanted = entries.filter(
    (entry) => sourceFile.test(entry) && !entry.endsWith('.d.ts') && !/\blocales?\b/.test(entry),
  );
  const sized: string[] = [];
  for (const entry of wanted.sort()) {
    const lines = (await readFile(path.join(folder, entry), 'utf8')).split('\n').length;
    if (lines >= 40) sized.push(entry.split(path.sep).join('/'));
  }
  return sized;
}

async function answerOf(tools: readonly Tool[], name: string, args: object): Promise<string> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  try {
    return (await runTool(tool, args)).forModel;
  } catch (error) {
    if (error instanceof ToolError) return error.message;
    throw error;
  }
}

/** A constant that the package itself declares and that nothing else in the session has shown yet. */
function ownFact(result: string, messages: readonly HistoryMessage[]): string | undefined {
  const before = messages.slice(0, -1);
  for (const [, line = ''] of result.matchAll(
    /^\d+\t\s*((?:export )?const [\w$]+ = (?:-?\d{2,}|'[^']{6,}'|"[^"]{6,}");?)\s*$/gm,
  )) {
    if (!before.some((message) => message.text.includes(line))) return line;
  }
  return undefined;
}

function topicOf(file: SourceText, random: () => number): string {
  const names = file.lines.flatMap((line) => /\b(?:function|class|const)\s+([\w$]{5,})/.exec(line)?.[1] ?? []);
  return names[Math.floor(random() * names.length)] ?? path.basename(file.path);
}

function isUnique(file: SourceText, line: string): boolean {
  return file.lines.indexOf(line) === file.lines.lastIndexOf(line);
}
