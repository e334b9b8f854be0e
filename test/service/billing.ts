// Prepaid balance in integer micro-dollars, drawn at one flat rate: 0.33 USD per 1,000,000 tokens, input and output alike.

export interface Charge {
  /** Index in `requests`. */
  requestIndex: number;
  model: string;
  promptTokens: number;
  completionTokens: number;
  microUsd: number;
}

export interface Account {
  charges: Charge[];
  balanceMicroUsd(): number;
  /** All tokens ever charged, exact: rounding is per request, so the money may differ from the flat rate by half a micro-dollar each. */
  totalTokens(): number;
  charge(usage: Omit<Charge, 'microUsd'>): void;
  /** Throws below the minimum top-up of 5 USD. */
  topUp(usd: number): void;
  reset(): void;
}

/** Price of a request in micro-dollars, rounded half up. 33 hundredths of a micro-dollar per token keep it integer. */
export function priceMicroUsd(totalTokens: number): number {
  return Math.floor((totalTokens * 33 + 50) / 100);
}

/** The last call may draw a little more than is left; from zero on, requests are refused. */
export function createAccount(balanceUsd: number): Account {
  const charges: Charge[] = [];
  const opening = Math.round(balanceUsd * 1_000_000);
  let balance = opening;
  return {
    charges,
    balanceMicroUsd: () => balance,
    totalTokens: () => charges.reduce((sum, charge) => sum + charge.promptTokens + charge.completionTokens, 0),
    charge: (usage) => {
      const microUsd = priceMicroUsd(usage.promptTokens + usage.completionTokens);
      charges.push({ ...usage, microUsd });
      balance -= microUsd;
    },
    topUp: (usd) => {
      if (!(usd >= 5)) throw new Error('The smallest top-up is 5 USD.');
      balance += Math.round(usd * 1_000_000);
    },
    reset: () => {
      charges.length = 0;
      balance = opening;
    },
  };
}
