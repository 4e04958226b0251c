/** The page at `/`: connects the search box, filters, results, map and request with the service. */
import { createClient } from '../../packages/client/src/client.ts';
import '../../packages/client/src/search-element.ts';
import { showDataNote } from './data-note.ts';
import { byId, readFacts } from './dom.ts';
import { Finder } from './finder.ts';

const facts = readFacts();
const { origin } = location;
const client = createClient({ url: origin, key: facts.key, keyHeader: facts.keyHeader });
showDataNote(byId('footer'), facts);
new Finder(client, { ...facts, origin });
