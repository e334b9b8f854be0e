import type { FeatureWindow } from '../feature-window.ts';
import { createNative } from './vscode/create-native.ts';

export function nativeChat({ service, chat, composers }: FeatureWindow) {
  return createNative(service, chat, composers.read);
}
