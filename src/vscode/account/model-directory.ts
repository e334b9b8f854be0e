import * as vscode from 'vscode';
import type { ModelList, ServiceModel } from '../../service/contract.ts';
import { displayName, knownModels } from '../../service/models.ts';
import type { Failure } from '../../shared/failure/failure.ts';

/**
 * Lists the models: the live list once it was requested, else the last good one, else the published seven. Nothing
 * polls: `refresh` runs when a picker opens or a model turns out to be unknown.
 */
export interface ModelDirectory {
  models(): readonly ServiceModel[];
  ids(): readonly string[];
  nameOf(id: string): string;
  /** Returns true when the list came from the service, now or earlier. */
  fromService(): boolean;
  refresh(listModels: (signal: AbortSignal) => Promise<ModelList>, signal: AbortSignal): Promise<Failure | undefined>;
  remember(models: readonly ServiceModel[]): Promise<void>;
  onDidChange: vscode.Event<void>;
}

const storedName = 'svc.models';

export function createModelDirectory(
  memento: vscode.Memento,
  /** Another path on the same host is another service, so the whole address counts. */
  address: () => string | undefined,
): ModelDirectory & vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const stored = () => {
    const value = memento.get<{ address?: string; ids: string[] }>(storedName);
    return value && value.address !== undefined && value.address === address() && Array.isArray(value.ids)
      ? value.ids
      : undefined;
  };
  const models = (): readonly ServiceModel[] => stored()?.map((id) => ({ id, name: displayName(id) })) ?? knownModels;
  const remember = async (list: readonly ServiceModel[]) => {
    const ids = list.map((model) => model.id);
    if (ids.join() === stored()?.join()) return;
    await memento.update(storedName, { address: address(), ids });
    changed.fire();
  };
  return {
    models,
    ids: () => models().map((model) => model.id),
    nameOf: displayName,
    fromService: () => stored() !== undefined,
    onDidChange: changed.event,
    async refresh(listModels, signal) {
      const asked = address();
      const list = await listModels(signal);
      if (!list.ok) return list.failure;
      // The address was changed meanwhile: this is the list of another service.
      if (address() === asked) await remember(list.models);
      return undefined;
    },
    remember,
    dispose: () => changed.dispose(),
  };
}
