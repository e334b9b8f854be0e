import type { ConversationSummary } from './summary.ts';

export const groupNames = ['pinned', 'today', 'yesterday', 'week', 'older'] as const;
export type GroupName = (typeof groupNames)[number];

export interface ConversationGroup {
  name: GroupName;
  conversations: ConversationSummary[];
}

export function groupConversations(conversations: readonly ConversationSummary[], now: Date): ConversationGroup[] {
  const startOf = (daysAgo: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime();
  const [today, yesterday, week] = [startOf(0), startOf(1), startOf(7)];
  const nameOf = ({ pinned, updatedAt }: ConversationSummary): GroupName => {
    if (pinned) return 'pinned';
    if (updatedAt >= today) return 'today';
    if (updatedAt >= yesterday) return 'yesterday';
    return updatedAt >= week ? 'week' : 'older';
  };
  const groups = new Map<GroupName, ConversationSummary[]>(groupNames.map((name) => [name, []]));
  for (const conversation of conversations) groups.get(nameOf(conversation))?.push(conversation);
  return groupNames.flatMap((name) => {
    const own = groups.get(name) ?? [];
    return own.length === 0 ? [] : [{ name, conversations: own }];
  });
}
