/**
 * Never runs `step` twice at once: calls while it runs become one more run after it. The call that began resolves
 * after the last of these runs and rejects with the first that fails, which ends them. The other calls resolve at
 * once.
 */
export function coalesced(step: () => Promise<void>): () => Promise<void> {
  let running = false;
  let again = false;
  return async () => {
    again = true;
    if (running) return;
    running = true;
    try {
      while (again) {
        again = false;
        await step();
      }
    } finally {
      running = false;
    }
  };
}
