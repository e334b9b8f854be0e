// The two served paths, exact, and the dashboard's.
export const modelsPath = '/v1/models';
export const chatPath = '/v1/chat/completions';
export const dashboardPath = '/dashboard';
