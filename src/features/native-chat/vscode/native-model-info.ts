import * as l10n from '@vscode/l10n';
import type { ServiceModel } from '../../../service/contract.ts';
import type { ModelFacts } from '../../../service/step/learned.ts';
import { priceText } from '../../../shared/money.ts';
import { maxTools } from '../../../tools/external-tools.ts';

export interface NativeModelInfo {
  id: string;
  name: string;
  family: string;
  version: string;
  tooltip: string;
  detail: string;
  maxInputTokens: number;
  maxOutputTokens: number;
  capabilities: { imageInput: boolean; toolCalling: number | false };
  /** The stable typings lack this property; some releases hide a model without it from the picker. */
  isUserSelectable: true;
  /** The stable typings lack this property as well; see `withDefault`. */
  isDefault?: true;
}

/** The service publishes no limits, but VS Code wants numbers. */
const assumedInputTokens = 64_000;
const assumedOutputTokens = 8192;

/** `windowTokens` bounds a request together with its reply, and `maxTokens` bounds the reply. */
export function nativeModelInfo(
  { id, name }: ServiceModel,
  facts: Pick<ModelFacts, 'tools' | 'images'>,
  windowTokens: number | undefined,
  maxTokens: number | undefined,
): NativeModelInfo {
  const maxOutputTokens = Math.max(
    1,
    Math.min(maxTokens ?? assumedOutputTokens, Math.ceil((windowTokens ?? Infinity) / 4)),
  );
  const maxInputTokens = windowTokens === undefined ? assumedInputTokens : Math.max(1, windowTokens - maxOutputTokens);
  const size =
    windowTokens === undefined
      ? l10n.t("Assumes a context of {0} tokens because the service doesn't publish one.", assumedInputTokens)
      : l10n.t('Context: {0} tokens, as set or learned.', windowTokens);
  return {
    id,
    name,
    family: id.slice(id.lastIndexOf('/') + 1),
    version: id,
    tooltip: l10n.t('{0}, {1}. {2}', id, priceText, size),
    detail: priceText,
    maxInputTokens,
    maxOutputTokens,
    capabilities: {
      imageInput: facts.images?.works === true,
      toolCalling: facts.tools?.works === false ? false : maxTools,
    },
    isUserSelectable: true,
  };
}
