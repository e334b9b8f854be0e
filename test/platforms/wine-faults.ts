export const wineFaults: readonly { reason: string; titles: readonly string[] }[] = [];
