import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TurnInput, TurnResult } from '../../../src/agent/turn.ts';
import { environmentPerConversation, type TurnEnvironment } from '../../../src/chat/environments.ts';
import type { TurnOwner } from '../../../src/chat/run-turn.ts';
import type { TurnHost } from '../../../src/conversation/turns/turns.ts';

function bench() {
  const asked: string[] = [];
  const outsideChanges = (name: string) => {
    const note = (what: string, id: string) => {
      asked.push(`${name} ${what} ${id}`);
      return name as never;
    };
    const made = {
      turnContext: { toSent: () => [name], overhead: (id: string) => note('overhead', id) },
      turns: {
        runFor: ({ conversationId }: TurnOwner) => {
          note('owner', conversationId);
          return async ({ turnId }: TurnInput) => note('turn', turnId);
        },
        next: ({ conversationId }: { conversationId: string }) => note('next', conversationId),
        last: (id: string) => note('last', id),
      },
    };
    return made as unknown as TurnEnvironment;
  };
  const elsewhere = new Map<string, TurnEnvironment>();
  const worlds = environmentPerConversation(outsideChanges('here'), (id) => elsewhere.get(id));
  return { asked, elsewhere, worlds, outsideChanges };
}

describe('worlds of conversations', () => {
  it('F39 a turn runs in the world that its conversation has when it begins', async () => {
    const { asked, elsewhere, worlds, outsideChanges } = bench();
    const run = worlds.turns.runFor({ conversationId: 'c' } as TurnOwner);
    const turn = (turnId: string): Promise<TurnResult> => run({ turnId } as TurnInput, {} as TurnHost);
    assert.equal(asked.length, 0);
    await turn('t1');
    elsewhere.set('c', outsideChanges('there'));
    await turn('t2');
    elsewhere.set('c', outsideChanges('elsewhere'));
    await turn('t3');
    elsewhere.delete('c');
    await turn('t4');
    assert.deepEqual(
      asked.filter((line) => line.includes('turn')),
      ['here turn t1', 'there turn t2', 'elsewhere turn t3', 'here turn t4'],
    );
    assert.deepEqual(
      asked.filter((line) => line.includes('owner')),
      ['here owner c', 'there owner c', 'elsewhere owner c', 'here owner c'],
    );
  });

  it('F39 what is shown of the next and the last request is of the same world, and of no other conversation', () => {
    const { asked, elsewhere, worlds, outsideChanges } = bench();
    const look = (id: string) => {
      asked.length = 0;
      worlds.turns.next({ conversationId: id } as Parameters<TurnEnvironment['turns']['next']>[0]);
      worlds.turns.last(id);
      worlds.turnContext.overhead(id, []);
      return [...asked];
    };
    const of = (name: string, id: string) => ['next', 'last', 'overhead'].map((what) => `${name} ${what} ${id}`);
    elsewhere.set('c', outsideChanges('there'));
    assert.deepEqual(look('c'), of('there', 'c'));
    assert.deepEqual(look('d'), of('here', 'd'));
    elsewhere.delete('c');
    assert.deepEqual(look('c'), of('here', 'c'));
  });
});
