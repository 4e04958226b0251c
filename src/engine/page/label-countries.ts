/**
 * Countries whose labels show the first-level division, because people add it to a town's name.
 * Other federal countries, such as Germany, are left out: people there seldom name the division.
 */
export const COUNTRIES_WITH_DIVISION: ReadonlySet<string> = new Set([
  'ae', // federal: people say in which emirate a town is
  'ar', // federal: many towns have namesakes in other provinces
  'au', // federal: the state is part of every address
  'br', // federal: the state follows every town, as in "Santos, SP"
  'ca', // federal: the province follows every town, as in "London, Ontario"
  'cn', // not federal, but many towns have namesakes in other provinces
  'fm', // federal: each state is a group of islands
  'in', // federal: the state is part of every address
  'mx', // federal: the state follows every town, as in "León, Guanajuato"
  'my', // federal: the state is part of every address
  'ng', // federal: the state follows every town, as in "Ibadan, Oyo State"
  'pk', // federal: the province follows the town, as in "Hyderabad, Sindh"
  'ru', // federal: many towns have namesakes in other oblasts
  'us', // federal: the state follows every town, as in "Paris, Texas"
  've', // federal: the state follows every town, as in "Valencia, Carabobo"
]);
