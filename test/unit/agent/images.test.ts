import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { economise, imageMessages } from '../../../src/agent/economy.ts';
import { toHistory } from '../../../src/agent/history.ts';
import { nextPreview } from '../../../src/agent/request-preview.ts';
import type { Attachment, HistoryImage, HistoryMessage } from '../../../src/shared/messages.ts';

const model = 'svc/kimi-k3';
const ref = { hash: 'a'.repeat(64), mediaType: 'image/png' as const, width: 1000, height: 750, bytes: 9 };
const shot: HistoryImage = { ...ref, label: 'shot.png' };
const attachments: Attachment[] = [
  { id: '1', kind: 'image', label: 'shot.png', text: '', image: ref },
  { id: '2', kind: 'text', label: 'log', text: 'boom' },
];
const asked: HistoryMessage = { role: 'user', text: 'What is this?', images: [shot] };
const rest = (turns: number): HistoryMessage[] =>
  Array.from({ length: turns }, (_, at): HistoryMessage[] => [
    { role: 'assistant', text: `answer ${at}`, model, toolCalls: [] },
    { role: 'user', text: `question ${at}` },
  ]).flat();
const sent = (turns: number) => economise([asked, ...rest(turns)], { model, toolKind: () => 'other' });

describe('images in the history', () => {
  it('S24 stand beside the text of their message, and other attachments in it', () => {
    const history = toHistory([{ type: 'userMessage', id: 'm', at: 1, text: 'What is this?', attachments }]);
    assert.deepEqual(history, [
      { role: 'user', text: 'Attached: log\n```\nboom\n```\n\nWhat is this?', images: [shot] },
    ]);
  });

  it('S24 S13 are sent with their message and the next ones, then only named, which saves their price', () => {
    for (let turns = 0; turns < imageMessages; turns++) {
      assert.deepEqual(sent(turns).messages[0], asked, `${turns} messages later`);
      assert.equal(sent(turns).saved.tokens, 0);
    }
    const { messages, saved } = sent(imageMessages);
    assert.deepEqual(messages[0], {
      role: 'user',
      text: '[image: shot.png, 1000×750, sent earlier, not repeated]\n\nWhat is this?',
    });
    assert.ok(saved.tokens > 950 && saved.tokens < 1000, `${saved.tokens}: the image without its name`);
    assert.deepEqual(sent(imageMessages + 4).messages[0], messages[0], 'stays as it is from then on');
  });

  it('U16 are shown in what will be sent by name and size, not as a page of letters', () => {
    const request = { model, messages: [asked], surface: 'chat' as const };
    const text = nextPreview({ request, facts: { parameters: {} }, baseUrl: 'b', prices: [], notes: [] });
    assert.match(text, /\[image: shot\.png, 1000×750\]/);
    assert.match(text, /\(image\) data:image\/png;base64,… \(9 bytes\)/);
  });
});
