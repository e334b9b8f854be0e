import * as l10n from '@vscode/l10n';
import { formatMicroUsd } from '../money.ts';
import type { Failure } from './failure.ts';
import type { FailureAction } from './failure-action.ts';
import type { FailureKind } from './kinds.ts';

export interface Sentences {
  title: string;
  detail: string;
  actions: FailureAction[];
}

type NameOf = (id: string) => string;

type SentencesOf = (failure: Failure, nameOf: NameOf) => Sentences;

export const sentences: Record<FailureKind, SentencesOf> = {
  // before anything is sent
  'no-address': () => ({
    title: l10n.t('No service address is set'),
    detail: l10n.t("Enter your service's address, which ends in /v1. Nothing was sent."),
    actions: ['open-address-setting'],
  }),
  'no-key': () => ({
    title: l10n.t('No API key is set'),
    detail: l10n.t('Enter a key from the dashboard. Nothing was sent.'),
    actions: ['enter-key', 'open-dashboard'],
  }),
  'over-budget': overBudget,
  'not-served': () => ({
    title: l10n.t("The service doesn't offer this"),
    detail: l10n.t('The service only lists models and answers chat requests. Nothing was sent.'),
    actions: ['show-capabilities'],
  }),
  'unknown-model-id': (failure, nameOf) => {
    const nearest = fact(failure, 'nearestModel');
    const id = failure.model ?? '';
    return {
      title: l10n.t('No model has the ID "{0}"', id),
      detail: nearest
        ? l10n.t(
            'Did you mean {0} ({1})? Model IDs must match exactly, including lowercase letters, dots, and hyphens.',
            nameOf(nearest),
            nearest,
          )
        : l10n.t(
            'Select a model from the list. Model IDs must match exactly, including lowercase letters, dots, and hyphens.',
          ),
      actions: nearest ? ['use-nearest-model', 'select-model'] : ['select-model'],
    };
  },
  // the address, the key
  'key-rejected': () => ({
    title: l10n.t('The API key was not accepted'),
    detail: l10n.t('Enter the key again, or create a new one in the dashboard: a key is shown in full only once.'),
    actions: ['enter-key', 'open-dashboard'],
  }),
  'wrong-address': (failure) => {
    const address = fact(failure, 'address');
    const isPlain = fact(failure, 'cause') === 'tls';
    return {
      title: l10n.t('The service address is wrong'),
      detail: isPlain
        ? l10n.t('What answers at {0} does not use https. The address might have to begin with http://.', address ?? '')
        : address
          ? l10n.t('Nothing was found at {0}. The address must end in /v1, without a slash after it.', address)
          : l10n.t('Nothing was found there. The address must end in /v1, without a slash after it.'),
      actions: ['open-address-setting', 'check-service'],
    };
  },
  'wrong-method': () => ({
    title: l10n.t('This is a bug in the extension'),
    detail: l10n.t("It sent a request that the service doesn't accept. Please report it."),
    actions: ['report-issue'],
  }),
  'browser-refused': () => ({
    title: l10n.t("The service doesn't accept requests from browsers"),
    detail: l10n.t("Use desktop VS Code or a remote window. Requests can't be sent from a web page."),
    actions: ['show-capabilities'],
  }),
  redirected: (failure) => {
    const host = fact(failure, 'host');
    return {
      title: l10n.t('The service address leads somewhere else'),
      detail: host
        ? l10n.t("It redirects to {0}. Your key wasn't sent there. Check the address.", host)
        : l10n.t("It redirects to another address. Your key wasn't sent there. Check the address."),
      actions: ['open-address-setting', 'check-service'],
    };
  },
  'not-the-service': (failure) => {
    const page = fact(failure, 'title');
    return {
      title: l10n.t('Something other than the service answered'),
      detail: page
        ? l10n.t(
            'Received a page titled "{0}". It might be your network\'s sign-in page, or the address might be wrong.',
            page,
          )
        : l10n.t("Received a web page. It might be your network's sign-in page, or the address might be wrong."),
      actions: ['retry', 'open-address-setting', 'check-service'],
    };
  },
  forbidden: (failure) => ({
    title: undocumented(failure),
    detail: l10n.t(
      'The key might not be allowed to do this, or something between you and the service is blocking the request.',
    ),
    actions: ['enter-key', 'open-dashboard', 'check-service'],
  }),
  // the way there
  unreachable: (failure) => ({
    title: l10n.t("The service can't be reached"),
    detail: networkDetail(fact(failure, 'cause')),
    actions: ['retry', 'open-proxy-settings', 'check-service'],
  }),
  certificate: () => ({
    title: l10n.t("The connection isn't trusted"),
    detail: l10n.t(
      "The certificate couldn't be verified. If your network uses its own certificate, add it to the system's certificates and keep http.systemCertificates on.",
    ),
    actions: ['retry', 'open-proxy-settings', 'check-service'],
  }),
  'proxy-sign-in': () => ({
    title: l10n.t('Your proxy asks for a sign-in'),
    detail: l10n.t('Sign in to the proxy, or check the proxy settings, then try again.'),
    actions: ['open-proxy-settings', 'retry'],
  }),
  'origin-down': () => ({
    title: l10n.t("The service can't be reached"),
    detail: l10n.t("The service's own servers aren't responding. Try again later."),
    actions: ['retry', 'check-service'],
  }),
  timeout: () => ({
    title: l10n.t("The service didn't answer in time"),
    detail: l10n.t('Under load, requests can queue. Try again, or use another model.'),
    actions: ['retry', 'try-other-model'],
  }),
  // the service is busy or ill
  'capacity-model': unlessSeveralAsked((failure, nameOf) => ({
    title: l10n.t('{0} is at capacity', modelName(failure.namedModel ?? failure.model, nameOf)),
    detail: l10n.t('Try again later, or use another model at the same price.'),
    actions: ['try-other-model', 'retry', 'change-order'],
  })),
  'capacity-service': unlessSeveralAsked(() => ({
    title: l10n.t('All models are at capacity'),
    detail: l10n.t(
      'A single provider runs all models, so all can be full at once. Wait and Run asks again for up to an hour, free of charge, and sends your message once.',
    ),
    actions: ['wait-and-run', 'retry', 'try-other-model', 'change-order'],
  })),
  'rate-limited': (failure) => ({
    title: undocumented(failure),
    detail:
      retryAfter(failure) ??
      l10n.t('This usually means too many requests in a short time. Wait a moment, and then try again.'),
    actions: ['retry', 'try-other-model', 'open-dashboard'],
  }),
  'server-error': (failure) => ({
    title: undocumented(failure),
    detail: retryAfter(failure) ?? l10n.t("The problem is on the service's side. Try again, or use another model."),
    actions: ['retry', 'try-other-model'],
  }),
  // the service refuses this request
  balance: () => ({
    title: l10n.t('Your balance seems to be used up'),
    detail: l10n.t(
      "The service doesn't document this error. Check your balance in the dashboard, and top up there by card, from 5 USD.",
    ),
    actions: ['open-dashboard', 'retry'],
  }),
  'context-length': (failure) => {
    const limit = Number(fact(failure, 'limit'));
    return {
      title: l10n.t('The conversation might be too long for this model'),
      detail:
        limit > 0
          ? l10n.t(
              'Its limit seems to be {0} tokens. Compact the conversation, remove attachments, or use another model.',
              limit,
            )
          : l10n.t(
              'Compact the conversation, remove attachments, or use another model. The service publishes no limits.',
            ),
      // A limit that the service named is remembered already.
      actions: ['compact', 'new-from-summary', 'try-other-model', ...(limit > 0 ? [] : (['remember-size'] as const))],
    };
  },
  'unknown-model': (failure, nameOf) => {
    const nearest = fact(failure, 'nearestModel');
    return {
      title: l10n.t("The service doesn't know {0}", modelName(failure.model, nameOf)),
      detail: nearest
        ? l10n.t('It might no longer be offered. Did you mean {0} ({1})?', nameOf(nearest), nearest)
        : l10n.t('It might no longer be offered. Select another model.'),
      actions: nearest ? ['use-nearest-model', 'select-model', 'retry'] : ['select-model', 'retry'],
    };
  },
  'images-refused': (failure, nameOf) => ({
    title: l10n.t('{0} refused the image', modelName(failure.model, nameOf)),
    detail: l10n.t('svc remembers this. Send without the image, or use a model that accepts images.'),
    actions: ['send-without-images', 'try-other-model'],
  }),
  'tools-refused': (failure, nameOf) => ({
    title: l10n.t('{0} might not accept tools', modelName(failure.model, nameOf)),
    detail: l10n.t('svc remembers this. Try again without tools, or use another model to work with your files.'),
    actions: ['retry', 'try-other-model'],
  }),
  'history-refused': (failure, nameOf) => ({
    title: l10n.t("{0} didn't accept the conversation so far", modelName(failure.model, nameOf)),
    detail: l10n.t('Another model might accept it as it is.'),
    actions: ['try-other-model', 'new-chat', 'retry'],
  }),
  'parameter-refused': (failure, nameOf) => {
    const name = fact(failure, 'parameter');
    return {
      title: name
        ? l10n.t('{0} doesn\'t accept the setting "{1}"', modelName(failure.model, nameOf), name)
        : l10n.t("{0} doesn't accept a setting", modelName(failure.model, nameOf)),
      detail: l10n.t('svc remembers this. The next request leaves it out.'),
      actions: ['retry', 'try-other-model'],
    };
  },
  'bad-request': (failure) => ({
    title: undocumented(failure),
    detail: l10n.t('The details show what the service said.'),
    actions: ['retry', 'try-other-model', 'new-chat'],
  }),
  'too-large': () => ({
    title: l10n.t('The request is too large'),
    detail: l10n.t('Remove attachments, or start a new chat. The service publishes no limit.'),
    actions: ['new-chat', 'retry'],
  }),
  // the reply is not whole
  'empty-reply': (failure, nameOf) => ({
    title: l10n.t('Empty answer'),
    detail: l10n.t('{0} answered without any text. Try again, or use another model.', modelName(failure.model, nameOf)),
    actions: ['retry', 'try-other-model'],
  }),
  'cut-off': () => ({
    title: l10n.t('Connection ended early'),
    detail: l10n.t('What had arrived is kept above. Continue from there, or start over.'),
    actions: ['continue', 'retry'],
  }),
  stalled: () => ({
    title: l10n.t('The answer stalled'),
    detail: l10n.t('Nothing more arrived, so the connection was closed. What had arrived is kept above.'),
    actions: ['continue', 'retry', 'try-other-model'],
  }),
  'content-filter': () => ({
    title: l10n.t('The answer was withheld'),
    detail: l10n.t("The service's content filter ended it. Rephrase your message, or use another model."),
    actions: ['retry', 'try-other-model'],
  }),
  repetition: (failure, nameOf) => ({
    title: l10n.t('The model repeated itself'),
    detail: l10n.t(
      '{0} wrote the same text over and over, so it was stopped before it cost more.',
      modelName(failure.model, nameOf),
    ),
    actions: ['retry', 'try-other-model'],
  }),
  'malformed-tool-calls': (failure, nameOf) => ({
    title: l10n.t("The model couldn't call its tools"),
    detail: l10n.t(
      "{0} kept writing tool calls that couldn't be read. None of them ran.",
      modelName(failure.model, nameOf),
    ),
    actions: ['retry', 'try-other-model'],
  }),
  'no-progress': (failure, nameOf) => ({
    title: l10n.t('The model made no progress'),
    detail: l10n.t(
      '{0} brought nothing new in {1} steps, although it was told so: {2}. This message has cost {3}. Another model costs the same.',
      modelName(failure.model, nameOf),
      fact(failure, 'steps'),
      fact(failure, 'repeated'),
      formatMicroUsd(Number(fact(failure, 'microUsd')), false),
    ),
    actions: ['try-other-model', 'retry'],
  }),
  protocol: (failure) => {
    if (fact(failure, 'lost') !== '') {
      return {
        title: l10n.t('A part of the answer was lost'),
        detail: l10n.t('It was damaged on the way. The place is marked above. Ask again to get all of it.'),
        actions: ['retry', 'try-other-model'],
      };
    }
    return {
      title: l10n.t("The answer couldn't be read"),
      detail: l10n.t("It isn't in the chat completions format. The readable part is kept above."),
      actions: ['retry', 'try-other-model', 'check-service'],
    };
  },
  // on this machine
  storage: () => ({
    title: l10n.t("The conversation couldn't be saved"),
    detail: l10n.t(
      'The disk might be full or read-only. The conversation stays open. Copy what you need before you close the editor.',
    ),
    actions: ['retry', 'show-log'],
  }),
  internal: () => ({
    title: l10n.t('Something went wrong in the extension'),
    detail: l10n.t('The log has the details.'),
    actions: ['retry', 'show-log', 'report-issue'],
  }),
};

