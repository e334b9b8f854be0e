/** The name of the API key in SecretStorage. In a file of its own, because the shim must know it without loading anything. */
export const keySecretName = 'svc.apiKey';
