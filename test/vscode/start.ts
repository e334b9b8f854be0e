import { type ChildProcess, spawn } from 'node:child_process';
import { access, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type LocalService, startLocalService } from '../service/local-service.ts';
import type { TourStop } from '../service/tour.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { buildExtension } from './build-extension.ts';
import { freePort, launchServer } from './launch.ts';
import { endProcessTree } from './process-tree.ts';
import { copySampleWorkspace } from './sample-workspace.ts';
import { sampleTour, tourOf, tourRules, tourSettings } from './start-tour.ts';

const usage = `npm start -- [options]
  --base-url URL         use this service (its address ends in /v1) instead of the local one
  --dashboard-url URL    the dashboard that belongs to it
  --upstream URL         let the local service forward to this chat-completions server (key: UPSTREAM_API_KEY)
  --upstream-model ID    and ask it for this model
  --folder DIR           open this folder instead of a copy of the sample project
  --port N               port of VS Code in the browser
  --version 1.139|1.106  release of VS Code in the browser
  --browser              VS Code in the browser even where there is a desktop one
  --no-open              print the address only
`;

const options = {
  'base-url': { type: 'string' },
  'dashboard-url': { type: 'string' },
  upstream: { type: 'string' },
  'upstream-model': { type: 'string' },
  folder: { type: 'string' },
  port: { type: 'string' },
  version: { type: 'string', default: '1.139' },
  browser: { type: 'boolean', default: false },
  'no-open': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;
type Options = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

const projectRoot = path.resolve(import.meta.dirname, '../..');
/** Puts our chat in front. */
const startExtension = path.join(import.meta.dirname, 'start-extension');
/** Always the same: a browser that was used before still has it. */
const demoKey = 'sk-svc-demo-0123456789abcdef';
/** Tried first, so that a second start finds the profile of the first. */
const usualPorts = { editor: 8137, service: 8138 };
/** Fast enough to read along. */
const chunkDelayMs = 15;

type Cleanup = () => Promise<unknown>;

async function start(values: Options, cleanups: Cleanup[]): Promise<void> {
  console.log('Building the extension …');
  await buildExtension();
  const temp = await makeTempDir('svc-start-');
  cleanups.push(temp.remove);
  const folder = await chooseFolder(values, temp.path);
  const tour = values.folder === undefined ? sampleTour : await tourOf(folder);
  const service = values['base-url'] === undefined ? await startService(values, tour) : undefined;
  if (service) cleanups.push(() => service.close());
  const settings = {
    'svc.baseUrl': values['base-url'] ?? service?.baseUrl ?? '',
    'svc.dashboardUrl': values['dashboard-url'] ?? service?.dashboardUrl ?? '',
    ...(values.folder === undefined ? tourSettings() : {}),
  };
  if (!values.browser && !values['no-open'] && (await hasDesktopCode())) {
    const desktop = await openDesktop(folder, path.join(temp.path, 'desktop'), settings, questionOf(tour));
    cleanups.push(() => endProcessTree(desktop));
    printNextSteps('VS Code opens on your desktop.', values, service, questionOf(tour));
    return;
  }
  const server = await launchServer({
    version: values.version === '1.106' ? '1.106' : '1.139',
    folder,
    port: values.port === undefined ? await usualPort(usualPorts.editor) : Number(values.port),
    userDataDir: path.join(temp.path, 'server'),
    settings,
    linkedExtension: projectRoot,
    otherExtensions: [startExtension],
    env: { SVC_START_QUESTION: questionOf(tour) },
  });
  cleanups.push(() => server.close());
  printNextSteps(`VS Code ${server.realVersion} is at\n\n    ${server.url()}\n`, values, service, questionOf(tour));
  if (!values['no-open']) openInBrowser(server.url());
}

async function chooseFolder(values: Options, tempFolder: string): Promise<string> {
  if (values.folder === undefined) return copySampleWorkspace(path.join(tempFolder, 'corner-shop'));
  const folder = path.resolve(process.env.INIT_CWD ?? '.', values.folder);
  await access(folder);
  return folder;
}

const questionOf = ([first]: readonly TourStop[]): string => first?.prompt ?? '';

async function startService(values: Options, tour: readonly TourStop[]): Promise<LocalService> {
  return startLocalService({
    port: await usualPort(usualPorts.service),
    keys: [demoKey],
    keepBodies: false,
    ...(values.upstream === undefined
      ? { tour, script: { settings: { chunkDelayMs }, rules: tourRules } }
      : { script: { settings: { chunkDelayMs } } }),
    upstream: values.upstream,
    upstreamModel: values['upstream-model'],
    upstreamApiKey: process.env.UPSTREAM_API_KEY,
  });
}

function printNextSteps(where: string, values: Options, service: LocalService | undefined, question: string): void {
  const key = service ? `Paste this demo key:\n\n    ${demoKey}\n` : 'Enter the key from your dashboard.';
  const answers = values.upstream === undefined ? 'a stand-in model that reads your files' : values.upstream;
  const who = service
    ? `The local service answers at ${service.baseUrl} (${answers}). Its dashboard is ${service.dashboardUrl}`
    : `Requests go to ${values['base-url']}`;
  console.log(`
${where}
1. The chat opens by itself, with a question: ${question}
   Press Enter, and VS Code asks for the key.
2. ${key}
3. The question is sent, and each answer ends with what to try next.

${who}
Ctrl+C ends everything.
`);
}

async function hasDesktopCode(): Promise<boolean> {
  const hasDisplay =
    process.platform !== 'linux' || Boolean(process.env.DISPLAY) || Boolean(process.env.WAYLAND_DISPLAY);
  if (!hasDisplay) return false;
  const names = process.platform === 'win32' ? ['code.cmd'] : ['code'];
  const places = (process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((at) => names.map((name) => path.join(at, name)));
  const found = await Promise.all(
    places.map((file) =>
      access(file).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}

/** Settings and state of its own: the user's editor stays as it is. */
async function openDesktop(
  folder: string,
  dataDir: string,
  settings: Record<string, unknown>,
  question: string,
): Promise<ChildProcess> {
  const settingsFile = path.join(dataDir, 'User/settings.json');
  await mkdir(path.dirname(settingsFile), { recursive: true });
  await writeFile(settingsFile, JSON.stringify(settings, null, 2));
  const isRoot = process.getuid?.() === 0;
  const args = [
    ...['--new-window', '--wait', '--disable-workspace-trust', '--user-data-dir', dataDir],
    ...['--extensions-dir', path.join(dataDir, 'extensions'), `--extensionDevelopmentPath=${projectRoot}`],
    `--extensionDevelopmentPath=${startExtension}`,
    ...(isRoot ? ['--no-sandbox'] : []),
    folder,
  ];
  const windows = process.platform === 'win32';
  return spawn(windows ? 'code.cmd' : 'code', args, {
    stdio: 'ignore',
    detached: !windows,
    shell: windows,
    env: { ...process.env, SVC_START_QUESTION: question },
  });
}

/** Nothing depends on it: the address is printed. */
function openInBrowser(url: string): void {
  const hasDisplay = Boolean(process.env.DISPLAY) || Boolean(process.env.WAYLAND_DISPLAY);
  if (process.platform === 'linux' && !hasDisplay) return;
  const opener = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open';
  const child = spawn(opener, [url], { stdio: 'ignore', detached: true });
  child.once('error', (error) => console.log(`Open the address yourself (${error.message}).`));
  child.unref();
}

async function usualPort(port: number): Promise<number> {
  return freePort(port).catch(() => freePort());
}

const { values } = parseArgs({ options });
if (values.help) {
  console.log(usage);
} else {
  const cleanups: Cleanup[] = [];
  const closeAll = async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      console.log('Ending …');
      closeAll().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
  try {
    await start(values, cleanups);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    await closeAll();
    process.exitCode = 1;
  }
}
