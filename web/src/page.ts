/** The page at `/`. */
const facts = JSON.parse(document.getElementById('facts')?.textContent ?? '{}') as { readonly version?: string };
document.title += ` ${facts.version ?? ''}`;
