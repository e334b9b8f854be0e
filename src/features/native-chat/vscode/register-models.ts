import * as vscode from 'vscode';
import type { Event } from '../../../base/emitter.ts';
import { keySecretName } from '../../../vscode/account/key-secret-name.ts';
import type { NativeModelInfo } from './native-model-info.ts';
import type { NativeModels } from './native-models.ts';

const storedName = 'svc.nativeModels';

interface NativeModelsSource {
  models(): Promise<NativeModels>;
  onDidChange: Event;
}

/**
 * Registers our models in VS Code's chat. VS Code asks for their list in every window that opens its chat, so the
 * list is cached, and the rest loads with the first request. `attach` reports that the assistant was loaded for
 * another reason.
 */
export function registerModels(
  context: Pick<vscode.ExtensionContext, 'secrets' | 'globalState'>,
  load: () => Promise<NativeModels>,
): vscode.Disposable & { attach(source: NativeModelsSource): void } {
  const changed = new vscode.EventEmitter<void>();
  const owned: vscode.Disposable[] = [changed];
  let attached: NativeModelsSource | undefined;
  let keyChanged = false;
  owned.push(
    context.secrets.onDidChange(({ key }) => {
      if (key !== keySecretName) return;
      keyChanged = true;
      if (attached === undefined) changed.fire();
    }),
  );
  const loaded = () => (attached === undefined ? load() : attached.models());
  const listLoaded = async (silent: boolean): Promise<NativeModelInfo[]> => {
    const models = await loaded();
    const list = await models.list(silent);
    await context.globalState.update(storedName, { madeFor: madeFor(), list });
    return list;
  };
  const list = async (silent: boolean): Promise<NativeModelInfo[]> => {
    if (attached !== undefined) return listLoaded(silent);
    const hasKey = await hasStoredKey(context.secrets);
    if (!hasKey && silent) return [];
    const remembered = keyChanged || !hasKey ? undefined : readList(context.globalState.get(storedName));
    return remembered ?? listLoaded(silent);
  };
  owned.push(
    vscode.lm.registerLanguageModelChatProvider('svc', {
      onDidChangeLanguageModelChatInformation: changed.event,
      // A group of VS Code's own, with a key of its own, would list every model twice; our key is in one place.
      provideLanguageModelChatInformation: (options) =>
        'configuration' in options && options.configuration !== undefined ? [] : list(options.silent).then(withDefault),
      provideLanguageModelChatResponse: async (...args) => (await loaded()).respond(...args),
      provideTokenCount: async (model, text) => (await loaded()).countTokens(model.id, text),
    }),
  );
  return {
    attach(source) {
      attached = source;
      owned.push(source.onDidChange(() => changed.fire()));
      changed.fire();
    },
    dispose: () => vscode.Disposable.from(...owned).dispose(),
  };
}

/** VS Code starts with the first model of the list that its chat can use, so the user's model comes first. */
function inUsersOrder(list: NativeModelInfo[]): NativeModelInfo[] {
  const wanted = vscode.workspace.getConfiguration('svc').get('model');
  return list.toSorted((one, other) => Number(other.id === wanted) - Number(one.id === wanted));
}

/**
 * Older releases list no model in their chat, and ask no participant, until some model is a default one, which used
 * to be Copilot's alone. Where Copilot has none, ours becomes the default; newer releases (those with utility models)
 * need and accept no default.
 */
async function withDefault(unordered: NativeModelInfo[]): Promise<NativeModelInfo[]> {
  const list = inUsersOrder(unordered);
  const settings = vscode.workspace.getConfiguration();
  const isOlder = settings.inspect('chat.utilityModel')?.defaultValue === undefined;
  if (!isOlder || list.length === 0) return list;
  const others = await vscode.lm.selectChatModels({ vendor: 'copilot' });
  if (others.length > 0) return list;
  return list.map((info, at) => (at === 0 ? { ...info, isDefault: true } : info));
}

/** A keyring that does not open counts as a missing key. */
async function hasStoredKey(secrets: vscode.SecretStorage): Promise<boolean> {
  try {
    return (await secrets.get(keySecretName)) !== undefined;
  } catch {
    return false;
  }
}

function madeFor(): string {
  const settings = vscode.workspace.getConfiguration('svc');
  return JSON.stringify(
    ['baseUrl', 'models.limits', 'context.maxTokens', 'request.maxTokens'].map((key) => settings.get(key) ?? null),
  );
}

function readList(stored: unknown): NativeModelInfo[] | undefined {
  if (typeof stored !== 'object' || stored === null || !('madeFor' in stored) || stored.madeFor !== madeFor()) {
    return undefined;
  }
  const list = 'list' in stored && Array.isArray(stored.list) ? stored.list : [];
  return list.length > 0 ? list : undefined;
}
