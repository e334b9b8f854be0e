import * as l10n from '@vscode/l10n';

/** Why a key that may well be there cannot be used. */
export type KeyProblem =
  /** The stored key was entered for `origin` and goes nowhere else. */
  | { state: 'other-address'; origin: string }
  /** SecretStorage failed; `message` is what it said. */
  | { state: 'unavailable'; message: string };

/** One sentence for the panel and for the key's input box: what is the matter and what to do. */
export function keyProblemText(problem: KeyProblem): string {
  return problem.state === 'other-address'
    ? l10n.t(
        'The stored key was entered for {0} and is sent nowhere else. Enter the key for this address.',
        problem.origin,
      )
    : l10n.t(
        'The secret storage of the editor could not be read: {0}. Enter the key again; on Linux a keyring must be unlocked.',
        problem.message,
      );
}
