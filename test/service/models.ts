// The seven models. The interface says that five of them accept images but not which; the choice below is ours.
export interface ServedModel {
  id: string;
  displayName: string;
  acceptsImages: boolean;
  /** Sends `reasoning_content` before its text, as these families do. */
  reasons: boolean;
}

export const servedModels: readonly ServedModel[] = [
  { id: 'svc/deepseek-v4-pro', displayName: 'DeepSeek V4-Pro', acceptsImages: false, reasons: true },
  { id: 'svc/deepseek-v4.1-flash', displayName: 'DeepSeek V4.1 Flash', acceptsImages: true, reasons: true },
  { id: 'svc/glm-5.3', displayName: 'GLM 5.3', acceptsImages: true, reasons: false },
  { id: 'svc/glm-5.3-flash', displayName: 'GLM-5.3 Flash', acceptsImages: true, reasons: false },
  { id: 'svc/kimi-k3', displayName: 'Kimi K3', acceptsImages: true, reasons: true },
  { id: 'svc/kimi-k3-fast', displayName: 'Kimi K3 Fast', acceptsImages: true, reasons: true },
  { id: 'svc/qwen-3.8-27b', displayName: 'Qwen 3.8 27B', acceptsImages: false, reasons: false },
];

/** One fixed number for every model: by the interface it is not a creation date. */
const created = 1_700_000_000;

/** Ids are exact and case-sensitive. */
export function findModel(id: string): ServedModel | undefined {
  return servedModels.find((model) => model.id === id);
}

/** Body of `GET /v1/models`. */
export function modelList(): { object: 'list'; data: object[] } {
  return {
    object: 'list',
    data: servedModels.map(({ id }) => ({ id, object: 'model', created, owned_by: 'svc' })),
  };
}
