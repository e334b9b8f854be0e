import * as l10n from '@vscode/l10n';

export type CheckAction =
  | 'set-address'
  | 'set-key'
  | 'select-model'
  | 'open-dashboard'
  | 'open-proxy-settings'
  | 'check-again';

export interface Diagnosis {
  text: string;
  next: string;
  action?: CheckAction;
}

/** Messages show these facts too, so none of them is free text from the network. */
export interface DiagnosisFacts {
  baseUrl: string;
  proxied: boolean;
  foundAt?: string;
  location?: string;
  model?: string;
  nearestModel?: string;
}

type Explain = (facts: DiagnosisFacts) => Diagnosis;

const otherProgram: Explain = () => ({
  text: l10n.t(
    "Something answers at this address, but not the way this service does. It's another program or another API.",
  ),
  next: l10n.t('Check the address.'),
  action: 'set-address',
});

/**
 * The most fundamental fault comes first: without a connection nothing else is meaningful, and without the right
 * address the key is not.
 */
const faults = {
  'no-address': () => ({
    text: l10n.t('No service address is set.'),
    next: l10n.t('Enter the address, which ends in /v1.'),
    action: 'set-address',
  }),
  stopped: () => ({
    text: l10n.t('The check was stopped before it finished.'),
    next: l10n.t('Run the check again.'),
    action: 'check-again',
  }),
  proxy: () => ({
    text: l10n.t('A proxy blocked the connection.'),
    next: l10n.t('Check http.proxy and http.noProxy, or ask whoever runs the proxy to allow the address.'),
    action: 'open-proxy-settings',
  }),
  'proxy-sign-in': () => ({
    text: l10n.t('A proxy requires a sign-in (407).'),
    next: l10n.t('Sign in to the proxy, or put the credentials into http.proxy.'),
    action: 'open-proxy-settings',
  }),
  tls: () => ({
    text: l10n.t(
      "This machine doesn't trust the certificate. It might be self-signed, expired, or from a proxy that inspects traffic.",
    ),
    next: l10n.t(
      "Add its issuer to the system's certificate store, and keep http.systemCertificates on. Don't turn off the check: your key would be sent unprotected.",
    ),
  }),
  dns: () => ({
    text: l10n.t("The address's host name wasn't found."),
    next: l10n.t('Check the spelling of the address, then the network or VPN.'),
    action: 'set-address',
  }),
  refused: ({ proxied }) =>
    proxied
      ? {
          text: l10n.t('The connection was refused. A proxy is set, and it might not be running.'),
          next: l10n.t('Check http.proxy first, then the port in the address.'),
          action: 'open-proxy-settings',
        }
      : {
          text: l10n.t('The host exists, but nothing listens at that port.'),
          next: l10n.t('Check the port in the address, and that the service is running.'),
          action: 'set-address',
        },
  'too-late': () => ({
    text: l10n.t(
      'Nothing answered within 15 seconds, not even the free model list. A firewall might be dropping the connection, or the service might be overloaded.',
    ),
    next: l10n.t('Check the network and the proxy, then try again in a few minutes.'),
    action: 'check-again',
  }),
  network: () => ({
    text: l10n.t('The connection broke before an answer arrived.'),
    next: l10n.t('Check the network, the VPN, and the proxy, then try again.'),
    action: 'check-again',
  }),
  redirected: ({ location }) => ({
    text:
      location === undefined
        ? l10n.t('The address redirects elsewhere.')
        : l10n.t('The address redirects to {0}.', location),
    next: l10n.t('If you trust that address, enter it here. Redirects are never followed with your key.'),
    action: 'set-address',
  }),
  'web-page': () => ({
    text: l10n.t(
      "A web page answered instead of the service. It's often a network's sign-in page, or a website at that address.",
    ),
    next: l10n.t('Sign in to the network in a browser, then check the address.'),
    action: 'set-address',
  }),
  'not-found': ({ baseUrl, foundAt }) => ({ ...notFound(baseUrl, foundAt), action: 'set-address' }),
  down: () => ({
    text: l10n.t(
      "The proxy in front of the service answers, but the service's servers don't (52x). The address is right, and nothing was charged.",
    ),
    next: l10n.t("Try again later. You don't need to change anything here."),
    action: 'check-again',
  }),
  'no-list': otherProgram,
  'other-models': () => ({
    text: l10n.t("The address returned a model list, but no ID begins with svc/. It's another provider's API."),
    next: l10n.t('Check the address.'),
    action: 'set-address',
  }),
  'list-refused': () => ({
    text: l10n.t(
      'The model list was refused, although it needs no key. Something in between might be filtering requests, or the service has a problem.',
    ),
    next: l10n.t('Try again later. If the problem continues, send the report to support.'),
    action: 'check-again',
  }),
  'key-rejected': () => ({
    text: l10n.t('The address is right and the service is up, but the key is not accepted.'),
    next: l10n.t(
      'Enter the key again. If you no longer have it, create a new one in the dashboard: a key is shown only once.',
    ),
    action: 'set-key',
  }),
  'no-credit': () => ({
    text: l10n.t('The key is accepted, but the service reports that the prepaid credit is used up.'),
    next: l10n.t('Top up in the dashboard.'),
    action: 'open-dashboard',
  }),
  'other-service': otherProgram,
  'model-gone': ({ model = '', nearestModel }) => ({
    text: l10n.t('The service is up but no longer lists {0}.', model),
    next:
      nearestModel === undefined
        ? l10n.t('Select a model from the list.')
        : l10n.t('Select another model. {0} has the nearest ID.', nearestModel),
    action: 'select-model',
  }),
  'no-key': () => ({
    text: l10n.t('The address is right and the service is up, but no key is set.'),
    next: l10n.t('Create a key in the dashboard and enter it here.'),
    action: 'set-key',
  }),
  'key-unclear': () => ({
    text: l10n.t("The address is right and the service is up, but its answer doesn't show whether the key is valid."),
    next: l10n.t('Try a short message; if it fails, send the report to support.'),
    action: 'check-again',
  }),
} satisfies Record<string, Explain>;

export type CheckFault = keyof typeof faults;

/** `differences` counts the promises without harm that were not kept. */
export function diagnose(found: readonly CheckFault[], differences: number, facts: DiagnosisFacts): Diagnosis {
  const first = Object.entries<Explain>(faults).find(([fault]) => found.some((one) => one === fault));
  if (first !== undefined) return first[1](facts);
  if (differences === 0) {
    return {
      text: l10n.t('Everything works as specified: the address is right, the service is up, and the key is accepted.'),
      next: '',
    };
  }
  return {
    text: l10n.t(
      'The address is right, the service is up, and the key is accepted. Small details differ from the specification but do no harm.',
    ),
    next: '',
  };
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
      text: l10n.t("The address doesn't end in /v1, and nothing is served without it."),
      next: l10n.t('Enter {0} as the address.', `${baseUrl}/v1`),
    };
  }
  return {
    text: l10n.t('The host answers, but nothing is served under this path.'),
    next: l10n.t('Copy the address again from the dashboard, or ask whoever runs the service.'),
  };
}
