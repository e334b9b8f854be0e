import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { closedRegistry, sandboxEnvironment } from '../../../src/sandbox/environment.ts';

/** Names and values as the documentation of well-known programs and services has them. */
const secret = {
  ...{ GITHUB_TOKEN: 'x', AWS_SECRET_ACCESS_KEY: 'x', PGPASSWORD: 'x', REDISCLI_AUTH: 'x', SSH_AUTH_SOCK: '/x' },
  ...{ MYSQL_PWD: 'x', AZURE_DEVOPS_EXT_PAT: 'x', GH_PAT: 'x', OP_SESSION_my: 'x', BW_SESSION: 'x', SENTRY_DSN: 'x' },
  ...{ AZURE_STORAGE_CONNECTION_STRING: 'x', SLACK_WEBHOOK_URL: 'x', SUPABASE_JWT: 'x', DB_CONN_STR: 'x' },
  ...{
    PLAIN: 'ghp_0123456789',
    OTHER: 'sk-svc-demo-0123456789',
    apiKey: 'x',
    DB_PASS: 'x',
    PGPASS: 'x',
    MYAPIKEY: 'x',
  },
  ...{ ConnectionStrings__Default: 'Server=db;User Id=sa;Password=x;', PEM: '-----BEGIN RSA PRIVATE' },
  ...{ 'npm_config_//registry.example.org/:_authToken': 'x', GIT_CONFIG_COUNT: '1', GIT_CONFIG_VALUE_0: 'x' },
};

/** Names that say nothing, as people choose them; the values are made up in the form of each issuer. */
const underHarmlessNames = {
  STRIPE: `sk${'_live_'}51H8xQ2eZvKYlo2C`,
  STRIPE_HOOK: `wh${'sec_'}q8Xb27Kd`,
  MODEL: 'hf_aBcDeFgHiJkLmNoP',
  REGISTRY: 'npm_a1B2c3D4e5F6g7H8',
  MAPS: 'AIzaSyA-1b2C3d4E5f6G7h8',
  MAIL: 'SG.aBcD1234.eFgH5678',
  VAULT: 'hvs.CAESIJ1a2b3c4d',
  CLOUD: 'AKIAIOSFODNN7EXAMPLE',
  TEMPORARY: 'ASIAIOSFODNN7EXAMPLE',
  HUB: 'github_pat_11ABC',
  LAB: 'glpat-a1b2c3d4e5',
  CHAT: 'xoxb-1234-5678',
  APP: 'xapp-1-A1B2-3',
  IMAGE: 'dckr_pat_a1B2c3',
  WHEEL: 'pypi-AgEIcHlwaS5vcmc',
  SHOP: 'shpat_a1b2c3d4',
  ISSUES: 'lin_api_a1b2c3',
  WIKI: 'ATATT3xFfGF0',
  GOOGLE: 'ya29.a0AfH6SMB',
  LOGIN: 'eyJhbGciOiJIUzI1NiJ9.e30.x',
  BOT: '123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0',
  NOTIFY: 'https://hooks.slack.com/services/T000/B000/XXXX',
  NOTIFY_TOO: 'https://discord.com/api/webhooks/1234/abcd',
  TEAMS: 'https://x.webhook.office.com/webhookb2/1',
  SIGNED: 'https://store.example.org/a?sig=abc',
  CALL: 'https://api.example.org/v1?access_token=abc',
  ACCOUNT: '{"type":"service_account","private_key":"x"}',
  DATABASE: 'Server=db;Password=x',
  SAS: 'Endpoint=sb://x/;SharedAccessKey=x',
  DIGEST: '9f86d081884c7d659a2feaa0c55ad015',
  LONG_DIGEST: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ID: '123e4567-e89b-12d3-a456-426614174000',
  RANDOM: 'Zx8Kq2mNv7Lp4Rt9Ws',
  BASE64: 'dGhpcyBpcyBhIHNlY3JldCB2YWx1ZQ==',
  MIXED: 'Tr0ub4dor&3',
  TUNNEL: 'user:hunter@host.example',
  ODD_ADDRESS: 'https://user:p/w@host/x',
  TWO_SIGNS: 'https://user:p@ss@host/x',
  ESCAPED: String.raw`https://user:p\@host/x`,
  SEVERAL: 'first 9f86d081884c7d659a2feaa0c55ad015',
};

