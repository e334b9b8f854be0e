import { parseJson } from '../../../src/base/parse-json.ts';
import type { ToolCall } from '../../../src/shared/messages.ts';
import type { Agent } from './sources.ts';

type Args = Record<string, unknown>;
/** Some agents make and change their plan task by task. */
export interface Task {
  text: string;
  state: string;
}

type Written = Pick<ToolCall, 'name' | 'arguments'>;

/**
 * What a call asks for, in one text for each thing, read from the definitions that the agents publish for their tools and not from any
 * code of ours. Undefined: nothing here can do that. `tasks`: those of the session so far, which some calls change.
 */
export function meaningOf(agent: Agent, { name, arguments: raw }: Written, tasks: Task[]): string[] | undefined {
  return readings[agent][name]?.(parseJson(raw) as Args, tasks);
}

/** The same of a call in our words. */
export function ownMeaning({ name, arguments: raw }: Written): string {
  const args = parseJson(raw) as Args;
  switch (name) {
    case 'read_file':
      return read(args.path, args.startLine, args.endLine);
    case 'edit_file':
      return ownEdit(args.path, args.edits as Args[]);
    case 'create_file':
      return write(args.path, args.content);
    case 'delete_file':
      return `delete ${args.path}`;
    case 'rename_file':
      return `move ${args.path} to ${args.newPath}`;
    case 'run_command':
      return run(args.command, args.cwd, args.timeoutSeconds, [args.background === true, args.lift !== undefined]);
    case 'process':
      return `process ${args.action} ${args.id} ${args.text ?? ''}`;
    case 'search_text':
      return search(args.query, args.path, args.glob);
    case 'find_files':
      return find(args.pattern, undefined);
    case 'ask_subagent':
      return `look into ${args.task}`;
    case 'update_plan':
      return planOf(args.items as Task[]);
    case 'fetch_url':
      return `fetch ${args.url}`;
    default:
      return `${name} ${raw}`;
  }
}

/** A whole patch of a file stands as one block, behind a line that says so. */
function ownEdit(path: unknown, blocks: readonly Args[]): string {
  const [, patch] = /^\*\*\* Chunks of a patch[^\n]*\n(.*)$/s.exec(String(blocks[0]?.search)) ?? [];
  return patch === undefined
    ? edit(path, blocks, 'search', 'replace')
    : edit(path, chunksOf(patch.split('\n')), 'before', 'after');
}

function read(path: unknown, start: unknown = 1, end: unknown = ''): string {
  return `read ${path} ${start}-${end}`;
}

function write(path: unknown, content: unknown): string {
  return `write ${path}\n${content}`;
}

function run(command: unknown, cwd: unknown, seconds: unknown, [background, grant]: [boolean, boolean]): string {
  return `run ${command} in ${cwd ?? ''} for ${seconds ?? ''}${background ? ' behind' : ''}${grant ? ' lifted' : ''}`;
}

function edit(path: unknown, blocks: readonly Args[], before: string, after: string): string {
  const isAll = (block: Args) => block.replaceAll === true || block.replace_all === true;
  return `edit ${path}\n${blocks.map((block) => `${block[before]}\n→${isAll(block) ? '*' : ''}\n${block[after]}`).join('\n')}`;
}

/** `offset` from 1; 0 means the beginning too. */
function range(path: unknown, offset: unknown, limit: unknown): string {
  const first = Math.max(1, Number(offset ?? 1));
  return read(path, first, limit === undefined ? '' : first + Number(limit) - 1);
}

function search(query: unknown, path: unknown, glob: unknown): string {
  return `search ${query} in ${path ?? ''} ${glob ?? ''}`;
}

/** Below the folder; a pattern without one is looked for at any depth. */
function find(pattern: unknown, folder: unknown): string {
  if (typeof folder !== 'string' || /^[./]*$/.test(folder)) return `find ${String(pattern).replace(/^\//, '')}`;
  const parts = folder.split('/').filter((part) => part !== '' && part !== '.');
  return `find ${[...parts, ...(String(pattern).includes('/') ? [] : ['**']), pattern].join('/')}`;
}

const states: Readonly<Record<string, string>> = {
  ...{ pending: 'pending', in_progress: 'active', completed: 'done', deleted: 'done' },
};

function planOf(items: readonly Task[]): string {
  return `plan ${items.map(({ text, state }) => `${text}:${state}`).join('; ')}`;
}

function changeTask(tasks: Task[], { id, taskId = id, status, subject }: Args): string[] | undefined {
  const task = tasks[Number(taskId) - 1];
  if (task === undefined) return undefined;
  if (status !== undefined) task.state = states[String(status)] ?? '';
  if (subject !== undefined) task.text = String(subject);
  return [planOf(tasks)];
}

