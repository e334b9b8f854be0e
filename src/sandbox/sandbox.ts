import { type Grant, shownAs } from './blocked.ts';
import type { BubblewrapPrograms } from './bubblewrap.ts';
import { createCommandPlans, existingFolders, realOr } from './command-plans.ts';
import { newCommandSession } from './egress-policy.ts';
import { fixedBeyond, fixedGitData, gitBeyond, readGitData } from './git-data.ts';
import { type Aftermath, type Launch, type LaunchInput, launchOf, type NoSandbox, SandboxUnusable } from './launch.ts';
import { createNetworks } from './networks.ts';
import { isWithinAny } from './paths.ts';
import { createPlaceholders, type Placeholder } from './placeholders.ts';
import type { SandboxDeps } from './plan/plan-input.ts';
import { linuxFacts } from './plan/system-facts.ts';
import { machineOf } from './seccomp.ts';
import { createTrials, tryOut } from './trial.ts';
import { folderOwner } from './user-namespace.ts';

export interface Sandbox {
  /**
   * Resolves with undefined when commands can run in it now. Whether it works at all is tried once for real, and the
   * workspace is checked every time.
   */
  unusable(): Promise<NoSandbox | undefined>;
  launch(input: LaunchInput): Promise<Launch>;
  forget(isStored: (conversationId: string) => Promise<boolean>): Promise<void>;
  /**
   * Returns the user's decision in the conversation; undefined when there is none. An uncovered file is decided anew
   * each time.
   */
  granted(conversationId: string, given: Grant): boolean | undefined;
  grant(conversationId: string, given: Grant, isAllowed: boolean): void;
  close(): void;
}

/** Runs commands in bubblewrap where Linux allows it. Everything that cannot be verified is a reason to ask instead. */
export function createSandbox(deps: SandboxDeps): Sandbox {
  const machine = process.platform === 'linux' ? machineOf(process.arch) : undefined;
  const placeholders = createPlaceholders(deps.stateDir);
  const grants = createGrants();
  const plans = createCommandPlans(deps, linuxFacts);
  const networks = deps.network && createNetworks({ ...deps.network, clock: deps.clock, log: deps.log });
  const trials = createTrials((owner) => tryOut(deps, networks, owner));
  const programs = async (roots: readonly string[]): Promise<NoSandbox | BubblewrapPrograms> => {
    if (machine === undefined) return 'system';
    const owner = await folderOwner(roots);
    return owner === 'several' ? 'owner' : trials.found(owner);
  };
  return {
    async unusable() {
      const found = await programs(await existingFolders(deps.roots()));
      return typeof found === 'string' ? found : plans.unusable();
    },
    async launch({ file, args, cwd, level, conversationId, variables, ask, onBlocked, uncovered }) {
      const roots = await existingFolders(deps.roots(conversationId));
      const found = await programs(roots);
      if (typeof found === 'string') throw new SandboxUnusable(found);
      const { gitWritable, shown, ports } = grants.allowed(conversationId);
      const ended = new AbortController();
      const session = newCommandSession(ended.signal, { ask, onBlocked });
      const entering =
        found.nsenter && level === 'on' ? networks?.enter(found, conversationId, { session, ports }) : undefined;
      // Awaited below; when it fails, the command has a network of its own.
      const entered = entering?.catch(() => undefined);
      const beyond = gitBeyond({ roots, home: await realOr(deps.home) }).filter(({ folder }) =>
        gitWritable.includes(folder),
      );
      const giveBack = await placeholders.take([
        ...missingIn(roots, gitWritable),
        ...beyond.flatMap((each) => fixedBeyond(each).flatMap(({ fixed }) => fixed)),
      ]);
      const canDownload = level === 'network' || networks?.egressPolicyOf(conversationId).hasAllowed() === true;
      const gitDataState = await readGitData(
        gitWritable,
        beyond.flatMap(({ own }) => own ?? []),
      );
      let released: Promise<Aftermath> | undefined;
      try {
        const { plan, aftermath } = await plans.next(conversationId, {
          ...{ gitWritable, canDownload, shown },
          uncovered,
        });
        const network = level === 'network' || ((await entered)?.network ?? false);
        await (await entered)?.open(plan.registryPorts);
        return await launchOf(deps, found, plan, {
          ...{ file, args, cwd, network, variables, session, canDownload },
          async release() {
            ended.abort();
            (await entered)?.leave();
            released ??= giveBack().then(async () => {
              const { appeared, loaded } = await aftermath();
              const { links, open, lost } = await gitDataState.afterwards();
              for (const link of links) {
                const place = shownAs(link, plan);
                session.blocked.set(place, { kind: 'link', path: place });
              }
              return { appeared: [...appeared, ...open.map((place) => shownAs(place, plan))], loaded, lost };
            });
            return released;
          },
        });
      } catch (error) {
        (await entered)?.leave();
        await giveBack();
        throw error;
      }
    },
    forget: (isStored) =>
      plans.forget(isStored, (conversationId) => {
        networks?.forget(conversationId);
        grants.forget(conversationId);
      }),
    granted: grants.of,
    grant: grants.set,
    close() {
      networks?.closeAll();
      trials.close();
    },
  };
}

/**
 * Lists what is created where it is missing: the editor obeys a new `.vscode` in a root at once, and git obeys what
 * leads to other settings.
 */
function missingIn(roots: readonly string[], gitWritable: readonly string[]): Placeholder[] {
  const inside = gitWritable.filter((folder) => isWithinAny(roots, folder));
  return [...roots.map((root) => ({ place: `${root}/.vscode` })), ...inside.flatMap(fixedGitData)];
}

function createGrants() {
  const answers = new Map<string, Map<string, { given: Grant; isAllowed: boolean }>>();
  return {
    of: (conversationId: string, given: Grant) => answers.get(conversationId)?.get(JSON.stringify(given))?.isAllowed,
    set(conversationId: string, given: Grant, isAllowed: boolean) {
      if (given.kind === 'file' && isAllowed) return;
      const own = answers.get(conversationId) ?? new Map();
      answers.set(conversationId, own.set(JSON.stringify(given), { given, isAllowed }));
    },
    allowed(conversationId: string) {
      const all = [...(answers.get(conversationId)?.values() ?? [])].filter(({ isAllowed }) => isAllowed);
      const placesOf = (kind: Grant['kind']) =>
        all.flatMap(({ given }) => (given.kind === kind && given.kind !== 'port' ? [given.place] : []));
      const ports = all.flatMap(({ given }) => (given.kind === 'port' ? [given.port] : []));
      return { gitWritable: placesOf('git'), shown: placesOf('folder'), ports };
    },
    forget: (conversationId: string) => void answers.delete(conversationId),
  };
}
