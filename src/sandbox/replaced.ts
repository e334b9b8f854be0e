import type { SandboxPlan } from './mounts.ts';
import type { SharedNetwork } from './networks.ts';
import { keepText } from './pass-settings.ts';
import { isHiddenFrom } from './plan.ts';
import { realPathOf } from './scan/hooks.ts';

const texts = {
  // Whoever gets no answer there asks once more at most.
  '/etc/resolv.conf': 'nameserver 127.0.0.1\noptions attempts:2 timeout:2\n',
  // Other addresses would bypass the egress proxy and lead to nothing.
  '/etc/hosts': '127.0.0.1 localhost\n::1 localhost ip6-localhost\n',
};

export async function withNetwork(plan: SandboxPlan, network: boolean | SharedNetwork): Promise<SandboxPlan> {
  if (network === false) return plan;
  const replaced = new Map(plan.replaced);
  if (typeof network === 'object') {
    for (const [name, text] of Object.entries(texts)) {
      const place = realPathOf(name);
      if (place !== undefined) replaced.set(place, await keepText(plan.state.settings, text));
    }
    return { ...plan, replaced };
  }
  const place = realPathOf('/etc/resolv.conf');
  if (place !== undefined && isHiddenFrom(plan, place)) replaced.set(place, place);
  return { ...plan, replaced };
}
