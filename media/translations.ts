import * as l10n from '@vscode/l10n';

// Imported first by each page: texts may be made while the other modules load. The host leaves the element out when
// VS Code's language is English.
const contents = document.getElementById('translations')?.textContent;
if (contents) l10n.config({ contents });
