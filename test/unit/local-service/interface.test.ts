import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { demoKey } from '../../service/local-service.ts';
import { type ErrorBody, json, minimal, sendRaw, useService } from './harness.ts';

interface ModelList {
  data: { id: string; object: string; created: number; owned_by: string }[];
}

describe('local service: list models', () => {
  const { get } = useService();

  it('S2 lists the seven ids of the interface without a key', async () => {
    const response = await get('/v1/models');
    assert.equal(response.status, 200);
    const { data } = await json<ModelList>(response);
    assert.deepEqual(
      data.map(({ id }) => id),
      [
        'svc/deepseek-v4-pro',
        'svc/deepseek-v4.1-flash',
        'svc/glm-5.3',
        'svc/glm-5.3-flash',
        'svc/kimi-k3',
        'svc/kimi-k3-fast',
        'svc/qwen-3.8-27b',
      ],
    );
  });

  it('S2 gives every model the four fields only, with the same `created` and the same `owned_by`', async () => {
    const { data } = await json<ModelList>(await get('/v1/models'));
    for (const model of data) {
      assert.deepEqual(Object.keys(model), ['id', 'object', 'created', 'owned_by']);
      assert.equal(model.object, 'model');
      assert.equal(model.created, data[0]?.created);
      assert.equal(model.owned_by, 'svc');
    }
    assert.ok(Number.isInteger(data[0]?.created));
  });

  it('S2 is not harmed by a key, right or wrong', async () => {
    for (const key of [demoKey, 'sk-svc-wrong']) {
      const response = await get('/v1/models', { headers: { authorization: `Bearer ${key}` } });
      assert.equal(response.status, 200);
    }
  });

  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']) {
    it(`S7 answers ${method} on the models path with a 405 page`, async () => {
      const response = await get('/v1/models', { method });
      assert.equal(response.status, 405);
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
      if (method !== 'HEAD') assert.match(await response.text(), /Method Not Allowed/);
    });
  }
});

describe('local service: paths', () => {
  const { chat, get } = useService();
  const auth = { authorization: `Bearer ${demoKey}` };
  const unserved: [string, string][] = [
    ['POST', '/v1/completions'],
    ['POST', '/v1/embeddings'],
    ['POST', '/v1/responses'],
    ['POST', '/v1/messages'],
    ['GET', '/v1/models/svc/glm-5.3'],
    ['GET', '/v1/models/glm-5.3'],
    ['POST', '/v1/fine_tuning/jobs'],
    ['GET', '/v1/fine_tuning/jobs'],
    ['POST', '/v1/audio/speech'],
    ['POST', '/v1/audio/transcriptions'],
    ['POST', '/v1/images/generations'],
    ['GET', '/models'],
    ['POST', '/chat/completions'],
    ['GET', '/'],
    ['GET', '/v1'],
    ['GET', '/v1/'],
    ['GET', '/v2/models'],
    ['GET', '/v1/models/'],
    ['POST', '/v1/chat/completions/'],
    ['GET', '//v1/models'],
    ['GET', '/V1/models'],
    ['GET', '/dashboard/other'],
  ];
  for (const [method, path] of unserved) {
    it(`S1 S21 answers ${method} ${path} with a 404 page, also with a key`, async () => {
      const response = await get(path, { method, headers: auth });
      assert.equal(response.status, 404);
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
      assert.match(await response.text(), /Not Found/);
    });
  }

  for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) {
    it(`S7 answers ${method} on the chat path with a 405 page`, async () => {
      const response = await get('/v1/chat/completions', { method });
      assert.equal(response.status, 405);
      assert.match(await response.text(), /Method Not Allowed/);
    });
  }

  it('S20 refuses a preflight with 400 and sends no CORS header anywhere', async () => {
    const origin = { origin: 'https://example.com' };
    const preflight = await get('/v1/chat/completions', {
      method: 'OPTIONS',
      headers: { ...origin, 'access-control-request-method': 'POST' },
    });
    assert.equal(preflight.status, 400);
    assert.equal(await preflight.text(), 'Disallowed CORS origin');
    const others = [
      await get('/v1/models', { headers: origin }),
      await get('/nowhere', { headers: origin }),
      await chat({}, { headers: { ...auth, ...origin } }),
    ];
    for (const response of [preflight, ...others]) {
      const names = [...response.headers.keys()].filter((name) => name.startsWith('access-control-'));
      assert.deepEqual(names, []);
    }
  });
});

