import * as l10n from '@vscode/l10n';
/** What is wrong, as one probe saw it; the diagnosis is made of the first one that matters. */
export type CheckFault =
  | 'stopped'
  | 'no-address'
  | 'dns'
  | 'refused'
  | 'tls'
  | 'proxy'
  | 'proxy-sign-in'
  | 'too-late'
  | 'network'
  | 'not-found'
  | 'down'
  | 'redirected'
  | 'web-page'
  | 'no-list'
  | 'other-models'
  | 'list-refused'
  | 'model-gone'
  | 'no-key'
  | 'key-rejected'
  | 'no-credit'
  | 'key-unclear'
  | 'other-service';

/** What one can do next, where the product can do it. */
export type CheckAction =
  | 'set-address'
  | 'set-key'
  | 'select-model'
  | 'open-dashboard'
  | 'open-proxy-settings'
  | 'check-again';

export interface Diagnosis {
  /** One or two sentences for a person. */
  text: string;
  /** The next step, as an instruction. */
  next: string;
  action?: CheckAction;
}

/** Facts that a sentence can name: none of them free text of the network, because they are shown in messages too. */
export interface DiagnosisFacts {
  baseUrl: string;
  /** `http.proxy` or a proxy variable is set. */
  proxied: boolean;
  /** Where the list was found instead. */
  foundAt?: string;
  /** The origin that a redirect leads to. */
  location?: string;
  model?: string;
  nearestModel?: string;
}

/** Most telling first: without the way there nothing else says anything, without the address the key does not. */
const order: readonly CheckFault[] = [
  'no-address',
  'stopped',
  'proxy',
  'proxy-sign-in',
  'tls',
  'dns',
  'refused',
  'too-late',
  'network',
  'redirected',
  'web-page',
  'not-found',
  'down',
  'no-list',
  'other-models',
  'list-refused',
  'key-rejected',
  'no-credit',
  'other-service',
  'model-gone',
  'no-key',
  'key-unclear',
];

/** `differences`: how many of the promises that do no harm were not kept. */
export function diagnose(faults: readonly CheckFault[], differences: number, facts: DiagnosisFacts): Diagnosis {
  const first = order.find((fault) => faults.includes(fault));
  if (first !== undefined) return explain(first, facts);
  if (differences === 0) {
    return {
      text: l10n.t('Everything is as promised: the address is right, the service is up and the key is accepted.'),
      next: l10n.t('Nothing has to be done.'),
    };
  }
  return {
    text: l10n.t(
      'The address is right, the service is up and the key is accepted. Small things differ from what is promised; they do no harm.',
    ),
    next: l10n.t('Nothing has to be done.'),
  };
}

function explain(fault: CheckFault, facts: DiagnosisFacts): Diagnosis {
  return wayThere(fault, facts) ?? address(fault, facts) ?? keyAndModel(fault, facts);
}

function wayThere(fault: CheckFault, { proxied }: DiagnosisFacts): Diagnosis | undefined {
  switch (fault) {
    case 'no-address':
      return {
        text: l10n.t('No service address is set.'),
        next: l10n.t('Enter the address; it ends in /v1.'),
        action: 'set-address',
      };
    case 'stopped':
      return {
        text: l10n.t('The check was stopped before its end.'),
        next: l10n.t('Run it again.'),
        action: 'check-again',
      };
    case 'proxy':
      return {
        text: l10n.t('The proxy in between does not let the connection through.'),
        next: l10n.t('Check http.proxy and http.noProxy, or ask who runs the proxy to allow the address.'),
        action: 'open-proxy-settings',
      };
    case 'proxy-sign-in':
      return {
        text: l10n.t('The proxy in between asks for a sign-in (407).'),
        next: l10n.t('Sign in to the proxy, or put the credentials into http.proxy.'),
        action: 'open-proxy-settings',
      };
    case 'tls':
      return {
        text: l10n.t(
          'The certificate of the address is not trusted on this machine. It may be self-signed, out of date, or from a proxy that reads along.',
        ),
        next: l10n.t(
          'Add its issuer to the certificate store of the system and keep http.systemCertificates on. Do not switch the check off: the key would travel in the open.',
        ),
      };
    case 'dns':
      return {
        text: l10n.t('The host name of the address is not known here.'),
        next: l10n.t('Check the spelling of the address, then the network or VPN.'),
        action: 'set-address',
      };
    case 'refused':
      return proxied
        ? {
            text: l10n.t('The connection was refused. A proxy is set, so it may be the proxy that is not running.'),
            next: l10n.t('Check http.proxy first, then the port in the address.'),
            action: 'open-proxy-settings',
          }
        : {
            text: l10n.t('The host exists, but nothing listens at that port.'),
            next: l10n.t('Check the port in the address, and that the service is running.'),
            action: 'set-address',
          };
    case 'too-late':
      return {
        text: l10n.t(
          'Nothing answered within 15 seconds, not even for the free list of models. A firewall may swallow the connection, or the service is overloaded.',
        ),
        next: l10n.t('Check the network and the proxy, then try again in a few minutes.'),
        action: 'check-again',
      };
    case 'network':
      return {
        text: l10n.t('The connection broke before an answer came.'),
        next: l10n.t('Check the network, the VPN and the proxy, then try again.'),
        action: 'check-again',
      };
    default:
      return undefined;
  }
}

