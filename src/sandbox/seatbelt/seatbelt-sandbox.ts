import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isOfProcess } from '../../base/temporary.ts';
import { type Aftermath, inputOf, type NoSandbox, type SandboxDeps, SandboxUnusable, stateOf } from '../launch.ts';
import { unfitRoot } from '../mounts.ts';
import { removeLeftOver } from '../placeholders.ts';
import { planSandbox, scanOf } from '../plan.ts';
import { aftermathOf, createOwnFiles, foldersThere, realOr, removeFolder, type Sandbox } from '../sandbox.ts';
import { createScanCache } from '../scan/scan-cache.ts';
import { seatbeltLaunch } from './seatbelt-launch.ts';
import { trySeatbelt } from './seatbelt-trial.ts';
import { macFacts } from './system-facts.ts';

/**
 * Runs commands under a profile of macOS. It blocks what bubblewrap blocks, except that processes must be found to be
 * killed, there is no separate home folder but only another `HOME`, git's data stays closed, and the network is open
 * for all hosts or for none. `program` replaces `sandbox-exec` in tests.
 */
export function createSeatbeltSandbox(deps: SandboxDeps, program?: string): Sandbox {
  const ownFiles = createOwnFiles();
  const scanCache = createScanCache();
  let tried: ReturnType<typeof trySeatbelt> | undefined;
  let unfit: NoSandbox | undefined;
  const isRoot = process.getuid?.() === 0;
  const find = () => {
    tried ??= isRoot && program === undefined ? Promise.resolve('system') : trySeatbelt(deps, program);
    return tried;
  };
  const places = async (conversationId?: string) => {
    const [home = '', ...apart] = await Promise.all([deps.home, ...deps.editorData, deps.stateDir].map(realOr));
    const roots = await foldersThere(deps.roots(conversationId));
    return roots.length === 0 || unfitRoot(roots, [home, ...apart]) !== undefined ? undefined : { roots, home };
  };
  const planFor = async (conversationId: string) => {
    const there = await places(conversationId);
    if (there === undefined) return { unfit: 'home' as const };
    const state = await stateOf(path.join(deps.stateDir, conversationId));
    return planSandbox(inputOf(deps, { ...there, state, isOwn: ownFiles.has, scanCache }), macFacts);
  };
  return {
    async unusable() {
      const found = await find();
      if (typeof found === 'string') return found;
      if ((await places()) === undefined) return 'home';
      // What was in the way may be gone.
      if (unfit !== undefined) {
        const plan = await planFor('trial');
        unfit = 'unfit' in plan ? plan.unfit : undefined;
      }
      return unfit;
    },
    async launch({ level, conversationId, ...command }) {
      const found = await find();
      if (typeof found === 'string') throw new SandboxUnusable(found);
      const plan = await planFor(conversationId);
      unfit = 'unfit' in plan ? plan.unfit : undefined;
      if ('unfit' in plan) throw new SandboxUnusable(plan.unfit);
      const secretsBefore = new Set(plan.secrets.filter((file) => !ownFiles.has(file)));
      let released: Promise<Aftermath> | undefined;
      return seatbeltLaunch(deps, found.program, plan, {
        ...{ ...command, network: level === 'network' },
        async release() {
          released ??= scanOf(inputOf(deps, { ...plan, scanCache })).then((after) => {
            ownFiles.add(after.masked.filter((file) => !secretsBefore.has(file)));
            return aftermathOf(after, plan, []);
          });
          return released;
        },
      });
    },
    async forget(isStored) {
      await removeLeftOver(deps.stateDir);
      for (const name of await readdir(deps.stateDir).catch(() => [])) {
        if (!isOfProcess(name) && !(await isStored(name))) await removeFolder(path.join(deps.stateDir, name));
      }
    },
    // Its fixed parts would have to be there before the rest is opened.
    granted: () => false,
    grant: () => undefined,
    close: () => undefined,
  };
}
