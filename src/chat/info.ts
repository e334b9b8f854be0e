import type { ChatMode } from '../shared/approval.ts';
import type { Attachment } from '../shared/messages.ts';
import type { AttachmentChip, PanelInfo } from '../shared/panel/panel-info.ts';
import type { IncomingAttachments } from './incoming-attachments.ts';
import { type SteerPrice, shownQueue } from './steer-price.ts';
import type { ChatViewModel } from './view-model.ts';

export interface PanelInfoDeps {
  viewModel: ChatViewModel;
  incoming: Pick<IncomingAttachments, 'chips' | 'waiting'>;
  settings: {
    dashboardUrl(): string;
    chatMode(): ChatMode;
    sendKey(): PanelInfo['sendKey'];
    whileBusy(): PanelInfo['whileBusy'];
    compactsWhenCheaper(): boolean;
    chatFonts(): PanelInfo['fonts'];
  };
  limitChoice: { isMade(): boolean };
  readiness: { hasAddress(): boolean; hasKey(): boolean; keyProblem(): PanelInfo['keyProblem'] };
  models: { ids(): readonly string[]; nameOf(id: string): string };
  model(): string;
  sections(): PanelInfo['sections'];
  steerPrice: SteerPrice;
  estimate(attachment: Attachment): Pick<AttachmentChip, 'tokens' | 'microUsd' | 'assumed'>;
  takesImages(model: string): boolean;
  changes(): Pick<PanelInfo, 'edits' | 'editOutcomes' | 'editParts' | 'editHunks'>;
  agent?(): string | undefined;
  tryOrder(): readonly string[];
  unsaved(): PanelInfo['unsaved'];
  place(): Pick<PanelInfo, 'trusted' | 'hasFolder' | 'hasRepository' | 'virtualFolders' | 'locale'>;
  inTab: boolean;
}

export function createPanelInfo(deps: PanelInfoDeps): () => PanelInfo {
  const { viewModel, settings, readiness, models } = deps;
  return () => {
    const id = deps.model();
    const agent = deps.agent?.();
    const limitMicroUsd = viewModel.draft.limit();
    return {
      hasAddress: readiness.hasAddress(),
      hasKey: readiness.hasKey(),
      keyProblem: readiness.keyProblem(),
      hasDashboard: settings.dashboardUrl() !== '',
      ...(!deps.limitChoice.isMade() && { offersLimit: true }),
      model: { id, name: models.nameOf(id) },
      ...(!deps.takesImages(id) && { imagesRefused: true }),
      modelNames: Object.fromEntries(namedIds(deps, id).map((each) => [each, models.nameOf(each)])),
      ...deps.place(),
      attachments: chipsOf(deps),
      sending: deps.incoming.waiting(),
      ...deps.changes(),
      tryOrder: deps.tryOrder(),
      sections: deps.sections(),
      queue: shownQueue(viewModel.conversation(), deps.steerPrice),
      unsaved: deps.unsaved(),
      mode: settings.chatMode(),
      ...(agent !== undefined && { agent }),
      ...(limitMicroUsd !== undefined && { limitMicroUsd }),
      ...(settings.compactsWhenCheaper() && { compactsWhenCheaper: true }),
      sendKey: settings.sendKey(),
      whileBusy: settings.whileBusy(),
      fonts: settings.chatFonts(),
      ...(deps.inTab && { inTab: true }),
    };
  };
}

function chipsOf({ viewModel, incoming, estimate }: PanelInfoDeps): AttachmentChip[] {
  const attached = viewModel.draft.attachments().map((attachment): AttachmentChip => {
    const { id, label, kind, image } = attachment;
    return { id, label, ...(kind && { kind }), ...(image && { image }), ...estimate(attachment) };
  });
  const onTheirWay = incoming.chips().map(({ id, label, kind, failed }): AttachmentChip => {
    return { id, label, kind, incoming: failed === undefined ? 'loading' : { failed } };
  });
  return [...attached, ...onTheirWay];
}

function namedIds({ models, viewModel }: PanelInfoDeps, current: string): string[] {
  const ids = new Set([current, ...models.ids()]);
  for (const item of viewModel.state().items) {
    if (item.kind !== 'answer') continue;
    ids.add(item.requestedModel).add(item.model);
    for (const part of item.parts) {
      if (part.type === 'notice' && part.notice.kind === 'fallback') ids.add(part.notice.from).add(part.notice.to);
    }
    if (item.failure?.namedModel) ids.add(item.failure.namedModel);
  }
  return [...ids];
}
