import type { PickerName } from '../../shared/panel/panel-info.ts';
import type { HostMessage } from '../../shared/panel/protocol.ts';
import type { Service } from '../account/create-service.ts';
import { modelRows, modelsNote } from '../account/model-picker.ts';
import { type Agents, modeRows } from './mode-picker.ts';

export interface PickersDeps {
  service: Pick<Service, 'models' | 'learned' | 'board' | 'record' | 'client' | 'settings'>;
  agents: Agents;
  model(): string;
  post(message: Extract<HostMessage, { type: 'picks' }>): void;
}

/** Sends the rows of a picker as they are known, and once more when the service or the disk has told what is new. */
export function createPickers({ service, agents, model, post }: PickersDeps): (picker: PickerName) => Promise<void> {
  const { models, client, settings } = service;
  const showModels = (note: string) =>
    post({ type: 'picks', picker: 'model', rows: modelRows(service, model()), note });
  const showModes = () => post({ type: 'picks', picker: 'mode', rows: modeRows(settings.chatMode(), agents) });
  const pickers: Record<PickerName, () => Promise<void>> = {
    async model() {
      showModels(modelsNote(models));
      showModels(modelsNote(models, await models.refresh(client.listModels, AbortSignal.timeout(listMs))));
    },
    async mode() {
      showModes();
      await agents.refresh();
      showModes();
    },
  };
  return (picker) => pickers[picker]();
}

const listMs = 30_000;