function unlessSeveralAsked(one: SentencesOf): SentencesOf {
  return (failure, nameOf) => {
    const asked = modelsIn(failure, 'asked');
    if (asked.length < 2) return one(failure, nameOf);
    return {
      title: l10n.t('All {0} models are at capacity', asked.length),
      detail: l10n.t(
        'A single provider runs all models, so all can be full at once. Wait and Run asks again for up to an hour, free of charge, and sends your message once.',
      ),
      actions: ['wait-and-run', 'retry', 'try-other-model', 'change-order'],
    };
  };
}

function overBudgetDetail(sentBefore: number): string {
  if (!(sentBefore > 0)) return l10n.t('Nothing was sent. Continue once for this message, or change the limit.');
  if (sentBefore === 1)
    return l10n.t(
      'One request was sent before this one, which was not. Continue once for this message, or change the limit.',
    );
  return l10n.t(
    '{0} requests were sent before this one, which was not. Continue once for this message, or change the limit.',
    sentBefore,
  );
}

export function cutAndBusy(failure: Failure, nameOf: NameOf): Pick<Sentences, 'title' | 'detail'> | undefined {
  const [first, ...more] = modelsIn(failure, 'busy');
  if (first === undefined) return undefined;
  return {
    title:
      more.length === 0
        ? l10n.t('The answer was cut off, and {0} is at capacity', nameOf(first))
        : l10n.t('The answer was cut off, and {0} other models are at capacity', more.length + 1),
    detail: l10n.t('What had arrived is kept above. Continue in a few minutes.'),
  };
}

