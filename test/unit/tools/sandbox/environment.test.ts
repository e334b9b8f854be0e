import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { sandboxEnvironment } from '../../../../src/tools/command/sandbox/environment.ts';

/** Names and values as the documentation of well-known programs and services has them. */
const secret = {
  ...{ GITHUB_TOKEN: 'x', AWS_SECRET_ACCESS_KEY: 'x', PGPASSWORD: 'x', REDISCLI_AUTH: 'x', SSH_AUTH_SOCK: '/x' },
  ...{ MYSQL_PWD: 'x', AZURE_DEVOPS_EXT_PAT: 'x', GH_PAT: 'x', OP_SESSION_my: 'x', BW_SESSION: 'x', SENTRY_DSN: 'x' },
  ...{ AZURE_STORAGE_CONNECTION_STRING: 'x', SLACK_WEBHOOK_URL: 'x', SUPABASE_JWT: 'x', DB_CONN_STR: 'x' },
  ...{ DATABASE_URL: 'postgres://u:p@db/x', PLAIN: 'ghp_0123456789', OTHER: 'sk-svc-demo-0123456789' },
  ...{ ConnectionStrings__Default: 'Server=db;User Id=sa;Password=x;', PEM: '-----BEGIN RSA PRIVATE' },
};
const plain = {
  ...{
    PATH: '/usr/bin',
    HOME: '/home/u',
    PWD: '/home/u/x',
    OLDPWD: '/home/u',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
  },
  ...{ SHELL: '/bin/bash', EDITOR: 'vi', NODE_OPTIONS: '--max-old-space-size=4096', JAVA_HOME: '/opt/jdk', CI: '1' },
  ...{ GOFLAGS: '-mod=mod', PYTHONPATH: 'src', NODE_PATH: '/usr/lib/node', HTTP_PROXY: 'http://proxy:3128', USER: 'u' },
};

describe('the environment of commands in the sandbox', () => {
  it('F31 X52 holds nothing that looks like a secret, and all else', () => {
    assert.deepEqual(sandboxEnvironment({ ...secret, ...plain }), plain);
  });
});
