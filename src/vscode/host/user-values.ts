import * as vscode from 'vscode';

export const section = 'svc';

interface UserValue {
  own?: unknown;
  byDefault?: unknown;
}

/**
 * Reads settings that decide where the key goes, what runs and what may be spent: they count only as the user's own
 * value. The `application` scope already keeps workspaces out; reading the global value alone keeps it so even if the
 * scope were changed. Values are cached until `forget`: VS Code takes half a millisecond to compute one, and a price
 * asks for a dozen.
 */
export function createUserValues() {
  const known = new Map<string, UserValue>();
  const find = (key: string): UserValue => {
    const found = known.get(key) ?? inspectUserValue(key);
    known.set(key, found);
    return found;
  };
  return {
    forget: () => known.clear(),
    readUserValue: <T>(key: string) => (find(key).own ?? undefined) as T | undefined,
    /** Falls back to the default where the user set nothing; the user's `null` means none and yields undefined. */
    readUserOrDefault<T>(key: string) {
      const { own, byDefault } = find(key);
      return ((own === undefined ? byDefault : own) ?? undefined) as T | undefined;
    },
  };
}

function inspectUserValue(key: string): UserValue {
  const settings = vscode.workspace.getConfiguration(section);
  const { globalValue, workspaceValue, workspaceFolderValue, defaultValue } = settings.inspect(key) ?? {};
  // What is inspected leaves a `null` of the user out.
  const isNull = [globalValue, workspaceValue, workspaceFolderValue].every((value) => value === undefined);
  return { own: isNull && settings.get(key) === null ? null : globalValue, byDefault: defaultValue };
}
