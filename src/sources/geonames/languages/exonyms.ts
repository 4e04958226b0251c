/**
 * Our own table of city names by language and country, joined by `|`. The table adds no names. It
 * only says which of the names in GeoNames is in the language.
 */
import ar from './exonyms/ar.json' with { type: 'json' };
import de from './exonyms/de.json' with { type: 'json' };
import el from './exonyms/el.json' with { type: 'json' };
import en from './exonyms/en.json' with { type: 'json' };
import es from './exonyms/es.json' with { type: 'json' };
import fa from './exonyms/fa.json' with { type: 'json' };
import fr from './exonyms/fr.json' with { type: 'json' };
import he from './exonyms/he.json' with { type: 'json' };
import hi from './exonyms/hi.json' with { type: 'json' };
import it from './exonyms/it.json' with { type: 'json' };
import nl from './exonyms/nl.json' with { type: 'json' };
import pl from './exonyms/pl.json' with { type: 'json' };
import pt from './exonyms/pt.json' with { type: 'json' };
import ru from './exonyms/ru.json' with { type: 'json' };
import tr from './exonyms/tr.json' with { type: 'json' };
import uk from './exonyms/uk.json' with { type: 'json' };
import vi from './exonyms/vi.json' with { type: 'json' };

type NamesByCountry = Readonly<Record<string, string>>;

export const EXONYMS: Readonly<Record<string, NamesByCountry>> = {
  ar,
  de,
  el,
  en,
  es,
  fa,
  fr,
  he,
  hi,
  it,
  nl,
  pl,
  pt,
  ru,
  tr,
  uk,
  vi,
};