export function modelsIn(failure: Failure, name: 'asked' | 'busy'): string[] {
  return fact(failure, name).split(' ').filter(Boolean);
}

function overBudget(failure: Failure): Sentences {
  const limit = Number(fact(failure, 'limitMicroUsd'));
  const amount = Number.isFinite(limit) && limit > 0 ? formatMicroUsd(limit, false) : '';
  const which = fact(failure, 'limit');
  if (which === 'confirm') {
    const estimate = formatMicroUsd(Number(fact(failure, 'estimateMicroUsd')), true);
    return {
      title: l10n.t('This request might cost {0}', estimate),
      detail: l10n.t('svc asks before a request above {0}. Nothing was sent.', amount),
      actions: ['continue', 'change-limit'],
    };
  }
  if (which === 'message') {
    const spent = formatMicroUsd(Number(fact(failure, 'spentMicroUsd')), false);
    const next = formatMicroUsd(Number(fact(failure, 'estimateMicroUsd')), true);
    return {
      title: l10n.t('Stopped before the limit of {0} for this message', amount),
      detail: l10n.t(
        'It has cost {0}, and the next request would cost {1}. What was done so far is kept.',
        spent,
        next,
      ),
      actions: ['raise-limit'],
    };
  }
  if (which === 'cap') {
    return {
      title: l10n.t('This run stopped at {0}, as agreed', amount),
      detail: l10n.t('What was done so far stands. Continue once to let it go on.'),
      actions: ['continue-once'],
    };
  }
  const title =
    which === 'conversation'
      ? l10n.t('This conversation reached its limit of {0}', amount)
      : l10n.t('You reached your daily limit of {0}', amount);
  return {
    title: amount === '' ? l10n.t('You reached your spend limit') : title,
    detail: overBudgetDetail(Number(fact(failure, 'sentBefore'))),
    actions: ['continue-once', 'change-limit'],
  };
}