const plain = {
  ...{ PATH: '/usr/bin', HOME: '/home/u', PWD: '/home/u/x', OLDPWD: '/home/u', LANG: 'C.UTF-8' },
  ...{ TERM: 'xterm-256color', GOFLAGS: '-mod=mod', PYTHONPATH: 'src', NODE_PATH: '/usr/lib/node', USER: 'u' },
  ...{ SHELL: '/bin/bash', EDITOR: 'vi', NODE_OPTIONS: '--max-old-space-size=4096', JAVA_HOME: '/opt/jdk', CI: '1' },
  ...{ HTTP_PROXY: 'http://proxy:3128', GIT_AUTHOR_NAME: 'Ada Lovelace', GIT_AUTHOR_EMAIL: 'ada@example.org' },
  ...{ TOKENIZERS_PARALLELISM: 'false', MONKEY_PATCH: '1', AUTHOR: 'Ada', KEYBOARD: 'us', COMPASS: 'north' },
  ...{ JAVA_TOOL_OPTIONS: '-Dfile.encoding=UTF-8 -Xmx512m', PYTHON_VERSION: '3.11.4', RUST_BACKTRACE: 'full' },
  ...{ LC_ALL: 'de_DE.UTF-8', TZ: 'Europe/Berlin', NO_PROXY: 'localhost,127.0.0.1,.example.org', COLUMNS: '120' },
  ...{ CC: 'gcc-12', CFLAGS: '-O2 -Wall', NODE_ENV: 'test', DEBUG: 'express:*,-babel', PAGER: 'less -R' },
  ...{ npm_config_registry: 'https://registry.example.org/npm/', GOPROXY: 'https://proxy.example.org,direct' },
  ...{
    LOG_LEVEL: 'info',
    PORT: '3000',
    MALLOC_ARENA_MAX: '2',
    DOTNET_CLI_TELEMETRY_OPTOUT: '1',
    COLORTERM: 'truecolor',
  },
  ...{ LD_NOT: 'x', HOSTTYPE: 'x86_64', ANDROID_HOME: '/opt/android-sdk', VIRTUAL_ENV: '/home/u/app/.venv' },
};
const { LD_NOT: _, ...passing } = plain;

describe('the environment of commands in the sandbox', () => {
  it('F31 X52 holds nothing that looks like a secret, and all else', () => {
    assert.deepEqual(sandboxEnvironment({ ...secret, ...plain }), passing);
  });

  for (const [name, value] of Object.entries(underHarmlessNames)) {
    it(`X54 ${name} is judged by what it holds`, () => assert.deepEqual(sandboxEnvironment({ [name]: value }), {}));
  }

  it('X54 an address loses its user and password, and stays', () => {
    assert.deepEqual(
      sandboxEnvironment({
        PIP_INDEX_URL: 'https://ada:lovelace@pypi.example.org/simple',
        GOPROXY: 'https://ada:x@one.example.org,https://bob@two.example.org,direct',
        DATABASE_URL: 'postgres://u:p@db/x',
      }),
      {
        PIP_INDEX_URL: 'https://pypi.example.org/simple',
        GOPROXY: 'https://one.example.org,https://two.example.org,direct',
        DATABASE_URL: 'postgres://db/x',
      },
    );
  });

  it('X63 a registry whose address cannot be passed on becomes none, not the public one', () => {
    const address = 'https://user:p/w@registry.example.org/';
    for (const name of ['npm_config_registry', 'NPM_CONFIG_REGISTRY', 'PIP_INDEX_URL', 'UV_INDEX_URL', 'GOPROXY']) {
      assert.deepEqual(sandboxEnvironment({ [name]: address }), { [name]: closedRegistry });
    }
  });
});
