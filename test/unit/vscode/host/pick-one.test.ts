import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { person, reset } from '../../../support/fake-vscode.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';

const { pickOne } = await importWithVscodeStub<typeof import('../../../../src/vscode/host/pick-one.ts')>(
  new URL('../../../../src/vscode/host/pick-one.ts', import.meta.url),
);

describe('a list of which one row is current', () => {
  beforeEach(reset);
  const [ask, agent] = [{ label: 'Ask' }, { label: 'Agent' }];

  it('ux 2.20 Enter at once picks what is current, and changes nothing', async () => {
    const picked = pickOne([ask, agent], agent, { title: 'Mode' });
    const [box] = person.boxes;
    assert.deepEqual(box?.activeItems, [agent]);
    box?.enter();
    assert.equal(await picked, agent);
    assert.ok(!box?.isShown && box?.isDisposed);
  });

  it('ux 2.20 Escape picks nothing', async () => {
    const picked = pickOne([ask, agent], undefined, {});
    person.boxes[0]?.hide();
    assert.equal(await picked, undefined);
  });
});