function networkDetail(cause: string): string {
  switch (cause) {
    case 'dns':
      return l10n.t("The host name wasn't found. Check your network and the service address.");
    case 'refused':
      return l10n.t('The server refused the connection. Check the service address.');
    case 'reset':
      return l10n.t('The connection closed before an answer arrived. Try again.');
    case 'no-route':
      return l10n.t("That address can't be reached from here. Check your network.");
    case 'connect-timeout':
      return l10n.t('The connection timed out. Check your network and the proxy settings.');
    case 'proxy':
      return l10n.t('The proxy blocked the request. Check the proxy settings.');
    default:
      return l10n.t('Check your network, the proxy settings, and the service address, then try again.');
  }
}

function undocumented(failure: Failure): string {
  return failure.status === undefined
    ? l10n.t("The service refused the request in a way it doesn't document")
    : l10n.t("The service answered {0}, which it doesn't document", failure.status);
}

function retryAfter(failure: Failure): string | undefined {
  if (failure.retryAfterMs === undefined) return undefined;
  return l10n.t('It asks to wait {0} seconds.', Math.ceil(failure.retryAfterMs / 1000));
}

function modelName(id: string | undefined, nameOf: NameOf): string {
  return id ? nameOf(id) : l10n.t('The model');
}

function fact(failure: Failure, name: string): string {
  const facts = failure.facts;
  return facts && Object.hasOwn(facts, name) ? String(facts[name]) : '';
}