/** One thing for each file; a chunk that only adds does so behind the line that `@@` names. */
function patched(patch: string): string[] {
  const parts = patch
    .replaceAll('\r', '')
    .split(/^\*\*\* (?=(?:Add|Update|Delete) File: |End Patch)/m)
    .slice(1);
  return parts.flatMap((part) => {
    const [head = '', ...body] = part.replace(/\n$/, '').split('\n');
    const [, action, path] = /^(\w+) File: (.*)$/.exec(head) ?? [];
    if (action === 'Delete') return [`delete ${path}`];
    if (action === 'Add') return [write(path, body.map((line) => `${line.slice(1)}\n`).join(''))];
    if (action !== 'Update') return [];
    const moved = /^\*\*\* Move to: (.*)$/.exec(body[0] ?? '')?.[1];
    const blocks = chunksOf(body.filter((line) => !line.startsWith('*** ')));
    return [edit(path, blocks, 'before', 'after'), ...(moved === undefined ? [] : [`move ${path} to ${moved}`])];
  });
}

function chunksOf(lines: readonly string[]): { before: string; after: string }[] {
  const chunks: { anchor: string; lines: string[] }[] = [];
  for (const line of lines) {
    if (line.startsWith('@@') || chunks.length === 0) chunks.push({ anchor: line.replace(/^@@ ?/, ''), lines: [] });
    if (!line.startsWith('@@')) chunks.at(-1)?.lines.push(line);
  }
  return chunks
    .filter((chunk) => chunk.lines.some((line) => /^[+-]/.test(line)))
    .map((chunk) => {
      const side = (sign: string) => chunk.lines.filter((line) => !line.startsWith(sign)).map((line) => line.slice(1));
      const [before, after] = [side('+'), side('-')];
      const around = before.length === 0 ? [chunk.anchor] : [];
      return { before: [...around, ...before].join('\n'), after: [...around, ...after].join('\n') };
    });
}

const seconds = (ms: unknown) => (ms === undefined ? undefined : Math.ceil(Number(ms) / 1000));
const isLifted = (args: Args) => args.sandbox_permissions === 'require_escalated';

/** As ripgrep has them. */
const typeGlobs: Readonly<Record<string, string>> = {
  ts: '{ts,tsx,mts,cts}',
  js: '{js,mjs,cjs,jsx}',
  py: '{py,pyi}',
  rust: 'rs',
};

type Reading = (args: Args, tasks: Task[]) => string[] | undefined;

const readings: Readonly<Record<Agent, Readonly<Record<string, Reading>>>> = {
  'Claude Code': {
    Read: ({ file_path, offset, limit }) => [range(file_path, offset, limit)],
    Edit: (args) => [edit(args.file_path, [args], 'old_string', 'new_string')],
    Write: ({ file_path, content }) => [write(file_path, content)],
    Bash: ({ command, timeout, run_in_background: behind, dangerouslyDisableSandbox: grants }) => [
      run(command, undefined, seconds(timeout), [behind === true, grants === true]),
    ],
    Grep: ({ pattern, path, glob, type }) => [
      search(pattern, path, glob ?? (type && `**/*.${typeGlobs[String(type)] ?? type}`)),
    ],
    Glob: ({ pattern, path }) => [find(pattern, path)],
    // Its subagents that write have no like here; what they are asked is looked into, and the answer says that nothing was written.
    Agent: ({ prompt }) => [`look into ${prompt}`],
    WebFetch: ({ url }) => [`fetch ${url}`],
    ExitPlanMode: ({ plan, summary }) => [`end ${summary ?? plan ?? ''}`],
    TaskCreate: ({ subject }, tasks) => {
      tasks.push({ text: String(subject), state: 'pending' });
      return [planOf(tasks)];
    },
    TaskUpdate: (args, tasks) => changeTask(tasks, args),
  },
  Codex: {
    exec_command: (args) => [run(args.cmd, args.workdir, undefined, [false, isLifted(args)])],
    shell_command: (args) => [run(args.command, args.workdir, seconds(args.timeout_ms), [false, isLifted(args)])],
    apply_patch: ({ input }) => patched(String(input)),
    write_stdin: ({ session_id: id, chars }) => [chars ? `process send ${id} ${chars}` : `process read ${id} `],
    update_plan: ({ plan }) => [
      planOf((plan as Args[]).map(({ step, status }) => ({ text: String(step), state: states[String(status)] ?? '' }))),
    ],
  },
  pi: {
    read: ({ path, offset, limit }) => [range(path, offset, limit)],
    bash: ({ command, timeout }) => [run(command, undefined, timeout, [false, false])],
    write: ({ path, content }) => [write(path, content)],
    edit: (args) => [edit(args.path, (args.edits as Args[]) ?? [args], 'oldText', 'newText')],
  },
  OpenHands: {
    execute_bash: ({ command, is_input: isInput }) => [
      isInput === 'true'
        ? command === 'C-c'
          ? 'process stop undefined '
          : `process send undefined ${command}\n`
        : run(command, undefined, undefined, [false, false]),
    ],
    edit_file: ({ path, content, start = 1, end = -1 }) =>
      start === 1 && end === -1 ? [write(path, content)] : undefined,
    finish: ({ message }) => [`end ${message}`],
  },
  'mini-swe-agent': { bash: ({ command }) => [run(command, undefined, undefined, [false, false])] },
};