describe('local service: the key', () => {
  const { chat, get, service } = useService();
  const refused = async (response: Response): Promise<void> => {
    assert.equal(response.status, 401);
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    assert.deepEqual(await response.json(), { error: { code: 401, message: 'unauthorized', type: 'invalid_auth' } });
  };

  const wrongHeaders: [string, Record<string, string>][] = [
    ['no key', {}],
    ['a wrong key', { authorization: 'Bearer sk-svc-wrong' }],
    ['double quotes around the key', { authorization: `Bearer "${demoKey}"` }],
    ['single quotes around the key', { authorization: `Bearer '${demoKey}'` }],
    ['an escaped newline after the key', { authorization: `Bearer ${demoKey}\\n` }],
    ['an encoded newline after the key', { authorization: `Bearer ${demoKey}%0A` }],
    ['two spaces', { authorization: `Bearer  ${demoKey}` }],
    ['no word Bearer', { authorization: demoKey }],
    ['another scheme', { authorization: `Basic ${demoKey}` }],
    ['x-api-key', { 'x-api-key': demoKey }],
    ['api-key', { 'api-key': demoKey }],
    ['a key cut by one character', { authorization: `Bearer ${demoKey.slice(0, -1)}` }],
    ['a key with one character more', { authorization: `Bearer ${demoKey}x` }],
  ];
  for (const [name, headers] of wrongHeaders) {
    it(`S6 S17 refuses ${name} with the exact 401 object`, async () => {
      await refused(await chat({}, { headers }));
    });
  }

  it('S17 does not take a key from the URL', async () => {
    const response = await get(`/v1/chat/completions?api_key=${demoKey}&key=${demoKey}`, {
      method: 'POST',
      body: JSON.stringify(minimal),
    });
    await refused(response);
  });

  it('S17 refuses a raw newline after the key with the 401 object', async () => {
    const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${demoKey}\n\r\nContent-Length: 2\r\n\r\n{}`;
    const answer = await sendRaw(service().port, head, 'invalid_auth');
    assert.match(answer, /^HTTP\/1\.1 401 /);
  });

  it('S18 checks the key before the body: a malformed body without a key is a 401', async () => {
    await refused(await chat({}, { headers: {}, body: '{"model": ' }));
  });

  it('S18 sends the 401 before the body has arrived', async () => {
    const head = 'POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n';
    assert.match(await sendRaw(service().port, head, 'invalid_auth'), /^HTTP\/1\.1 401 /);
  });

  it('S18 answers a malformed body with a good key by something other than 401, at no cost', async () => {
    for (const body of ['{"model": ', '', '[]', '{}', '{"model":"svc/glm-5.3","messages":[]}']) {
      const response = await chat({}, { body });
      assert.equal(response.status, 400);
      assert.equal((await json<ErrorBody>(response)).error.code, 400);
    }
    assert.deepEqual(service().charges, []);
  });

  it('S26 answers malformed bodies with 422 when told so', async () => {
    service().script({ settings: { malformedBodyStatus: 422 } });
    const response = await chat({}, { body: '{' });
    assert.equal(response.status, 422);
    assert.equal((await json<ErrorBody>(response)).error.code, 422);
  });

  it('S6 a 401 is not charged and shows nothing of the request', async () => {
    await refused(await chat({ model: 'svc/unknown' }, { headers: {} }));
    assert.deepEqual(service().charges, []);
  });
});

describe('local service: model ids', () => {
  const { chat, script } = useService();
  for (const model of ['glm-5.3', 'svc/deepseek-v4-1-flash', 'svc/deepseek-v4.pro', 'svc/GLM-5.3', 'gpt-4o', '']) {
    it(`S3 refuses the id "${model}" by name`, async () => {
      const response = await chat({ model });
      assert.equal(response.status, 400);
      assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
      assert.ok((await json<ErrorBody>(response)).error.message.includes(`\`${model}\``));
    });
  }

  it('S26 refuses unknown ids with 404 when told so', async () => {
    script({ settings: { unknownModelStatus: 404 } });
    assert.equal((await chat({ model: 'gpt-4o' })).status, 404);
  });

  it('S24 five of the seven models accept images, the other two refuse them with a sentence', async () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const content = [{ type: 'text', text: 'What is this?' }, image];
    const ids = [
      'deepseek-v4-pro',
      'deepseek-v4.1-flash',
      'glm-5.3',
      'glm-5.3-flash',
      'kimi-k3',
      'kimi-k3-fast',
      'qwen-3.8-27b',
    ];
    const refusing: string[] = [];
    for (const id of ids) {
      const response = await chat({ model: `svc/${id}`, messages: [{ role: 'user', content }] });
      if (response.status === 200) continue;
      assert.equal(response.status, 400);
      assert.match((await json<ErrorBody>(response)).error.message, /does not support image input/);
      refusing.push(id);
    }
    assert.deepEqual(refusing, ['deepseek-v4-pro', 'qwen-3.8-27b']);
  });
});
