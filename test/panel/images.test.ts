import assert from 'node:assert/strict';
import { readDataUrl } from '../../src/shared/image.ts';
import type { AttachmentChip } from '../../src/shared/panel/panel-info.ts';
import type { PanelMessage } from '../../src/shared/panel/protocol.ts';
import { someOf } from '../support/effort.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { axeProblems } from './axe.ts';
import { ask, end, failedTurn, say, snapshot } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';
import { themeNames } from './themes.ts';

type Attached = Extract<PanelMessage, { type: 'attachImage' }>;

/** Two frames, the first one red, the second one blue, one pixel each. */
const animatedGif =
  'R0lGODlhAQABAPABAP8AAAAA/yH/C05FVFNDQVBFMi4wAwEAAAAh+QQACgAAACwAAAAAAQABAAACAkQBACH5BAAKAAAALAAAAAABAAEAAAICTAEAOw==';
const hash = 'a'.repeat(64);
const image = { hash, mediaType: 'image/png', width: 800, height: 600, bytes: 9000 } as const;
const chip: AttachmentChip = { id: 'i1', kind: 'image', label: 'shot.png', image, tokens: 640, microUsd: 211 };
const onePixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

describe('images', () => {
  let panel: PanelPage;
  const open = async (options = {}) => {
    panel = await openPanel(options);
    await panel.send(snapshot());
  };
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    assert.deepEqual(panel.foreignRequests(), []);
    await panel.close();
  });

  /** A picture of noise in the middle of a colour, as a file of the page's. */
  const make = (kind: 'paste' | 'paste, Enter' | 'drop', type: string, width: number, height: number, name: string) =>
    panel.input.evaluate(
      async (box, { kind, type, width, height, name }) => {
        const canvas = document.createElement('canvas');
        canvas.width = width;
        canvas.height = height;
        const context = canvas.getContext('2d');
        if (!context) throw new Error('no canvas');
        context.fillStyle = 'teal';
        context.fillRect(0, 0, width, height);
        const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type));
        if (!blob) throw new Error('no blob');
        const data = new DataTransfer();
        data.items.add(new File([blob], name, { type }));
        if (kind !== 'drop') {
          box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
          if (kind === 'paste') return;
          box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
          return;
        }
        for (const each of ['dragover', 'drop']) {
          box.dispatchEvent(new DragEvent(each, { dataTransfer: data, bubbles: true, cancelable: true }));
        }
      },
      { kind, type, width, height, name },
    );
  const dropBytes = (base64: string, name: string, type = 'image/png') =>
    panel.input.evaluate(
      (box, { base64, name, type }) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([bytes], name, { type }));
        box.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      },
      { base64, name, type },
    );
  const attached = () =>
    waitFor('an attached image', async () =>
      (await panel.posted()).find((message): message is Attached => message.type === 'attachImage'),
    );
  /** What the page says of a file that it could not make ready. */
  const refusal = (reason: string) =>
    waitFor('the refusal', async () =>
      (await panel.posted()).find((message) => message.type === 'notArrived' && message.reason === reason),
    ) as Promise<Extract<PanelMessage, { type: 'notArrived' }>>;

  it('S24 F7 a pasted picture is attached, ready to be sent, and nothing is written into the text', async () => {
    await open();
    await panel.input.fill('What is this?');
    await make('paste', 'image/png', 40, 30, 'image.png');
    const { name, url, width, height } = await attached();
    assert.deepEqual([name, width, height], ['Pasted image', 40, 30]);
    assert.equal(readDataUrl(url)?.mediaType, 'image/png');
    assert.equal(await panel.input.inputValue(), 'What is this?');
  });

  it('S24 an image is sent without a word, also right after it was pasted', async () => {
    await open();
    const sent = async () => (await panel.posted()).filter(({ type }) => type === 'attachImage' || type === 'send');
    /** The host shows what the page began to read, and then that it went with the message. */
    const showChip = async () => {
      const [begun] = (await panel.posted()).filter((message) => message.type === 'incoming').slice(-1);
      assert.ok(begun);
      await panel.send(snapshot([], { attachments: [{ ...chip, id: begun.id, incoming: 'loading' }] }), snapshot());
    };
    await make('paste, Enter', 'image/png', 400, 300, 'image.png');
    await waitFor('both', async () => (await sent()).length === 2);
    assert.deepEqual(
      (await sent()).map(({ type }) => type),
      ['send', 'attachImage'],
      'the host waits for what the page said that it reads',
    );
    await showChip();
    await panel.input.press('Enter');
    await panel.page.getByRole('button', { name: 'Send' }).click({ force: true });
    assert.equal((await sent()).length, 2, 'without an image and a word there is nothing to send');
    await panel.send(snapshot([], { attachments: [chip] }));
    await panel.page.getByRole('button', { name: 'Send' }).click();
    assert.deepEqual((await sent()).at(-1), { type: 'send', text: '' });
    await panel.send(snapshot());
    await make('paste', 'image/png', 40, 30, 'image.png');
    await waitFor('the image', async () => (await sent()).length === 4);
    await panel.input.press('Enter');
    assert.deepEqual((await sent()).at(-1), { type: 'send', text: '' }, 'before its chip is there');
    await panel.forgetPosted();
  });

  it('S24 a message that is an image alone has no empty bubble, and is edited as what it is', async () => {
    await open();
    const asked = ask('')[0];
    assert.ok(asked?.type === 'userMessage');
    const attachment = { id: 'i1', kind: 'image', label: 'shot.png', image, text: '' } as const;
    await panel.send(snapshot([{ ...asked, attachments: [attachment] }, ...ask('').slice(1), say('A cat.'), end()]));
    const message = panel.page.getByRole('article', { name: 'You' });
    assert.equal(await message.locator('.prompt').count(), 0);
    await message.getByRole('button', { name: 'Edit' }).click();
    await panel.input.press('Enter');
    const rerun = (await panel.posted()).find(({ type }) => type === 'rerun');
    assert.deepEqual(rerun?.type === 'rerun' && rerun.edited, { text: '', keep: ['i1'] });
  });

  it('S24 F7 a dropped picture keeps its name and is made as small as models look at', async () => {
    await open();
    await make('drop', 'image/jpeg', 3136, 1000, 'photo.jpg');
    const { name, url, width, height } = await attached();
    assert.deepEqual([name, width, height], ['photo.jpg', 1568, 500]);
    assert.equal(readDataUrl(url)?.mediaType, 'image/jpeg');
  });

  it('S24 what a camera wrote into the file does not leave the machine', async () => {
    await open();
    const jpeg = await panel.page.evaluate(() => {
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = 8;
      return canvas.toDataURL('image/jpeg').split(',')[1] ?? '';
    });
    const bytes = Buffer.from(jpeg, 'base64');
    const secret = Buffer.from('Exif\0\0 51.5007 N 0.1246 W');
    const marker = Buffer.from([0xff, 0xe1, 0, secret.length + 2]);
    const withPlace = Buffer.concat([bytes.subarray(0, 2), marker, secret, bytes.subarray(2)]);
    assert.ok(withPlace.includes('51.5007'));
    await dropBytes(withPlace.toString('base64'), 'photo.jpg');
    const sent = Buffer.from((await attached()).url.split(',')[1] ?? '', 'base64');
    assert.ok(!sent.includes('51.5007') && !sent.includes('Exif'));
  });

  it('S24 of an animation the first picture is sent', async () => {
    await open();
    await dropBytes(animatedGif, 'moving.gif');
    const { url } = await attached();
    assert.equal(readDataUrl(url)?.mediaType, 'image/png');
    const color = await panel.page.evaluate(async (encoded) => {
      const bytes = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
      const canvas = document.createElement('canvas');
      const context = canvas.getContext('2d');
      context?.drawImage(await createImageBitmap(new Blob([bytes])), 0, 0);
      return [...(context?.getImageData(0, 0, 1, 1).data ?? [])];
    }, url.split(',')[1] ?? '');
    assert.deepEqual(color, [255, 0, 0, 255]);
  });

  it('S24 other forms and damaged files are refused with the reason, whatever they are called', async () => {
    await open();
    await dropBytes(Buffer.from('\0\0\0 ftypavif____________').toString('base64'), 'photo.png');
    await refusal("Can't attach photo.png: only PNG, JPEG, GIF, and WebP images can be sent.");
    await dropBytes(Buffer.from('\x89PNG\r\n\x1a\nbroken', 'latin1').toString('base64'), 'broken.png');
    await refusal("Can't attach broken.png: the file is damaged, or its content doesn't match its type.");
    assert.ok(!(await panel.posted()).some(({ type }) => type === 'attachImage'));
  });

  it('S24 an SVG is attached as the text that it is', async () => {
    await open();
    const text = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    await dropBytes(Buffer.from(text).toString('base64'), 'logo.svg', 'image/svg+xml');
    const posted = await waitFor('the text', async () =>
      (await panel.posted()).find(({ type }) => type === 'attachText'),
    );
    assert.ok(posted.type === 'attachText');
    assert.deepEqual([posted.name, posted.text], ['logo.svg', text]);
  });

  it('S24 a file that the host read is made ready and answered with its number, also when it cannot be', async () => {
    await open();
    await panel.send(
      { type: 'prepareImage', id: 'seven', name: 'docs/a.png', data: onePixel.split(',')[1] ?? '' },
      { type: 'prepareImage', id: 'eight', name: 'docs/b.png', data: 'AAAA' },
    );
    const reason = "Can't attach docs/b.png: only PNG, JPEG, GIF, and WebP images can be sent.";
    assert.equal((await refusal(reason)).id, 'eight');
    const { id, name, width } = await attached();
    assert.deepEqual([id, name, width], ['seven', 'docs/a.png', 1]);
  });

  it('S24 what is sent while a picture is still being made ready takes it along', async () => {
    await open();
    await panel.input.fill('What is this?');
    await make('paste', 'image/png', 1500, 1500, 'image.png');
    await panel.input.press('Enter');
    const order = await waitFor('the message', async () => {
      const types = (await panel.posted()).map(({ type }) => type);
      return types.includes('attachImage') && types.includes('send')
        ? types.filter((type) => ['incoming', 'send', 'attachImage'].includes(type))
        : undefined;
    });
    // The host waits for what is incoming, so it does not matter which of the two was faster.
    assert.equal(order[0], 'incoming');
    assert.deepEqual(order.slice(1).sort(), ['attachImage', 'send']);
  });

  it('S24 U1 the chip shows the picture, its size and its price, opens it, and is removed by keyboard', async () => {
    await open();
    await panel.send({ type: 'info', info: snapshot([], { attachments: [chip] }).info });
    assert.deepEqual((await panel.posted()).at(-1), { type: 'showImage', hash });
    await panel.send({ type: 'image', hash, url: onePixel });
    await panel.page.locator('.composer img.thumbnail[src^="data:image/png"]').waitFor();
    const name = /^Open shot\.png, 800 × 600, tokens: about 640, ≈/;
    await panel.page.getByRole('button', { name }).click();
    assert.deepEqual((await panel.posted()).at(-1), { type: 'openAttachment', id: 'i1' });
    await panel.page.getByRole('button', { name: 'Remove shot.png' }).focus();
    await panel.page.keyboard.press('Enter');
    assert.deepEqual((await panel.posted()).at(-1), { type: 'removeAttachment', id: 'i1' });
  });

  it('S24 says what is not known: the price before the first image, and that a model has refused one', async () => {
    await open();
    await panel.send({ type: 'info', info: snapshot([], { attachments: [{ ...chip, assumed: true }] }).info });
    await panel.page.getByRole('button', { name: /cost isn't known until this model's first image/ }).waitFor();
    await panel.page.getByText('price unknown').waitFor();
    const { tokens: _tokens, microUsd: _money, ...refused } = chip;
    await panel.send({ type: 'info', info: snapshot([], { attachments: [refused], imagesRefused: true }).info });
    await panel.page
      .getByRole('button', { name: /name only, 800 × 600, This model might not accept images/ })
      .waitFor();
    await panel.page.locator('.chip-state', { hasText: 'name only' }).waitFor();
  });

  it('S24 the card of a refusal offers to send without the image, or another model', async () => {
    await open();
    const refusal = failedTurn('images-refused', { status: 400, serverMessage: 'does not support image input' });
    await panel.send(snapshot(refusal, { tryOrder: ['svc/kimi-k3', 'svc/glm-5.3'] }));
    await panel.page.getByText('Kimi K3 refused the image').waitFor();
    await panel.page.getByRole('button', { name: 'Try GLM 5.3' }).waitFor();
    await panel.page.getByRole('button', { name: 'Send Without Image' }).click();
    assert.deepEqual((await panel.posted()).at(-1), {
      type: 'action',
      turnId: 'turn-1',
      action: 'send-without-images',
    });
  });

  for (const theme of someOf(themeNames, themeNames.length)) {
    it(`U10 axe finds nothing wrong with images in ${theme}`, async () => {
      await open({ theme, width: 220 });
      const [first, ...others] = ask('What is this?');
      assert.ok(first?.type === 'userMessage');
      const attachments = [
        { id: 'i0', kind: 'image' as const, label: 'a long name of a screenshot.png', text: '', image },
      ];
      await panel.send(
        snapshot([{ ...first, attachments }, ...others, say('A button.'), end()], {
          attachments: [chip],
          imagesRefused: true,
        }),
      );
      await waitFor('the question for the picture', async () =>
        (await panel.posted()).some(({ type }) => type === 'showImage'),
      );
      await panel.send({ type: 'image', hash, url: onePixel });
      await panel.page.locator('.message img.thumbnail').waitFor();
      assert.deepEqual(await axeProblems(panel.page), []);
      const wide = await panel.page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      assert.equal(wide, false);
    });
  }
});
