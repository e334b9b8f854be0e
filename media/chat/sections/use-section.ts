import type { SectionAction, SectionKey, SectionMessage, SectionStates } from '../../../src/shared/panel/sections.ts';
import { usePanel } from '../panel.ts';

export function useSection<Key extends SectionKey>(key: Key) {
  const { info, post } = usePanel();
  const state = info.value?.sections[key] as SectionStates[Key] | undefined;
  const act = (action: SectionAction<Key>) => () => post({ type: 'section', key, action } as SectionMessage);
  return { state, act, locale: info.value?.locale ?? 'en' };
}
