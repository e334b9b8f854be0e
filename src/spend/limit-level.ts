/** Where spending is with respect to a limit: `near` from 80 %, `reached` from 100 %. Undefined below and without one. */
export function limitLevel(microUsd: number, limitUsd: number | undefined): 'near' | 'reached' | undefined {
  if (limitUsd === undefined) return undefined;
  if (microUsd >= limitUsd * 1e6) return 'reached';
  return microUsd >= limitUsd * 0.8e6 ? 'near' : undefined;
}
