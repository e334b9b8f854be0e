/** This name has a file of its own because the shim must know it without loading anything. */
export const keySecretName = 'svc.apiKey';