function address(fault: CheckFault, { baseUrl, foundAt, location }: DiagnosisFacts): Diagnosis | undefined {
  switch (fault) {
    case 'redirected':
      return {
        text:
          location === undefined
            ? l10n.t('The address redirects elsewhere.')
            : l10n.t('The address redirects to {0}.', location),
        next: l10n.t('If you know that place, enter it as the address. The key is never sent after a redirect.'),
        action: 'set-address',
      };
    case 'web-page':
      return {
        text: l10n.t(
          'A web page answered instead of the service. It is often the sign-in page of a network, or a website at the address.',
        ),
        next: l10n.t('Sign in to the network in a browser, then check the address.'),
        action: 'set-address',
      };
    case 'not-found':
      return { ...notFound(baseUrl, foundAt), action: 'set-address' };
    case 'down':
      return {
        text: l10n.t(
          'The proxy provider in front of the service answers, but the servers behind it do not (52x). The address is right and nothing was charged.',
        ),
        next: l10n.t('Try again later; nothing has to be changed here.'),
        action: 'check-again',
      };
    case 'no-list':
    case 'other-service':
      return {
        text: l10n.t('Something answers there, but not as this service does: it is another program or another API.'),
        next: l10n.t('Check the address.'),
        action: 'set-address',
      };
    case 'other-models':
      return {
        text: l10n.t(
          'A list of models came, but none of its ids begins with svc/: this is the API of another provider.',
        ),
        next: l10n.t('Check the address.'),
        action: 'set-address',
      };
    case 'list-refused':
      return {
        text: l10n.t(
          'The list of models was refused, although it needs no key. Something in between may filter requests, or the service has trouble.',
        ),
        next: l10n.t('Try again later; if it stays, send the report to support.'),
        action: 'check-again',
      };
    default:
      return undefined;
  }
}

function notFound(baseUrl: string, foundAt: string | undefined): Pick<Diagnosis, 'text' | 'next'> {
  if (foundAt !== undefined) {
    return {
      text: l10n.t('The path of the address is wrong. The service was found on the same host.'),
      next: l10n.t('Enter {0} as the address.', foundAt),
    };
  }
  if (baseUrl.endsWith('/')) {
    return {
      text: l10n.t('The address ends in a slash, and paths must match exactly.'),
      next: l10n.t('Enter {0} as the address.', baseUrl.replace(/\/+$/, '')),
    };
  }
  if (!baseUrl.endsWith('/v1')) {
    return {
      text: l10n.t('The address does not end in /v1, and nothing is served without it.'),
      next: l10n.t('Enter {0} as the address.', `${baseUrl}/v1`),
    };
  }
  return {
    text: l10n.t('The host answers, but nothing is served under this path.'),
    next: l10n.t('Copy the address again from the dashboard or from whoever runs the service.'),
  };
}

function keyAndModel(fault: CheckFault, { model = '', nearestModel }: DiagnosisFacts): Diagnosis {
  switch (fault) {
    case 'key-rejected':
      return {
        text: l10n.t('The address is right and the service is up, but the key is not accepted.'),
        next: l10n.t(
          'Enter the key again. It is shown once, when it is created; a lost one is replaced by a new one in the dashboard.',
        ),
        action: 'set-key',
      };
    case 'no-credit':
      return {
        text: l10n.t('The key is accepted, but the service reports that the prepaid credit is used up.'),
        next: l10n.t('Top up in the dashboard.'),
        action: 'open-dashboard',
      };
    case 'model-gone':
      return {
        text: l10n.t('The service is up, but {0} is not on its list any more.', model),
        next:
          nearestModel === undefined
            ? l10n.t('Select a model from the list.')
            : l10n.t('Select another model; {0} has the nearest id.', nearestModel),
        action: 'select-model',
      };
    case 'no-key':
      return {
        text: l10n.t('The address is right and the service is up, but no key is set.'),
        next: l10n.t('Create a key in the dashboard and enter it here.'),
        action: 'set-key',
      };
    default:
      return {
        text: l10n.t(
          'The address is right and the service is up, but its answer does not tell whether the key is good.',
        ),
        next: l10n.t('Try a short message; if it fails, send the report to support.'),
        action: 'check-again',
      };
  }
}
